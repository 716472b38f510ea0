// compute/address_space.hpp -- threads under a limit on address space (ulimit -v). OpenBLAS takes a buffer of 128 MB
// for each thread that calls it; where there is no room for one it tries again for ever. So it is asked first. The
// system may also refuse to start threads: that is tried first, too, so that work is shared out among those that there
// are.
#pragma once

namespace lacuna {

/// How many of `wanted` threads there is room for and the system lets us start. Throws Error(data) when not even one
/// fits.
int threads_that_fit(int wanted);

}  // namespace lacuna

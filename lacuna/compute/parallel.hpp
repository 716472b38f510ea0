// compute/parallel.hpp -- loops whose steps may run side by side. The calling thread works through the steps, and
// threads of a pool that are free help it.
//
// Why not OpenMP's loops: there every thread of a team has to arrive at the end of every loop, and those that have
// arrived spin. Beside one busy process on two cores a fit of 1,200 rows then took 17 times as long as with one
// thread. Here nobody waits for a thread that has not begun, and who waits for one that has goes to sleep after a few
// microseconds; so a thread that gets no processor costs nothing, and an idle machine is used as well as before. It
// needs no variables in the environment, which a host process would have to set before it loads the library. Steps
// may throw, and a StopScope (base/stopping.hpp) of the caller holds in all of them.
//
// Which thread takes which step is chance. What is computed must not depend on it: steps write to places of their
// own, and what they sum up is joined in order afterwards.
#pragma once

#include <functional>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Calls step(k) once for each 0 <= k < count, with at most thread_count() threads, or `most` where that is less (0:
/// no other limit). Before each step check_stop() is called. What a step throws is thrown again here, of several that
/// of the least k, when the steps under way have ended; the others are not begun. A loop inside a step runs on that
/// step's thread alone.
void parallel_for(Index count, const std::function<void(Index k)>& step, int most = 0);

/// The same for steps that are too short to be taken one by one: step(first, last) for ranges of `size` (the last may
/// be shorter).
void parallel_ranges(Index count, Index size, const std::function<void(Index first, Index last)>& step);

}  // namespace lacuna

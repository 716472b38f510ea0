// benchmarks/whole/timing.hpp -- the library's way of timing contenders, under the benchmarks' name.
#pragma once

#include "experiment/timing.hpp"

namespace lacuna::bench {

using lacuna::least_of_interleaved;
using lacuna::thread_seconds;

}  // namespace lacuna::bench

// experiment/timing.hpp -- the least of interleaved runs: contenders take turns, so that whatever else the machine does
// disturbs them alike, and the least time is the one least disturbed. Processor time of the calling thread: for work on
// one thread only.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "lacuna/evaluate/tasks.hpp"

namespace lacuna {

inline std::vector<double> least_of_interleaved(int rounds, const std::vector<std::function<void()>>& contenders) {
  std::vector<double> least(contenders.size(), std::numeric_limits<double>::infinity());
  for (int r = 0; r < rounds; ++r)
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const double began = thread_seconds();
      contenders[k]();
      least[k] = std::min(least[k], thread_seconds() - began);
    }
  return least;
}

}  // namespace lacuna

// benchmarks/whole/timing.hpp -- the least of interleaved runs: contenders take turns, so that whatever else the machine
// does disturbs them alike, and the least time is the one least disturbed.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <vector>

namespace lacuna::bench {

inline std::vector<double> least_of_interleaved(int rounds, const std::vector<std::function<void()>>& contenders) {
  std::vector<double> least(contenders.size(), std::numeric_limits<double>::infinity());
  for (int r = 0; r < rounds; ++r)
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const auto began = std::chrono::steady_clock::now();
      contenders[k]();
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
      least[k] = std::min(least[k], taken.count());
    }
  return least;
}

}  // namespace lacuna::bench

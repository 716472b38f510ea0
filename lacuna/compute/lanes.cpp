#include "lacuna/compute/lanes.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <vector>

namespace lacuna {

Index lanes_for(Index n, Index blocks) {
  constexpr Index largest = 3000;  // 72 MB a lane
  if (n > largest || omp_in_parallel()) return 1;
  return std::max<Index>(1, std::min<Index>(omp_get_max_threads(), blocks));
}

void in_lanes(Index lanes, Index blocks, const std::function<void(Index lane, Index block)>& body) {
  if (lanes <= 1) {
    for (Index block = 0; block < blocks; ++block) body(0, block);
    return;
  }
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(lanes));
#pragma omp parallel for schedule(static, 1) num_threads(int(lanes))
  for (Index lane = 0; lane < lanes; ++lane) {
    try {
      for (Index block = lane; block < blocks; block += lanes) body(lane, block);
    } catch (...) {
      thrown[std::size_t(lane)] = std::current_exception();
    }
  }
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace lacuna

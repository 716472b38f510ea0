#include "lacuna/compute/lanes.hpp"

#include <algorithm>

#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna {

Index lanes_for(Index n, Index blocks) {
  constexpr Index largest = 3000;  // 72 MB a lane
  if (n > largest) return 1;
  return std::max<Index>(1, std::min<Index>(thread_count(), blocks));
}

void in_lanes(Index lanes, Index blocks, const std::function<void(Index lane, Index block)>& body) {
  if (lanes <= 1) {
    for (Index block = 0; block < blocks; ++block) {
      check_stop();
      body(0, block);
    }
    return;
  }
  parallel_for(lanes, [&](Index lane) {
    for (Index block = lane; block < blocks; block += lanes) {
      check_stop();
      body(lane, block);
    }
  });
}

}  // namespace lacuna

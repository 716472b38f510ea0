// compute/lanes.hpp -- a long list of blocks worked off in lanes, side by side. Lane k takes blocks k, k + lanes, k
// + 2 lanes, ... in order; whatever is summed is summed lane by lane and joined in the order of lanes, so that the same
// number of threads gives the same bits.
#pragma once

#include <functional>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Rows of a block: deep enough for matrix products, small enough for the cache.
inline constexpr Index kBlockRows = 384;

/// One lane for each thread, unless each lane's own matrix of order n would be large (then each block
/// is shared out among the threads).
Index lanes_for(Index n, Index blocks);

/// Calls body(lane, block) for every block. What a body throws is thrown again here when all lanes have ended.
void in_lanes(Index lanes, Index blocks, const std::function<void(Index lane, Index block)>& body);

}  // namespace lacuna

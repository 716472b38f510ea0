// compute/side_by_side.hpp -- how many held-out fits are followed to their optimum side by side
// (loo/held_out_optimum.hpp). Each takes seven numbers for every row, and a step of all of them three matrices more, so
// that of very many rows fewer go together: memory stays below 120 MB up to 40,000 rows, and every step still is a
// product of matrices.
#pragma once

#include <algorithm>

#include "lacuna/base/matrix.hpp"

namespace lacuna::compute {

inline Index followed_side_by_side(Index rows) {
  return std::clamp<Index>(1'280'000 / std::max<Index>(rows, 1), 32, 128);
}

}  // namespace lacuna::compute

// criterion/detail/calibration_prior.hpp -- the prior on scale and shift of outputs, which is worth about one row.
#pragma once

#include <cmath>

namespace lacuna::detail {

// The reach x of the outputs, their scale times their size, is normal with this precision while that is small; beyond,
// the prior costs as much as reach does to one row on the wrong side, x and a constant. So nowhere does it cost more
// than such a row would, also where the scale is held and the outputs are large.
inline constexpr double precision_of_reach = 0.1;
inline constexpr double precision_of_shift = 1e-3;

struct PriorAt {
  double value, slope, curvature;
};

// Minus its logarithm. The curvature in the reach is that of a parabola that touches from above, slope over reach:
// where the prior is straight that keeps Newton's step downhill and short.
inline PriorAt prior_of_reach(double reach) {
  constexpr double far = 1.0 / precision_of_reach;
  const double x = std::abs(reach), curvature = x > far ? 1.0 / x : precision_of_reach;
  return {x > far ? x - 0.5 * far : 0.5 * precision_of_reach * x * x, curvature * reach, curvature};
}

}  // namespace lacuna::detail

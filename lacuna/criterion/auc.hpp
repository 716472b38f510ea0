// criterion/auc.hpp -- the exact area under the ROC curve of outputs that compare with one another, ties counting one
// half, in O(l log l): the share of all pairs of a positive and a negative row in which the positive one has the
// larger output.
//
// Outputs that differ by rounding only are ties: a machine without skill must score one half.
#pragma once

#include <cmath>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// What differs by no more than this is the same output.
inline double tie_width(const Vector& z) {
  const double width = z.size() > 0 ? 1e-12 * z.cwiseAbs().maxCoeff() : 0.0;
  return std::isfinite(width) ? width : 0.0;
}

/// Weight of the pairs ranked rightly, a tie counting half, and of all pairs; a pair weighs w_i w_j.
struct RankedPairs {
  double won = 0.0, all = 0.0;
  double area() const { return won / all; }  ///< NaN when there is no pair
};
RankedPairs ranked_pairs(const Vector& z, const std::vector<bool>& positive, const Vector& weights);

/// NaN when there is no positive or no negative row with weight.
double area_under_curve(const Vector& z, const std::vector<bool>& positive, const Vector& weights);

}  // namespace lacuna

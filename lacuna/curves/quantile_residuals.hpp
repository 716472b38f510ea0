// curves/quantile_residuals.hpp -- residuals of held-out counts that are standard normal where the model is right (Dunn
// and Smyth 1996): r = Phi^-1(u), u drawn between P(T < t) and P(T <= t), seeded. O(t) for a count t.
//
// Against them the quantiles expected of as many normal numbers, and where 95 of 100 such samples would lie at each.
// With weights a residual stands at the middle of its weight, among as many rows as the weights count.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

struct QuantileResiduals {
  std::vector<double> residual{}, normal{};  ///< ascending; expected
  std::vector<double> lower{}, upper{};
};
/// Of the first target and, where rows were held out several times, the first of these. Empty where the loss does not
/// say how counts scatter, or a target is no whole number below a million.
QuantileResiduals quantile_residuals(const Model& model, std::uint64_t seed = 0);

}  // namespace lacuna

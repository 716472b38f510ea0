// criterion/auc.hpp -- the exact area under the ROC curve of pooled outputs, ties counting one half, in O(l log l).
#pragma once

#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Pairs weigh w_i w_j. NaN when there is no positive or no negative row with weight.
double area_under_curve(const Vector& z, const std::vector<bool>& positive, const Vector& weights);

}  // namespace lacuna

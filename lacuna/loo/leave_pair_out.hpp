// loo/leave_pair_out.hpp -- the area under the ROC curve without bias: every pair of one positive and one negative row
// is left out together and the two held-out outputs compared (ties, to within rounding, count one half). Pooled
// leave-one-out outputs will not do: a constant model would score 0 (method 4). With F = {i, j}:
//
//   (z_i, z_j)^(-ij) = eta_F - Q_FF^-1 alpha_F
//
// From all of Q, which one more cubic step gives for all output columns together, O(1) a pair. For reporting; it has no
// gradient.
#pragma once

#include "lacuna/machine/dual.hpp"

namespace lacuna {

/// For each output column of the fit. side(i, c) is the weight of a row that is positive for column c, minus that of a
/// negative one; a pair weighs the product. Requires Want::inverse. NaN where one of the two kinds has no weight or
/// when fewer than three rows are in the system.
Vector leave_pair_out_auc(const DualFit& fit, const Matrix& side);

}  // namespace lacuna

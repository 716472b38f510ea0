// loo/leave_pair_out.hpp -- the area under the ROC curve without bias: every pair of one positive and one negative row is
// left out together and the two held-out outputs compared (ties, to within rounding, count one half). Pooled leave-one-out outputs will not
// do: a constant model would score 0 (method 4). From the full Q, O(1) a pair. For reporting; it has no gradient.
#pragma once

#include "lacuna/machine/dual.hpp"

namespace lacuna {

/// Output column `column` of the fit; positive[i] says which rows are positive; pairs weigh w_i w_j (empty: all 1).
/// Requires Want::inverse. NaN when one of the two kinds has no weight or when fewer than three rows are in the system.
double leave_pair_out_auc(const Gram& K, const DualFit& fit, Index column, const std::vector<bool>& positive,
                          const Vector& weights);

}  // namespace lacuna

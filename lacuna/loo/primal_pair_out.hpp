// loo/primal_pair_out.hpp -- leave_pair_out.hpp for machines on a basis: with both rows of a pair out,
//
//   (z_i, z_j)^(-ij) = (z_i, z_j) - V_F V_F' y,    (I - W_F V_F V_F') y = r_F,    F = {i, j}
//
// which is a 2 x 2 system for v_i'v_j. Every pair of classes costs O(n): meant for a few thousand rows. With many more
// rows than features the pooled outputs of leave_one_out have next to none of the bias that this removes.
#pragma once

#include "lacuna/machine/primal.hpp"

namespace lacuna {

/// For each output column, as there. NaN when there are more than 5000 rows, or only one class. Requires Want::inverse.
Vector leave_pair_out_auc(const RowSource& X, const PrimalFit& fit, const Matrix& side);

}  // namespace lacuna

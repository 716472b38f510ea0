// loo/leave_pair_out.hpp -- the area under the ROC curve without bias: every pair of one positive and one negative row
// is left out together and the two held-out outputs compared. Pooled leave-one-out outputs will not do: a constant
// model would score 0 (method 4). With F = {i, j}:
//
//   machines             (z_i, z_j)^(-ij) = eta_F - Q_FF^-1 alpha_F
//   ... on a basis       (z_i, z_j)^(-ij) = z_F - V_F V_F' y,   (I - W_F V_F V_F') y = r_F
//   Gaussian processes   V = S (I - W S)^-1 as in gp_held_out.hpp, mean z - V a, ranked by mean/sqrt(1 + c V_ii), where
//                        c = s^2 for the probit likelihood, which is exact, and pi/8 for the logistic one, near enough
//
// Ties count one half. Outputs that differ by no more than 1e-12 of the largest number they are made of (eta; or z, and
// what a row's absence takes from its output) differ by rounding only: a machine without skill must score one half.
//
// About one factorisation more, then O(1) a pair; on a basis O(n) a pair, and with many more rows than features pooled
// outputs have next to none of the bias that this removes. For reporting; it has no gradient.
#pragma once

#include "lacuna/data/row_source.hpp"
#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/gp.hpp"
#include "lacuna/machine/primal.hpp"

namespace lacuna {

/// For each output column of the fit. side(i, c) is the weight of a row that is positive for column c, minus that of a
/// negative one; a pair weighs the product. Requires Want::inverse. NaN where one of the two kinds has no weight or
/// when fewer than three rows are in the system.
Vector leave_pair_out_auc(const DualFit& fit, const Matrix& side);
/// On a basis; also NaN above 5000 rows, where it would take much longer than the fit.
Vector leave_pair_out_auc(const RowSource& X, const PrimalFit& fit, const Matrix& side);
Vector leave_pair_out_auc(const compute::Gram& K, const GpFit& fit, const Matrix& side);

}  // namespace lacuna

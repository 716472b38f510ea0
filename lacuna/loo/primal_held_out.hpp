// loo/primal_held_out.hpp -- held-out outputs of machines on a basis, without refitting (method 6). The basis stays;
// rows leave. With v_i = T^-1 z_i (C = T T'), tau_i = v_i'v_i and the pull r_i = beta_i (eta_i - z_i):
//
//   z_i^(-i) = z_i - r_i tau_i / (1 - beta_i tau_i)
//   z_F^(-F) = z_F - V_F V_F' y,       (I - W_F V_F V_F') y = r_F
//
// which is e_i/(1 - h_i) in a form that divides by no weight. Exact for the squared loss; for others, one Newton step.
// A fold of more rows than features is cheaper as a machine of its own: C less the fold's part of Z'WZ, factored again,
//
//   z_F^(-F) = z_F - Z_F (C - Z_F'W_F Z_F)^-1 Z_F' r_F.
//
// Rows with beta = 0 need no case of their own.
//
// Where an eigenvalue of I - W_F V_F V_F' is below `least_rest` (primal.hpp), as when a group of most rows leaves, or
// lambda alone holds what the fold determined, either form would cancel: the machine without the fold is then made of
// the other rows by orthogonal transformations (compute/host/triangle.hpp), and agrees with an explicit refit to 1e-7
// of the outputs' range.
#pragma once

#include "lacuna/data/split.hpp"
#include "lacuna/machine/primal.hpp"

namespace lacuna {

/// O(l). Requires a fit with Want::inverse.
inline Matrix leave_one_out(const PrimalFit& fit) {
  Matrix z = fit.z;
  for (Index i = 0; i < z.rows(); ++i) z.row(i) -= fit.pull.row(i) * (fit.variance[i] / fit.rest[i]);
  return z;
}

/// One more pass over the rows and, for a fold of f rows, f^2 n + f^3/3 or f n^2 + n^3/3 operations. Requires folds
/// that leave some weight outside each. Empty result: a machine without one of the folds was not positive definite.
inline Matrix leave_fold_out(const RowSource& X, const PrimalFit& fit, const Folds& folds) {
  return fit.factor->leave_out(X, fit, folds);
}

}  // namespace lacuna

// loo/primal_gradient.hpp -- the exact derivative of any criterion of held-out outputs in lambda and all kernel
// parameters, for machines on a fixed basis (method 9, "Primal"). P' = dP/dz~, rows in the coordinates of the factor:
// v_i = T^-1 z_i, p^ = T'p.
//
// The machine without fold F is p - C^-1 Z_F' y_F; the adjoint that carries P'_F back to it is C^-1 Z_F' u_F, with
//
//   (I - W_F V_F V_F') y_F = r_F,     (I - W_F V_F V_F') u_F = P'_F,     a_F = V_F' y_F,     q_F = V_F' u_F
//
// (leave one out: y_i = r_i/(1 - h_i), u_i = P'_i/(1 - h_i)). Summed over folds, S = sum_F (a_F q_F' + q_F a_F')/2 and
// q = sum_F q_F. Row i of fold F has, besides, what its own fold must not see of it:
//
//   dP/dZ T   row i:   r_i q' - beta_i (v_i'q) p^' + 2 beta_i v_i'S + u_i (p^ - a_F)' - y_i q_F'
//   dP/d(lambda P0):   S - (q p^' + p^ q')/2
//
// For losses other than the squared one the weights move with the fit: with bend_i = c'''/c'' and
//   sigma_i = bend_i (beta_i v_i'S v_i - beta_i (v_i'a_F)(v_i'q_F)),
// sigma_i p^' joins row i, and V'sigma joins q where it multiplies r and p^ (but not S). Three passes over the rows,
// O(l n^2).
//
// Folds that would cancel take the road that held-out outputs take (primal_held_out.hpp). The terms of a row still
// cancel among themselves where its own fold has nearly all the say and its weight is 1e10 times that of others: there
// the gradient is good for less than the value.
#pragma once

#include "lacuna/loo/gradient.hpp"
#include "lacuna/loo/primal_held_out.hpp"

namespace lacuna {

/// Empty folds: leave one out. d_output is dP/dz~, l x m. Requires a fit with Want::inverse.
inline compute::CriterionGradient criterion_gradient(const RowSource& X, const PrimalFit& fit, const Folds& folds,
                                                     const Matrix& d_output) {
  return fit.factor->gradient(X, fit, folds, d_output);
}

}  // namespace lacuna

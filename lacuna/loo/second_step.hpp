// loo/second_step.hpp -- whether one Newton step is enough for a row that is left out (leave_one_out.hpp), looked at
// from where it ends. It moves row j's output by u_ij; the loss of j is no parabola, and what it pulls there is off by
// about half its third derivative:
//
//   u_ij = (lambda/beta_j) Q_ij alpha_i/Q_ii
//   rho_ij = beta_j psi(b_j u_ij)/b_j,   b = c'''/c'',   psi(x) = e^x - 1 - x
//   a second step with the same factor:   dz_i = sum_{j != i} Q_ij/Q_ii rho_ij/beta_j
//
// The square of psi counts with its sign, for it is what a second step would add; its third and fourth powers count
// each for itself, as doubt. Where that is next to nothing one step is where a refit ends, and has a gradient in closed
// form (gradient.hpp); the other rows are followed (held_out_optimum.hpp). O(l^2) and all of the inverse.
#pragma once

#include "lacuna/machine/dual.hpp"

namespace lacuna {

/// For every row, of a fit with one output column, Want::inverse and a curvature.
inline Vector second_step(const DualFit& fit) {
  return fit.factor->second_step(fit.xi, fit.alpha.col(0), fit.curvature);
}

}  // namespace lacuna

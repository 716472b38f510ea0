// loo/line_search_out.hpp -- leave one out along Newton's direction as far as the held-out objective falls. One whole step is
// right where the loss is nearly quadratic between the fit with a row and the fit without. It is too timid for the logarithm of
// a rate that falls to next to nothing when its only event leaves: Newton's method moves such an output by about one a step.
//
//   f_s = f + s u,  u_j = (lambda/beta_j) Q_ij alpha_i / Q_ii,  u_i = -tau_i alpha_i         (s = 1: leave_one_out.hpp)
//   L(s) = (lambda/2) ||f_s||^2 + sum_{j != i} zeta_j c(z_j + s u_j, t_j),   L'(s*) = 0,   z~_i = z_i + s* u_i
//
// L is convex; its slope costs O(l), since the coefficients move along -Q_:i alpha_i/Q_ii and K times them is u up to a
// constant. All rows cost a handful of l^2 evaluations of c' and one full inverse. s* has no simple gradient.
#pragma once

#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/supervision.hpp"

namespace lacuna {

/// Held-out outputs of output `column`; rows not in the system keep theirs. Requires Want::inverse.
Vector leave_one_out_along_line(const DualFit& fit, const Supervision& learn, Index column);

}  // namespace lacuna

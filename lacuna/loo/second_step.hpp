// loo/second_step.hpp -- how far one Newton step is from the truth. For losses other than the squared one a held-out output
// z~_i is one step from the fit of all rows; a second step, with the same factor, says where it would have gone next:
//
//   d_ij  = (lambda/beta_j) Q_ij alpha_i / Q_ii               how row j's output moves when row i leaves
//   rho_j = zeta_j [c'(z_j + d_ij) - c'(z_j)] - beta_j d_ij    what the first step leaves of row j's stationarity
//   dz_i  = sum_{j != i} (Q_ij / Q_ii) rho_j / beta_j
//
// All rows together cost l^2 evaluations of c' and one full inverse. Rows beyond the margin of the squared hinge are not in
// the system: that one of them may come back into it is not seen.
#pragma once

#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/supervision.hpp"

namespace lacuna {

/// dz for every row of a fit of output `column`; 0 for rows not in the system. Requires Want::inverse.
Vector second_step(const DualFit& fit, const Supervision& learn, Index column);

}  // namespace lacuna

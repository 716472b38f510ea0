// loo/leave_one_out.hpp -- loo/ says what a fit would have answered without having seen a row or a fold. This file:
// every row left out in turn, without refitting (method 4).
//
//   Q = M^-1 - xi xi'/(1'xi)
//   z_i^(-i) = z_i - alpha_i tau_i,     tau_i = 1/Q_ii - lambda/beta_i
//
// Exact for the squared loss; for other losses, one Newton step from the full fit. Needs only diag(M^-1). A row that is
// not in the system (beta = 0) keeps its output: it was never seen.
#pragma once

#include "lacuna/machine/dual.hpp"

namespace lacuna {

/// Requires a fit with Want::inverse and at least two rows in the system; Q_ii = Q_diagonal(fit).
Matrix leave_one_out(const DualFit& fit, const Vector& Q_ii);

}  // namespace lacuna

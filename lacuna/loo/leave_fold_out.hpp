// loo/leave_fold_out.hpp -- every fold of a partition left out in turn, from the one factorisation (method 4).
//
//   e_F = Q_FF^-1 alpha_F,    z_F^(-F) = eta_F - e_F = z_F + lambda alpha_F / beta_F - e_F
//
// A row of F that is not in the system (beta = 0) is predicted by the machine without the rest of F:
//   f^(-F)(x) = f(x) - (k' Q_:F + xi_F'/1'xi) e_F
// Cost: |F|^2 (l - min F) for the block and |F|^3/3 for its factor, fold by fold.
#pragma once

#include "lacuna/data/split.hpp"
#include "lacuna/machine/dual.hpp"

namespace lacuna {

/// Requires a fit with Want::inverse, and folds that cover every row once and leave some row of the system outside.
Matrix leave_fold_out(const DualFit& fit, const Folds& folds);

}  // namespace lacuna

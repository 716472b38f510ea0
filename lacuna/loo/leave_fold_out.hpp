// loo/leave_fold_out.hpp -- every fold of a partition left out in turn, from the one factorisation (method 4).
//
//   e_F = Q_FF^-1 alpha_F,    z_F^(-F) = eta_F - e_F = z_F + lambda alpha_F / beta_F - e_F
//
// A row of F that is not in the system (beta = 0) is predicted by the machine without the rest of F:
//   f^(-F)(x) = f(x) - (k' Q_:F + xi_F'/1'xi) e_F
// Cost: |F|^2 (l - min F) for the block and |F|^3/3 for its factor, fold by fold.
#pragma once

#include <vector>

#include "lacuna/data/split.hpp"
#include "lacuna/machine/dual.hpp"

namespace lacuna {

/// The held-out problem of one fold: the rows in the system, and a solver for their block of Q.
class FoldSystem {
 public:
  /// Requires that some row of the system is outside the fold.
  FoldSystem(const DualFit& fit, const std::vector<Index>& fold);
  const std::vector<Index>& inside() const { return inside_; }    ///< rows of the fold in the system
  const std::vector<Index>& outside() const { return outside_; }  ///< rows of the fold with beta = 0
  /// Q_FF^-1 W_F for the rows inside(), W given for all l rows.
  Matrix solve(const Matrix& W) const;

 private:
  std::vector<Index> inside_, outside_;
  Matrix Q_FF_;
  Eigen::MatrixXd factor_;  // lower Cholesky factor, or empty: then Q_FF_ is solved with pivoting
};

/// Requires a fit with Want::inverse, and folds that cover every row once and leave some row of the system outside.
Matrix leave_fold_out(const Gram& K, const DualFit& fit, const Folds& folds);

}  // namespace lacuna

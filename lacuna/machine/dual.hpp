// machine/dual.hpp -- machine/ fits. This file is the dual core: one weighted least-squares problem in kernel space,
// which is the whole of the LS-SVM and one step of everything that iterates (method 3).
//
//   [ M  1 ] [alpha]   [eta]
//   [ 1' 0 ] [  b  ] = [ 0 ]     M = K + lambda diag(1/beta)
//
//   M xi = 1,  M nu = eta,  b = 1'nu / 1'xi,  alpha = nu - xi b
//
// One factorisation serves any number of right-hand sides eta (classes, targets). Rows with beta = 0 leave the system:
// alpha = 0, and their output is what the others predict.
#pragma once

#include <memory>

#include "lacuna/compute/compute.hpp"

namespace lacuna {

struct DualFit {
  std::unique_ptr<compute::Factor> factor;  ///< null: M was not positive definite, and nothing below is set
  double lambda = 0.0;
  Vector beta;   ///< l
  Matrix eta;    ///< l x m
  Matrix alpha;  ///< l x m
  Vector b;      ///< m
  Matrix z;      ///< l x m fitted outputs
  Vector xi;     ///< M^-1 1
  double one_xi = 0.0;
  Vector curvature;  ///< s = zeta c'''/beta^3, how the weights move with the fit; empty: they do not (squared loss)

  bool usable() const { return factor != nullptr; }
  bool in_system(Index i) const { return beta[i] > 0.0; }
};

/// Requires beta >= 0 with at least one > 0, lambda > 0, eta of K.size() rows.
DualFit solve_dual(const compute::Gram& K, const Vector& beta, const Matrix& eta, double lambda, compute::Want want);

/// Q W for Q = M^-1 - xi xi'/(1'xi), the l x l block of the inverse of the bordered matrix.
Matrix apply_Q(const DualFit& fit, const Matrix& W);
/// Q_ii; 0 for rows that are not in the system.
Vector Q_diagonal(const DualFit& fit);
/// h_i = dz_i/deta_i = 1 - lambda Q_ii / beta_i, the pull of a row on its own output; 0 for rows not in the system.
Vector leverage(const DualFit& fit, const Vector& Q_ii);

}  // namespace lacuna

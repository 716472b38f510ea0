#include "lacuna/machine/dual.hpp"

namespace lacuna {

DualFit solve_dual(const compute::Gram& K, const Vector& beta, const Matrix& eta, double lambda, compute::Want want) {
  DualFit fit;
  fit.factor = K.factor(beta, lambda, want);
  if (!fit.factor) return fit;
  const Index l = K.size(), m = eta.cols();
  fit.lambda = lambda;
  fit.beta = beta;
  fit.eta = eta;

  // alpha does not change when a constant is added to eta (Q 1 = 0): taking the mean out first keeps the digits.
  const Vector centre = (beta.transpose() * eta).transpose() / beta.sum();
  Matrix right(l, m + 1);
  right.col(0).setOnes();
  right.rightCols(m) = eta.rowwise() - centre.transpose();
  const Matrix solved = fit.factor->solve(right);
  fit.xi = solved.col(0);
  fit.one_xi = fit.xi.sum();
  const auto nu = solved.rightCols(m);
  const Vector b = nu.colwise().sum().transpose() / fit.one_xi;
  fit.alpha = nu - fit.xi * b.transpose();
  fit.b = b + centre;

  fit.z.resize(l, m);
  bool all_in = true;
  for (Index i = 0; i < l; ++i) {
    if (fit.in_system(i))
      fit.z.row(i) = eta.row(i) - (lambda / beta[i]) * fit.alpha.row(i);  // row i of the system
    else
      all_in = false;
  }
  if (!all_in) {
    const Matrix K_alpha = K.multiply(fit.alpha);
    for (Index i = 0; i < l; ++i)
      if (!fit.in_system(i)) fit.z.row(i) = K_alpha.row(i) + fit.b.transpose();
  }
  return fit;
}

Matrix apply_Q(const DualFit& fit, const Matrix& W) {
  return fit.factor->solve(W) - fit.xi * ((fit.xi.transpose() * W) / fit.one_xi);
}

Vector Q_diagonal(const DualFit& fit) { return fit.factor->inverse_diagonal() - fit.xi.cwiseAbs2() / fit.one_xi; }

Vector leverage(const DualFit& fit, const Vector& Q_ii) {
  Vector h = Vector::Zero(Q_ii.size());
  for (Index i = 0; i < h.size(); ++i)
    if (fit.in_system(i)) h[i] = 1.0 - fit.lambda * Q_ii[i] / fit.beta[i];
  return h;
}

}  // namespace lacuna

#include "lacuna/machine/evidence.hpp"

#include <cmath>
#include <numbers>

namespace lacuna {
namespace {

// t'alpha of each target, about its mean: alpha does not see a constant, and digits do.
Vector explained_by(const DualFit& fit) {
  const Matrix t = fit.eta.rowwise() - fit.eta.colwise().mean();
  return t.cwiseProduct(fit.alpha).colwise().sum();
}

}  // namespace

double log_evidence(const DualFit& fit) {
  const auto n = double(fit.eta.rows()), m = double(fit.eta.cols());
  const Vector t_alpha = explained_by(fit);
  if (!(t_alpha.minCoeff() > 0.0)) return -std::numeric_limits<double>::infinity();
  const double log_det_M = fit.factor->log_determinant() + n * std::log(fit.lambda);
  const double shared = log_det_M + std::log(fit.one_xi) - std::log(n);
  const double fitted = (2.0 * std::numbers::pi * t_alpha.array() / (n - 1.0)).log().sum() + m;
  return -0.5 * ((n - 1.0) * fitted + m * shared);
}

compute::CriterionGradient evidence_gradient(const DualFit& fit) {
  const auto n = double(fit.eta.rows());
  const Index m = fit.eta.cols();
  const Vector t_alpha = explained_by(fit);
  // -G of the header: L R' with a column for each target and one for the border of Q.
  compute::Adjoint adjoint{
      .left = Matrix(fit.eta.rows(), m + 1), .right = Matrix(fit.eta.rows(), m + 1), .v = {}, .xi = {}};
  adjoint.left << fit.alpha, fit.xi;
  for (Index c = 0; c < m; ++c) adjoint.right.col(c) = (0.5 * (n - 1.0) / t_alpha[c]) * fit.alpha.col(c);
  adjoint.right.col(m) = (0.5 * double(m) / fit.one_xi) * fit.xi;
  adjoint.inverse = -0.5 * double(m);
  const compute::AdjointResult G = fit.factor->contract(adjoint);
  return {G.d_log_kernel, fit.lambda * G.diagonal.sum(), 0.0};
}

}  // namespace lacuna

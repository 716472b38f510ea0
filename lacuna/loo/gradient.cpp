#include "lacuna/loo/gradient.hpp"

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

compute::Adjoint leave_one_out_adjoint(const compute::Gram& K, const DualFit& fit, const Matrix& d_output) {
  const Index l = d_output.rows();
  const Vector Q_ii = Q_diagonal(fit);
  Matrix u = Matrix::Zero(l, d_output.cols());
  Vector v = Vector::Zero(l);
  Matrix p;  // the part of P' on rows outside the system
  for (Index i = 0; i < l; ++i) {
    if (!fit.in_system(i)) {
      if (p.size() == 0) p = Matrix::Zero(l, d_output.cols());
      p.row(i) = d_output.row(i);
      continue;
    }
    u.row(i) = d_output.row(i) / Q_ii[i];
    v[i] = u.row(i).dot(fit.alpha.row(i)) / Q_ii[i];
  }
  Matrix right = apply_Q(fit, u);
  if ((p.array() != 0.0).any()) right += p - apply_Q(fit, K.multiply(p)) - fit.xi * (p.colwise().sum() / fit.one_xi);
  return {fit.alpha, std::move(right), std::move(v), fit.xi, fit.curvature};
}

}  // namespace

compute::CriterionGradient criterion_gradient(const compute::Gram& K, const DualFit& fit, const Folds& folds,
                                              const Matrix& d_output) {
  const bool moving = fit.curvature.size() > 0;  // then there is one output column
  const compute::AdjointResult G = fit.factor->contract(
      folds.empty() ? leave_one_out_adjoint(K, fit, d_output)
                    : compute::Adjoint{fit.alpha, d_output, {}, fit.xi, fit.curvature, 0.0, folds});
  compute::CriterionGradient out{G.d_log_kernel, 0.0};
  for (Index i = 0; i < fit.beta.size(); ++i) {
    if (!fit.in_system(i)) continue;
    out.d_log_lambda += fit.lambda * G.diagonal[i] / fit.beta[i];
    if (moving) out.d_log_lambda += fit.lambda * G.w[i] * fit.curvature[i] * fit.alpha(i, 0);
  }
  return out;
}

compute::CriterionGradient criterion_gradient(const GpFit& fit, const Folds& folds, const Vector& v, const Vector& p,
                                              const Vector& q) {
  if (fit.curvature.size() == 0) fail_usage("gp-ep: criteria of held-out rows have no gradient");
  const double lambda = fit.lambda;
  Vector u;
  compute::Adjoint adjoint{fit.alpha, p, {}, {}, fit.curvature, 0.0, folds, q};
  if (folds.empty()) {
    const Vector Q_ii = fit.factor->inverse_diagonal();
    u = p.cwiseQuotient(Q_ii);
    adjoint.right = fit.factor->solve(u);
    adjoint.v = (u.cwiseProduct(fit.alpha) - q.cwiseQuotient(lambda * Q_ii)).cwiseQuotient(Q_ii);
    adjoint.q = {};
  } else {
    u = fit.factor->leave_out(folds, {}, p);
  }
  const compute::AdjointResult G = fit.factor->contract(adjoint);
  const Vector moved = lambda * G.w.cwiseProduct(fit.curvature), R = fit.factor->solve(u - moved);
  // lambda G_ii - q_i, without its own row's part, which cancels and would leave rounding over a small beta.
  const Vector others = lambda * fit.alpha.cwiseProduct(R - p) + G.w;
  return {G.d_log_kernel, others.cwiseQuotient(fit.beta).sum() - q.dot(v) + moved.dot(fit.alpha), R.sum()};
}

}  // namespace lacuna

#include "lacuna/loo/gradient.hpp"

#include <mutex>

#include "lacuna/compute/parallel.hpp"
#include "lacuna/loo/leave_fold_out.hpp"

namespace lacuna {
namespace {

// p - a for the part p of P' that falls on rows outside the system; empty when there is none.
struct Unseen {
  Matrix p;  // l x m, zero on the rows in the system
  Matrix a;  // l x m
};

Unseen unseen(const Gram& K, const DualFit& fit, const Matrix& d_output, std::span<const Index> rows) {
  Unseen u;
  for (const Index i : rows)
    if (!fit.in_system(i) && (d_output.row(i).array() != 0.0).any()) {
      if (u.p.size() == 0) u.p = Matrix::Zero(d_output.rows(), d_output.cols());
      u.p.row(i) = d_output.row(i);
    }
  if (u.p.size() > 0) u.a = apply_Q(fit, K.multiply(u.p)) + fit.xi * (u.p.colwise().sum() / fit.one_xi);
  return u;
}

Adjoint leave_one_out_adjoint(const Gram& K, const DualFit& fit, const Matrix& d_output) {
  const Index l = d_output.rows();
  const Vector Q_ii = Q_diagonal(fit);
  Matrix u = Matrix::Zero(l, d_output.cols());
  Vector v = Vector::Zero(l);
  std::vector<Index> rows(static_cast<std::size_t>(l));
  for (Index i = 0; i < l; ++i) {
    rows[std::size_t(i)] = i;
    if (!fit.in_system(i)) continue;
    u.row(i) = d_output.row(i) / Q_ii[i];
    v[i] = u.row(i).dot(fit.alpha.row(i)) / Q_ii[i];
  }
  Matrix right = apply_Q(fit, u);
  const Unseen out = unseen(K, fit, d_output, rows);
  if (out.p.size() > 0) right += out.p - out.a;
  return {fit.alpha, std::move(right), std::move(v), fit.xi, fit.curvature};
}

Adjoint leave_fold_out_adjoint(const Gram& K, const DualFit& fit, const Folds& folds, const Matrix& d_output) {
  const Index l = d_output.rows(), m = d_output.cols(), count = Index(folds.size());
  Matrix E = Matrix::Zero(l, count * m), U = E, extra;  // one column for each fold and output
  std::mutex adding;
  parallel_for(count, [&](Index f) {
    const FoldSystem fold(fit, folds[std::size_t(f)]);
    const Unseen out = unseen(K, fit, d_output, fold.outside());
    const Matrix e = fold.solve(fit.alpha);
    const Matrix u = fold.solve(out.p.size() > 0 ? Matrix(d_output + out.a) : d_output);
    for (Index k = 0; k < e.rows(); ++k) {
      E.row(fold.inside()[std::size_t(k)]).segment(f * m, m) = e.row(k);
      U.row(fold.inside()[std::size_t(k)]).segment(f * m, m) = u.row(k);
    }
    if (out.p.size() == 0) return;
    const std::lock_guard lock(adding);
    if (extra.size() == 0) extra = Matrix::Zero(l, count * m);
    extra.middleCols(f * m, m) = out.p - out.a;
  });
  Matrix left = -apply_Q(fit, E), right = apply_Q(fit, U);
  for (Index f = 0; f < count; ++f) left.middleCols(f * m, m) += fit.alpha;
  if (extra.size() > 0) right += extra;
  return {std::move(left), std::move(right), Vector(), fit.xi};
}

// The folds' share of moving weights: w from the factors themselves (a row's own fold has no part in it), and one more
// column for G.
Vector append_curvature(const DualFit& fit, const Folds& folds, Adjoint& adjoint) {
  const Index l = fit.alpha.rows(), count = Index(folds.size());
  Vector w = Vector::Zero(l);
  for (Index f = 0; f < count; ++f)
    for (const Index j : folds[std::size_t(f)])
      for (Index g = 0; g < count; ++g)
        if (g != f) w[j] += fit.lambda * adjoint.right(j, g) * (adjoint.left(j, g) - fit.alpha(j, 0));
  adjoint.left.conservativeResize(l, count + 1);
  adjoint.right.conservativeResize(l, count + 1);
  adjoint.left.col(count) = fit.alpha.col(0);
  adjoint.right.col(count) = -apply_Q(fit, fit.lambda * w.cwiseProduct(fit.curvature));
  return w;
}

}  // namespace

CriterionGradient criterion_gradient(const Gram& K, const DualFit& fit, const Folds& folds, const Matrix& d_output) {
  Adjoint adjoint =
      folds.empty() ? leave_one_out_adjoint(K, fit, d_output) : leave_fold_out_adjoint(K, fit, folds, d_output);
  const bool moving = fit.curvature.size() > 0;  // then there is one output column
  Vector w;
  if (moving && !folds.empty()) w = append_curvature(fit, folds, adjoint);
  const AdjointResult G = fit.factor->contract(adjoint);
  if (moving && folds.empty()) w = G.w;
  CriterionGradient out{G.d_log_kernel, 0.0};
  for (Index i = 0; i < fit.beta.size(); ++i) {
    if (!fit.in_system(i)) continue;
    out.d_log_lambda += fit.lambda * G.diagonal[i] / fit.beta[i];
    if (moving) out.d_log_lambda += fit.lambda * w[i] * fit.curvature[i] * fit.alpha(i, 0);
  }
  return out;
}

}  // namespace lacuna

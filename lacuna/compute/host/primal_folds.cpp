// compute/host/primal_folds.cpp (of features.hpp) -- folds left out of a machine on a basis (loo/primal_held_out.hpp).

#include <algorithm>
#include <cmath>
#include <mutex>

#include "lacuna/base/random.hpp"
#include "lacuna/compute/host/features.hpp"
#include "lacuna/compute/host/triangle.hpp"

namespace lacuna::compute::host {
namespace {

template <class M>
M taken(const M& all, std::span<const Index> rows) {
  M out(Index(rows.size()), all.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = all.row(rows[std::size_t(i)]);
  return out;
}

// The fold as a machine of its own. Its rows come in blocks; only sums are kept.
bool refit_fold(const HostFeatureFactor& factor, const RowSource& X, const PrimalState& fit,
                const std::vector<Index>& fold, Matrix& z) {
  const HostFeatures& features = factor.features();
  Sums part;
  const Matrix zero = Matrix::Zero(features.size(), fit.z.cols());
  over_blocks(X, fold, [&](std::span<const Index> rows, const RowsView& block) {
    const auto as_fitted = [&](const Matrix&, Vector& beta, Matrix& R) {
      beta = taken(fit.beta, rows);
      R = taken(fit.pull, rows);
    };
    features.accumulate(block, zero, as_fitted, part);
  });
  const auto without = factor.without(part.ZWZ, fit.lambda);
  if (!without) return false;
  const Matrix change = without->solve(part.right);
  over_blocks(X, fold, [&](std::span<const Index> rows, const RowsView& block) {
    const Matrix d = features.of_block(block, change);
    for (std::size_t k = 0; k < rows.size(); ++k) z.row(rows[k]) -= d.row(Index(k));
  });
  return true;
}

// Whether the largest eigenvalue of an operator that is similar to (I - H)^-1 shows that too much cancels. A
// few steps of the power method: where one eigenvalue is that large, the first already points at it.
template <class Apply, class Norm>
bool cancels(Index size, const Apply& apply, const Norm& norm) {
  Random random(1);
  Vector x(size);
  for (double& v : x) v = random.normal();
  for (int step = 0; step < 3; ++step) {
    const double before = norm(x);
    x = apply(x);
    const double after = norm(x);
    if (!(after * least_rest <= before)) return true;
    x /= after;
  }
  return false;
}

}  // namespace

std::unique_ptr<HostFeatureFactor> HostFeatureFactor::without(const Matrix& part, double lambda) const {
  auto without = features().factor(sums_->ZWZ - part, lambda);
  if (!without) return nullptr;
  const auto C = [&](const Vector& q) -> Vector {
    return sums_->ZWZ.selfadjointView<Eigen::Lower>() * q + lambda * features().penalise(q).col(0);
  };
  const bool bad = cancels(
      features().size(), [&](const Vector& q) -> Vector { return without->solve(C(q)).col(0); },
      [&](const Vector& q) { return std::sqrt(std::abs(q.dot(C(q)))); });
  return bad ? nullptr : std::move(without);
}

std::vector<FoldBatch> fold_batches(const Folds& folds) {
  std::vector<FoldBatch> list;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    if (list.empty() || Index(list.back().rows.size() + folds[f].size()) > kBlockRows) list.push_back({f, f, {}});
    list.back().last = f + 1;
    list.back().rows.insert(list.back().rows.end(), folds[f].begin(), folds[f].end());
  }
  return list;
}

// D (I - D V V' D)^-1 D is the inverse of a dual machine with Gram matrix -V V' and lambda = 1. A row with beta = 0
// keeps its b and passes it on to the others.
Matrix solve_fold(const HostFeatures& features, const Matrix& V, const Vector& beta, const Matrix& B) {
  if (B.rows() == 1) {
    const double rest = 1.0 - beta[0] * V.col(0).squaredNorm();
    return rest >= least_rest ? Matrix(B / rest) : Matrix();
  }
  Matrix y = B;
  if (!(beta.maxCoeff() > 0.0)) return y;
  const Matrix V_rows = V.transpose();
  const Matrix VV = features.backend().multiply(V_rows, V), minus = -VV;
  Matrix e = Matrix::Zero(B.rows(), B.cols());
  for (Index i = 0; i < e.rows(); ++i) {
    if (beta[i] > 0.0)
      e.row(i) += B.row(i) / beta[i];
    else
      e += VV.col(i) * B.row(i);
  }
  const auto factor = features.backend().gram(kernels::Precomputed{}, minus, Use::once)->factor(beta, 1.0, Want::solve);
  if (!factor) return {};
  // No eigenvalue is less than their product, since none is more than 1; only where that is small need it be looked at.
  if (factor->log_determinant() < std::log(least_rest)) {
    Vector d = beta.cwiseSqrt();
    for (double& v : d) v = v > 0.0 ? 1.0 / v : 0.0;
    const auto inverse = [&](const Vector& x) -> Vector {
      return d.cwiseProduct(factor->solve(d.cwiseProduct(x)).col(0));
    };
    if (cancels(d.size(), inverse, [](const Vector& x) { return x.norm(); })) return {};
  }
  const Matrix solved = factor->solve(e);
  for (Index i = 0; i < e.rows(); ++i)
    if (beta[i] > 0.0) y.row(i) = solved.row(i);
  return y;
}

Matrix HostFeatureFactor::leave_out(const RowSource& X, const PrimalState& fit, const Folds& folds) const {
  const Index size = features().size();
  Matrix z = fit.z;
  Folds small, large, doubtful;
  for (const auto& fold : folds) {
    if (fold.size() == 1)
      z.row(fold[0]) -= fit.pull.row(fold[0]) * (fit.variance[fold[0]] / fit.rest[fold[0]]);
    else
      (!of_sums() ? doubtful : Index(fold.size()) <= size ? small : large).push_back(fold);
  }
  std::mutex one_at_a_time;
  const auto doubt = [&](const std::vector<Index>& fold) {
    const std::lock_guard lock(one_at_a_time);
    doubtful.push_back(fold);
  };

  const std::vector<FoldBatch> batches = fold_batches(small);
  in_lanes(lanes_for(size, Index(batches.size())), Index(batches.size()), [&](Index, Index b) {
    const FoldBatch& batch = batches[std::size_t(b)];
    const Matrix V = rows(X.take(batch.rows));
    Index at = 0;
    for (std::size_t k = batch.first; k < batch.last; at += Index(small[k++].size())) {
      const Index f = Index(small[k].size());
      const Matrix V_F = V.middleCols(at, f);
      const Matrix y = solve_fold(features(), V_F, taken(fit.beta, small[k]), taken(fit.pull, small[k]));
      if (y.size() == 0) {
        doubt(small[k]);
        continue;
      }
      const Matrix change = V_F.transpose() * (V_F * y);
      for (Index i = 0; i < f; ++i) z.row(small[k][std::size_t(i)]) -= change.row(i);
    }
  });
  in_lanes(lanes_for(size, Index(large.size())), Index(large.size()), [&](Index, Index k) {
    if (!refit_fold(*this, X, fit, large[std::size_t(k)], z)) doubt(large[std::size_t(k)]);
  });
  if (doubtful.empty()) return z;

  std::ranges::sort(doubtful);  // the same order, and bits, for any number of lanes
  bool fine = true;
  for_each_left_out(features(), X, fit.beta, fit.eta(), fit.lambda, doubtful,
                    [&](std::size_t k, const Triangle& without) {
                      fine = fine && without.usable();
                      if (!fine) return;
                      over_blocks(X, doubtful[k], [&](std::span<const Index> rows, const RowsView& block) {
                        z(rows, Eigen::all) = without.outputs(block);
                      });
                    });
  return fine ? z : Matrix();
}

}  // namespace lacuna::compute::host

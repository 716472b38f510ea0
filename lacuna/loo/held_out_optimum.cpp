#include "lacuna/loo/held_out_optimum.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lacuna/compute/parallel.hpp"
#include "lacuna/loo/detail/follower.hpp"
#include "lacuna/machine/detail/objective.hpp"

namespace lacuna {
namespace {

using detail::Follower;
using detail::infinity;
using detail::System;
using detail::Way;

constexpr double floor_of_beta = 0.5;    // times lambda/K_jj, shared out among all rows
constexpr Index rows_at_once = 128;      // held out side by side
constexpr Index worth_a_thread = 20000;  // losses looked at

// Rows that no machine has learned from get what the machine without the rest of their fold says.
void predict_unseen(const System& system, const std::vector<Index>& fold, const Way& way, HeldOutOptimum& out) {
  if (fold.size() == way.inside.size()) return;
  const Vector z = system.predict(way.alpha, way.z);
  for (const Index i : fold) {
    if (system.in_system(i)) continue;
    out.z[i] = z[i];
    out.left[i] = way.left;
  }
}

// What there is to say of rows without which nothing of their kind is left: the bias alone, had half a row of it been seen; and
// nothing that would set them apart from the other rows as what they are.
double as_good_as_unseen(const System& system, const Supervision& learn, Index column,
                         const std::vector<Index>& inside) {
  Vector zeta = learn.zeta;
  for (const Index i : inside) zeta[i] *= 0.5 / double(inside.size());
  const Vector t = learn.t.col(column);
  double z = detail::Objective(learn.loss, zeta, t, learn.offset).intercept().value_or(0.0);
  const Index one = inside.front();
  const bool wants_more = at(learn.loss, z + learn.offset_of(one), t[one]).c1 < 0.0;
  for (Index j = 0; j < t.size(); ++j)
    if (system.in_system(j) && !std::ranges::binary_search(inside, j))
      z = wants_more ? std::min(z, system.z[j]) : std::max(z, system.z[j]);
  return z;
}

template <class L>
HeldOutOptimum follow(const L& loss, const System& system, const Supervision& learn, Index column, const Folds& folds,
                      const FollowOptions& options) {
  const Index l = system.z.size();
  HeldOutOptimum out{system.z, Vector::Zero(l), {}};
  std::vector<std::pair<double, std::size_t>> unfinished;
  const Follower<L> follower(loss, system, learn, column, options.tolerance);
  const std::size_t count = folds.empty() ? std::size_t(l) : folds.size();
  for (std::size_t next = 0; next < count;) {
    std::vector<std::size_t> which;  // folds that go side by side, their rows, and those of them in the system
    std::vector<std::vector<Index>> members, inside;
    Index width = 0;
    for (; next < count && (width < rows_at_once || inside.empty()); ++next) {
      std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(next)} : folds[next];
      std::vector<Index> in;
      for (const Index i : fold)
        if (system.in_system(i)) in.push_back(i);
      std::ranges::sort(in);
      if (in.empty()) continue;
      if (!follower.has_optimum(in)) {
        for (const Index i : fold) out.left[i] = infinity;
        for (const Index i : fold) out.z[i] = as_good_as_unseen(system, learn, column, in);
        continue;
      }
      width += Index(in.size());
      which.push_back(next);
      members.push_back(std::move(fold));
      inside.push_back(std::move(in));
    }
    Matrix E = Matrix::Zero(l, width);
    Index c = 0;
    for (const auto& rows : inside)
      for (const Index i : rows) E(i, c++) = 1.0;
    const Matrix Q_E = system.apply_Q(E);
    std::vector<Way> ways(inside.size());
    std::vector<Index> begins;
    c = 0;
    for (const auto& rows : inside) begins.push_back(std::exchange(c, c + Index(rows.size())));
    const Index at_a_time = std::max<Index>(1, worth_a_thread / l);
    parallel_ranges(Index(ways.size()), at_a_time, [&](Index from, Index to) {
      for (auto k = std::size_t(from); k < std::size_t(to); ++k) {
        const auto f = Index(inside[k].size());
        ways[k] = follower.begin(std::move(inside[k]), Q_E.middleCols(begins[k], f));
      }
    });
    out.steps += long(ways.size());
    for (int step = 1; step < options.max_steps; ++step) {
      std::vector<Way*> going;
      for (Way& way : ways)
        if (!way.done) going.push_back(&way);
      if (going.empty()) break;
      const auto many = Index(going.size());
      Matrix G(l, many);
      for (Index k = 0; k < many; ++k) G.col(k) = follower.working(*going[std::size_t(k)]);
      const Matrix Q_G = system.apply_Q(G);
      parallel_ranges(many, at_a_time, [&](Index from, Index to) {
        for (Index k = from; k < to; ++k) follower.step(*going[std::size_t(k)], G.col(k), Q_G.col(k));
      });
      out.steps += many;
    }
    for (std::size_t k = 0; k < ways.size(); ++k) {
      for (const Index i : ways[k].inside) {
        out.z[i] = ways[k].z[i];
        out.left[i] = ways[k].left;
      }
      predict_unseen(system, members[k], ways[k], out);
      if (!ways[k].arrived) unfinished.emplace_back(-ways[k].left, which[k]);
    }
  }
  std::ranges::sort(unfinished);
  for (const auto& [left, fold] : unfinished) out.unfinished.push_back(fold);
  return out;
}

HeldOutOptimum follow(const System& system, const Supervision& learn, Index column, const Folds& folds,
                      const FollowOptions& options) {
  return std::visit([&](const auto& loss) { return follow(loss, system, learn, column, folds, options); }, learn.loss);
}

HeldOutOptimum nowhere(const Vector& z, const Folds& folds) {
  HeldOutOptimum out{z, Vector::Constant(z.size(), infinity), {}};
  out.unfinished.resize(folds.empty() ? std::size_t(z.size()) : folds.size());
  std::iota(out.unfinished.begin(), out.unfinished.end(), std::size_t(0));
  return out;
}

// Weights of the factor: rows that hardly count with all the data have a floor, no higher than what rows have on average. Both
// are shares of the weights, so that k copies of a row are one of weight k here too.
Vector with_floor(const Vector& beta, double lambda, const Vector& zeta, const Vector& self) {
  const double total = zeta.sum(), mean = beta.sum() / total;
  const double least_self = 1e-3 * self.dot(zeta) / total;  // a row at the origin of a linear kernel has none
  Vector out = beta;
  for (Index j = 0; j < out.size(); ++j) {
    const double floor = std::min(mean, floor_of_beta / total * lambda / std::max(self[j], least_self));
    out[j] = std::max(out[j], floor * zeta[j]);
  }
  return out;
}

}  // namespace

HeldOutOptimum held_out_optimum(const Gram& K, const DualFit& fit, const Supervision& learn, Index column,
                                const Folds& folds, const FollowOptions& options) {
  const Vector beta = with_floor(fit.beta, fit.lambda, learn.zeta, K.diagonal());
  const DualFit factor = solve_dual(K, beta, Matrix::Zero(beta.size(), 1), fit.lambda, Want::solve);
  if (!factor.usable()) return nowhere(fit.z.col(0), folds);
  const System system{.lambda = fit.lambda,
                      .self = K.diagonal(),
                      .beta = beta,
                      .alpha = fit.alpha.col(0),
                      .z = fit.z.col(0),
                      .apply_Q = [&](const Matrix& G) { return apply_Q(factor, G); },
                      .predict = [&](const Vector& alpha, const Vector& z) -> Vector {
                        Index any = 0;  // of the system: the bias moves all outputs alike
                        beta.maxCoeff(&any);
                        const Vector change = K.multiply(alpha - fit.alpha.col(0));
                        return fit.z.col(0) + change + Vector::Constant(z.size(), z[any] - fit.z(any, 0) - change[any]);
                      }};
  return follow(system, learn, column, folds, options);
}

HeldOutOptimum held_out_optimum(const Backend& backend, const PrimalFit& fit, const RowSource& X, const Vector& self,
                                const Supervision& learn, Index column, const Folds& folds,
                                const FollowOptions& options) {
  const Index l = fit.z.rows();
  const Vector beta = with_floor(fit.beta, fit.lambda, learn.zeta, self);
  const PrimalFit factor = solve_primal(fit.features, X, beta, Matrix::Zero(l, 1), fit.lambda, Want::solve);
  if (!factor.usable()) return nowhere(fit.z.col(0), folds);
  Matrix V(fit.features->size(), l);  // one row to a column
  over_rows(X, fit.features->size(), [&](Index, Index first, const RowsView& block) {
    V.middleCols(first, block.rows()) = factor.factor->rows(block);
  });
  const Matrix V_rows = V.transpose();
  const System system{.lambda = fit.lambda,
                      .self = self,
                      .beta = beta,
                      .alpha = fit.pull.col(0) / fit.lambda,
                      .z = fit.z.col(0),
                      .apply_Q = [&](const Matrix& G) -> Matrix {
                        const Matrix W_G = beta.asDiagonal() * G;
                        const Matrix inner = backend.multiply(V, W_G);
                        return (W_G - beta.asDiagonal() * backend.multiply(V_rows, inner)) / fit.lambda;
                      },
                      // C p = lambda P0 p + Z'W Z p = Z'(lambda alpha + W z)
                      .predict = [&](const Vector& alpha, const Vector& z) -> Vector {
                        return V_rows * (V * (fit.lambda * alpha + beta.cwiseProduct(z)));
                      }};
  return follow(system, learn, column, folds, options);
}

}  // namespace lacuna

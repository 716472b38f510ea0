// compute/host/follow.cpp -- held-out fits followed to their optimum (loo/held_out_optimum.hpp), some folds side by
// side.

#include <algorithm>
#include <numeric>
#include <utility>

#include "lacuna/compute/host/factor.hpp"
#include "lacuna/compute/host/features.hpp"
#include "lacuna/compute/host/follower.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/loss/detail/summed_loss.hpp"

namespace lacuna::host {
namespace {

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

// What there is to say of rows without which nothing of their kind is left: the bias alone, had half a row of it been
// seen; and nothing that would set them apart from the other rows as what they are.
double as_good_as_unseen(const FollowProblem& problem, const std::vector<Index>& inside) {
  const Supervision& learn = problem.learn;
  Vector zeta = learn.zeta;
  for (const Index i : inside) zeta[i] *= 0.5 / double(inside.size());
  const Vector t = learn.t.col(problem.column);
  double z = lacuna::detail::SummedLoss(learn.loss, zeta, t, learn.offset).intercept().value_or(0.0);
  const Index one = inside.front();
  const bool wants_more = at(learn.loss, z + learn.offset_of(one), t[one]).c1 < 0.0;
  for (Index j = 0; j < t.size(); ++j)
    if (problem.beta[j] > 0.0 && !std::ranges::binary_search(inside, j))
      z = wants_more ? std::min(z, problem.z[j]) : std::max(z, problem.z[j]);
  return z;
}

template <class L>
HeldOutOptimum follow(const L& loss, const System& system) {
  const FollowProblem& problem = system.of;
  const Folds& folds = problem.folds;
  const Index l = problem.z.size();
  HeldOutOptimum out{problem.z, Vector::Zero(l), {}};
  std::vector<std::pair<double, std::size_t>> unfinished;
  const Follower<L> follower(loss, problem);
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
        for (const Index i : fold) out.z[i] = as_good_as_unseen(problem, in);
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
    for (int step = 1; step < problem.options.max_steps; ++step) {
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

HeldOutOptimum follow(const System& system) {
  return std::visit([&](const auto& loss) { return follow(loss, system); }, system.of.learn.loss);
}

}  // namespace

HeldOutOptimum HostFactor::follow(const FollowProblem& problem) const {
  const auto predict = [&](const Vector& alpha, const Vector& z) -> Vector {
    Index any = 0;  // of the system: the bias moves all outputs alike
    problem.beta.maxCoeff(&any);
    const Vector change = gram().multiply(alpha - problem.alpha);
    return problem.z + change + Vector::Constant(z.size(), z[any] - problem.z[any] - change[any]);
  };
  return host::follow({problem, [&](const Matrix& G) { return apply_Q(problem.xi, G); }, predict});
}

// With V = Z T^-T (C = T T'), Q = (W - W V V'W)/lambda.
HeldOutOptimum HostFeatureFactor::follow(const RowSource& X, const FollowProblem& problem) const {
  const Vector& beta = problem.beta;
  Matrix V(features().size(), X.rows());  // one row to a column
  over_rows(X, features().size(),
            [&](Index, Index first, const RowsView& block) { V.middleCols(first, block.rows()) = rows(block); });
  const Matrix V_rows = V.transpose();
  const auto apply_Q = [&](const Matrix& G) -> Matrix {
    const Matrix W_G = beta.asDiagonal() * G;
    const Matrix inner = features().backend().multiply(V, W_G);
    return (W_G - beta.asDiagonal() * features().backend().multiply(V_rows, inner)) / problem.lambda;
  };
  // C p = lambda P0 p + Z'W Z p = Z'(lambda alpha + W z)
  const auto predict = [&](const Vector& alpha, const Vector& z) -> Vector {
    return V_rows * (V * (problem.lambda * alpha + beta.cwiseProduct(z)));
  };
  return host::follow({problem, apply_Q, predict});
}

}  // namespace lacuna::host

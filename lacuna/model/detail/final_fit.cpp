#include "lacuna/model/detail/final_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/random.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/leave_pair_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/loo/second_step.hpp"
#include "lacuna/machine/penalty.hpp"

namespace lacuna::detail {
namespace {

// A row is doubtful when a second step would change its loss by more than this share of the mean loss.
constexpr double doubtful = 0.05;
constexpr double most_refitted = 0.1;  // of all rows

// By how much a second step would change the weighted loss of each row, and the sum of the losses themselves.
struct Doubt {
  Vector change;
  double total = 0.0;
};

Doubt doubt(const Problem& problem, const Matrix& z, const Matrix& step) {
  Doubt out{Vector::Zero(z.rows()), 0.0};
  const Supervision& learn = problem.learn;
  for (Index i = 0; i < z.rows(); ++i) {
    const double w = problem.truth.weights[i];
    if (!(w > 0.0)) continue;
    for (Index c = 0; c < z.cols(); ++c) {
      const double here = z(i, c) + learn.offset_of(i), t = learn.t(i, c);
      const double loss = cost(learn.loss, here, t).value;
      out.total += w * loss;
      out.change[i] += w * std::abs(cost(learn.loss, here + step(i, c), t).value - loss);
    }
  }
  return out;
}

// Worst first.
std::vector<Index> flag(const Problem& problem, const Doubt& d) {
  const double limit = doubtful * d.total / problem.truth.weights.sum();
  std::vector<Index> rows;
  for (Index i = 0; i < d.change.size(); ++i)
    if (!(d.change[i] <= limit * problem.truth.weights[i])) rows.push_back(i);
  std::ranges::stable_sort(rows, std::ranges::greater{}, [&](Index i) { return d.change[i]; });
  return rows;
}

// `count` folds of a partition (single rows for leave-one-out), picked at random.
Folds some_folds(const Folds& folds, Index rows, int count, std::uint64_t seed) {
  std::vector<Index> order(folds.empty() ? std::size_t(rows) : folds.size());
  std::iota(order.begin(), order.end(), Index(0));
  Random random(seed);
  random.shuffle(order);
  order.resize(std::min(order.size(), std::size_t(count)));
  Folds out;
  for (const Index f : order) out.push_back(folds.empty() ? std::vector<Index>{f} : folds[std::size_t(f)]);
  return out;
}

}  // namespace

FinalFit final_fit(const Problem& problem, const Kernel& kernel, double lambda, const RefitOptions& refit,
                   const Observer& observer) {
  const Index l = problem.X.rows(), m = problem.learn.columns();
  const bool iterates = !std::holds_alternative<Squared>(problem.learn.loss);
  const bool one_by_one = problem.partitions.size() == 1 && problem.partitions[0].empty() && !problem.by_refit;
  const auto K = dual_gram(*problem.backend, kernel, problem.X, problem.learn);
  FinalFit out{.alpha = Matrix(l, m),
               .b = Vector(m),
               .fitted = Matrix(l, m),
               .z = std::vector<Matrix>(problem.partitions.size(), Matrix(l, m)),
               .leverage = Vector::Constant(l, problem.by_refit ? std::nan("") : 0.0),
               .step = iterates && one_by_one ? Matrix(l, m) : Matrix(),
               .flagged = {}};
  WarmStarts full;
  const PartsResult parts = for_each_part(
      *K, problem.learn, lambda, problem.by_refit ? Want::solve : Want::inverse, &full,
      [&](const DualFit& fit, Index first) {
        const Index count = fit.alpha.cols();
        out.alpha.middleCols(first, count) = fit.alpha;
        out.b.segment(first, count) = fit.b;
        out.fitted.middleCols(first, count) = fit.z;
        if (problem.by_refit) return true;
        out.leverage += leverage(fit, Q_diagonal(fit)) * (double(count) / double(m));
        for (std::size_t r = 0; r < out.z.size(); ++r)
          out.z[r].middleCols(first, count) = held_out_outputs(problem, *K, fit, first, problem.partitions[r]);
        if (out.step.size() > 0 && problem.line_search)  // how far one step would have been off
          out.step.col(first) = out.z[0].col(first) - leave_one_out(fit, Q_diagonal(fit));
        else if (out.step.size() > 0)
          out.step.col(first) = second_step(fit, problem.learn, first);
        if (problem.truth.classes > 0 && one_by_one)
          for (Index c = 0; c < count; ++c) {
            std::vector<bool> positive(static_cast<std::size_t>(l));
            for (Index i = 0; i < l; ++i) positive[std::size_t(i)] = problem.truth.targets(i, first + c) > 0.0;
            out.pair_auc += leave_pair_out_auc(*K, fit, c, positive, problem.truth.weights) / double(m);
          }
        return true;
      });
  out.stop = parts.stop;
  if (!out.usable()) return out;
  out.alpha = expansion(*problem.backend, kernel, problem.X, problem.learn, out.alpha);
  if (!(problem.truth.classes > 0 && one_by_one)) out.pair_auc = std::nan("");
  if (problem.by_refit)
    for (std::size_t r = 0; r < out.z.size(); ++r) {
      Refits refits =
          refit_held_out(*problem.backend, *K, problem.learn, lambda, problem.partitions[r], full, observer);
      out.stop = refits.stop;
      if (!out.usable()) return out;
      out.z[r] = std::move(refits.z);
    }
  for (const Matrix& z : out.z)
    out.criterion +=
        score(problem.criterion, z, problem.truth, false, problem.criterion_options).value / double(out.z.size());
  Doubt doubts;
  if (out.step.size() > 0) {
    doubts = doubt(problem, out.z[0], out.step);
    out.flagged = flag(problem, doubts);
  }
  // Empty: interrupted. A row whose refit has no optimum is NaN.
  const auto refits_of = [&](const Folds& folds) {
    Refits refits = refit_held_out(*problem.backend, *K, problem.learn, lambda, folds, full, observer);
    if (refits.stop == Stop::interrupted) out.stop = refits.stop;
    return std::move(refits.z);
  };
  if (refit.flagged) {
    const auto most = std::min(out.flagged.size(), std::size_t(std::floor(most_refitted * double(l))));
    Folds folds;
    for (std::size_t k = 0; k < most; ++k) folds.push_back({out.flagged[k]});
    const Matrix z = folds.empty() ? Matrix() : refits_of(folds);
    if (!out.usable()) return out;
    for (const auto& fold : folds) {
      if (!z.row(fold[0]).allFinite()) continue;  // one step, and little trust, is all there is
      ++out.refitted;
      out.z[0].row(fold[0]) = z.row(fold[0]);
      out.step.row(fold[0]).setZero();
      doubts.change[fold[0]] = 0.0;
    }
  }
  if (doubts.total > 0.0 && !problem.line_search) out.doubt = doubts.change.sum() / doubts.total;
  if (refit.verify > 0) {
    const Folds folds = some_folds(problem.partitions[0], l, refit.verify, refit.seed);
    const Matrix z = refits_of(folds);
    if (!out.usable()) return out;
    for (const auto& fold : folds)
      for (const Index i : fold)
        if (z.row(i).allFinite()) out.verified.push_back(i);
    out.by_refit.resize(Index(out.verified.size()), m);
    for (Index k = 0; k < out.by_refit.rows(); ++k) out.by_refit.row(k) = z.row(out.verified[std::size_t(k)]);
  }
  return out;
}

}  // namespace lacuna::detail

#include "lacuna/model/detail/final_fit.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/loo/leave_pair_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/loo/second_step.hpp"

namespace lacuna::detail {
namespace {

// A row is doubtful when a second step would change its loss by more than this.
constexpr double doubtful = 0.01;
constexpr double most_refitted = 0.1;  // of all rows

std::vector<Index> flag(const Problem& problem, const Matrix& z, const Matrix& step) {
  std::vector<std::pair<double, Index>> doubts;
  const Supervision& learn = problem.learn;
  for (Index i = 0; i < z.rows(); ++i) {
    if (!(problem.truth.weights[i] > 0.0)) continue;
    double change = 0.0;
    for (Index c = 0; c < z.cols(); ++c) {
      const double here = z(i, c) + learn.offset_of(i), t = learn.t(i, c);
      change += std::abs(cost(learn.loss, here + step(i, c), t).value - cost(learn.loss, here, t).value);
    }
    if (!(change <= doubtful)) doubts.emplace_back(change * problem.truth.weights[i], i);
  }
  std::stable_sort(doubts.begin(), doubts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Index> rows;
  for (const auto& [doubt, i] : doubts) rows.push_back(i);
  return rows;
}

}  // namespace

FinalFit final_fit(const Problem& problem, const Kernel& kernel, double lambda, bool refit_flagged,
                   const Observer& observer) {
  const Index l = problem.X.rows(), m = problem.learn.columns();
  const bool iterates = !std::holds_alternative<Squared>(problem.learn.loss);
  const bool one_by_one = problem.partitions.size() == 1 && problem.partitions[0].empty() && !problem.by_refit;
  const auto K = problem.backend->gram(kernel, problem.X);
  FinalFit out{.alpha = Matrix(l, m),
               .b = Vector(m),
               .fitted = Matrix(l, m),
               .z = std::vector<Matrix>(problem.partitions.size(), Matrix(l, m)),
               .leverage = Vector::Constant(l, problem.by_refit ? std::nan("") : 0.0),
               .step = iterates && one_by_one ? Matrix(l, m) : Matrix(),
               .flagged = {}};
  WarmStarts full;
  const PartsResult parts =
      for_each_part(*K, problem.learn, lambda, problem.by_refit ? Want::solve : Want::inverse, &full,
                    [&](const DualFit& fit, Index first) {
                      const Index count = fit.alpha.cols();
                      out.alpha.middleCols(first, count) = fit.alpha;
                      out.b.segment(first, count) = fit.b;
                      out.fitted.middleCols(first, count) = fit.z;
                      if (problem.by_refit) return true;
                      out.leverage += leverage(fit, Q_diagonal(fit)) * (double(count) / double(m));
                      for (std::size_t r = 0; r < out.z.size(); ++r)
                        out.z[r].middleCols(first, count) = held_out_outputs(*K, fit, problem.partitions[r]);
                      if (out.step.size() > 0) out.step.col(first) = second_step(fit, problem.learn, first);
                      if (problem.truth.classes > 0 && one_by_one)
                        for (Index c = 0; c < count; ++c) {
                          std::vector<bool> positive(static_cast<std::size_t>(l));
                          for (Index i = 0; i < l; ++i)
                            positive[std::size_t(i)] = problem.truth.targets(i, first + c) > 0.0;
                          out.pair_auc += leave_pair_out_auc(*K, fit, c, positive, problem.truth.weights) / double(m);
                        }
                      return true;
                    });
  out.stop = parts.stop;
  if (!out.usable()) return out;
  if (!(problem.truth.classes > 0 && one_by_one)) out.pair_auc = std::nan("");
  if (problem.by_refit)
    for (std::size_t r = 0; r < out.z.size(); ++r) {
      Refits refits =
          refit_held_out(*problem.backend, *K, problem.learn, lambda, problem.partitions[r], full, observer);
      out.stop = refits.stop;
      if (!out.usable()) return out;
      out.z[r] = std::move(refits.z);
    }
  if (out.step.size() == 0) return out;

  out.flagged = flag(problem, out.z[0], out.step);
  if (!refit_flagged) return out;
  const auto most = std::min(out.flagged.size(), std::size_t(std::floor(most_refitted * double(l))));
  Folds folds;
  for (std::size_t k = 0; k < most; ++k) folds.push_back({out.flagged[k]});
  if (folds.empty()) return out;
  const Refits refits = refit_held_out(*problem.backend, *K, problem.learn, lambda, folds, full, observer);
  out.stop = refits.stop;
  if (!out.usable()) return out;
  out.refitted = int(folds.size());
  for (const auto& fold : folds) {
    out.z[0].row(fold[0]) = refits.z.row(fold[0]);
    out.step.row(fold[0]).setZero();
  }
  return out;
}

}  // namespace lacuna::detail

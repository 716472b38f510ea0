#include "lacuna/model/detail/final_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/random.hpp"
#include "lacuna/machine/evidence.hpp"
#include "lacuna/model/held_out_auc.hpp"
#include "lacuna/select/core.hpp"

namespace lacuna::detail {
namespace {

// A row is doubtful when a refit would change its loss by more than this share of the mean loss.
constexpr double doubtful = 0.05;
constexpr double most_refitted = 0.1;  // of all rows

// By how much a refit would change the weighted loss of each row, and the sum of the losses themselves.
struct Doubt {
  Vector change;
  double total = 0.0;
};

// `step` is where a refit ends less z; of followed outputs its size alone is known.
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
      if (std::isnan(step(i, c))) continue;  // it moves too little to be looked at, or there is no refit
      const auto change = [&](double by) { return std::abs(cost(learn.loss, here + by, t).value - loss); };
      out.change[i] += w * std::max(change(step(i, c)), problem.followed ? change(-step(i, c)) : 0.0);
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

// Held-out outputs to be printed: what is left changes a mean loss by less than its fifth digit.
constexpr FollowPlan follow{{.max_steps = 100, .tolerance = 1e-4}};

// Columns of a part, which is often all there is.
void put(Matrix& all, Index first, Index columns, Matrix part) {
  if (part.cols() == columns) {
    all = std::move(part);
    return;
  }
  if (all.size() == 0) all.resize(part.rows(), columns);
  all.middleCols(first, part.cols()) = part;
}

// Two folds of a Gaussian process at a time cost a solve for all rows: beyond this that is as much work as many fits.
constexpr double most_work_for_pairs = 3e10;
bool pairs_are_too_many(const GpCore&, Index rows, const Folds& folds) {
  return double(folds.size()) * std::pow(double(rows), 3) > most_work_for_pairs;
}
template <class Core>
bool pairs_are_too_many(const Core&, Index, const Folds&) {
  return false;
}

// Areas under the curve of pairs left out, for the outputs of a fit whose first is `first`; NaN where that is not
// needed.
template <class Core>
Vector pair_areas(const Problem& problem, const Core& core, typename Core::Fit& fit, Index first, const Folds& folds) {
  const Index l = fit.z.rows(), m = fit.z.cols();
  const bool one_by_one = std::ranges::all_of(folds, [](const auto& fold) { return fold.size() == 1; });
  Vector out = Vector::Constant(m, std::nan(""));
  Matrix side = Matrix::Zero(l, m);  // of pairs of single rows, for all outputs together
  for (Index c = 0; c < m; ++c) {
    const Ranked rows = ranked(problem.truth, problem.learn.zeta, folds, first + c);
    if (!needs_pairs_out(rows, folds)) continue;
    if (one_by_one)
      side.col(c) = rows.side();
    else if (!pairs_are_too_many(core, l, folds))
      out[c] = area_of_pairs_out(rows, problem.learn.zeta, folds,
                                 [&](const Folds& some) -> Vector { return core.one_step(fit, some).col(c); });
  }
  return one_by_one ? core.pair_areas(fit, side) : out;
}

// The machine, and every row's held-out output in closed form where that is asked for.
template <class Core>
FinalFit fit_all(const Problem& problem, const Core& core, const Prior& prior, WarmStarts* full, bool all_rows,
                 bool flags) {
  const Index l = problem.X.rows(), m = problem.learn.columns();
  const bool iterates = problem.iterates();
  const bool one_by_one = problem.partitions.size() == 1 && problem.partitions[0].empty() && !problem.by_refit;
  FinalFit out{.alpha = {},
               .b = Vector(m),
               .expansion = core.expansion(),
               .fitted = {},
               .z = std::vector<Matrix>(problem.partitions.size()),
               .leverage = Vector::Constant(all_rows ? l : 0, problem.by_refit ? std::nan("") : 0.0),
               .step = {},
               .pair_auc = std::vector<Vector>(problem.partitions.size(), Vector::Constant(m, std::nan(""))),
               .flagged = {},
               .latent_mean = std::vector<Matrix>(problem.partitions.size()),
               .latent_variance = std::vector<Matrix>(problem.partitions.size())};
  const bool ranks = problem.truth.classes > 0;
  const auto visit = [&](typename Core::Fit& fit, Index first) {
    const Index count = fit.z.cols();
    put(out.alpha, first, m, core.coefficients(fit));
    if (Matrix w = core.column_weights(fit); w.size() > 0) put(out.column_weights, first, m, std::move(w));
    out.b.segment(first, count) = core.bias(fit);
    if (all_rows) put(out.fitted, first, m, fit.z);
    if constexpr (Core::keeps_precisions) put(out.beta, first, m, fit.beta.replicate(1, count));
    if constexpr (requires { log_evidence(fit); })
      if (problem.by_evidence()) out.criterion -= log_evidence(fit);
    if (ranks)
      for (std::size_t r = 0; r < out.z.size(); ++r)
        out.pair_auc[r].segment(first, count) = pair_areas(problem, core, fit, first, problem.partitions[r]);
    if (problem.by_refit) return true;
    if (all_rows) out.leverage += core.leverage(fit) * (double(count) / double(m));
    for (std::size_t r = 0; r < out.z.size(); ++r) {
      HeldOut held = core.held_out(fit, first, problem.partitions[r], follow);
      if (flags && iterates && one_by_one && !problem.followed) {
        const HeldOut end = core.followed(fit, first, problem.partitions[r], follow);
        held.left = end.left.array().isNaN().select(end.left, end.z - held.z);
      }
      if (r == 0 && held.left.size() > 0) put(out.step, first, m, std::move(held.left));
      put(out.z[r], first, m, std::move(held.z));
      if (held.mean.size() == 0) continue;
      put(out.latent_mean[r], first, m, std::move(held.mean));
      put(out.latent_variance[r], first, m, std::move(held.variance));
    }
    return true;
  };
  const compute::Want want = problem.by_refit && !ranks ? compute::Want::solve : compute::Want::inverse;
  const IrlsOptions iterations = problem.on_basis() ? to_the_last_digit : IrlsOptions{};
  const PartsResult parts = core.for_each_part(prior, want, full, visit, iterations);
  out.stop = parts.stop;
  if (parts.unsettled > 0.0)
    out.warnings.push_back(
        {Warning::Code::posterior_unsettled,
         fmt::format(
             "the approximation of the posterior did not settle at these hyper-parameters: its outputs are good "
             "to {:.1g} of their deviation",
             parts.unsettled)});
  return out;
}

template <class Core>
FinalFit fit_core(Problem& problem, const Core& core, const Prior& prior, const RefitOptions& refit,
                  const RowsWanted& rows, const Observer& observer) {
  const Index l = problem.X.rows();
  WarmStarts full;
  const bool refits_follow = problem.by_refit || refit.flagged || refit.verify > 0;
  const bool flags = refit.flagged || !problem.inference;  // of a Gaussian process when they are asked for
  FinalFit out = fit_all(problem, core, prior, refits_follow ? &full : nullptr, rows.all, flags);
  if (!out.usable()) return out;
  if (rows.truth) problem.truth = rows.truth();
  if (problem.by_refit)
    for (std::size_t r = 0; r < out.z.size(); ++r) {
      Refits refits = core.refit(prior, problem.partitions[r], full, observer);
      out.stop = refits.stop;
      if (!out.usable()) return out;
      out.z[r] = std::move(refits.z);
      out.latent_mean[r] = std::move(refits.mean);
      out.latent_variance[r] = std::move(refits.variance);
    }
  if (!problem.by_evidence())
    for (const Matrix& z : out.z) {
      const CriterionScore s = criterion_score(problem.criterion, z, problem.truth, false, problem.criterion_options);
      out.criterion += s.value / double(out.z.size());
    }
  Doubt doubts;
  if (out.step.size() > 0) {
    doubts = doubt(problem, out.z[0], out.step);
    out.flagged = flag(problem, doubts);
  }
  // Empty: interrupted. A row whose refit has no optimum is NaN.
  const auto refits_of = [&](const Folds& folds) {
    Refits refits = core.refit(prior, folds, full, observer);
    if (refits.stop == Stop::interrupted) out.stop = refits.stop;
    return refits;
  };
  if (refit.flagged) {
    const auto most = std::min(out.flagged.size(), std::size_t(std::floor(most_refitted * double(l))));
    Folds folds;
    for (std::size_t k = 0; k < most; ++k) folds.push_back({out.flagged[k]});
    const Refits again = folds.empty() ? Refits{} : refits_of(folds);
    if (!out.usable()) return out;
    for (const auto& fold : folds) {
      if (!again.z.row(fold[0]).allFinite()) continue;  // one step, and little trust, is all there is
      ++out.refitted;
      out.z[0].row(fold[0]) = again.z.row(fold[0]);
      if (again.mean.size() > 0) {
        out.latent_mean[0].row(fold[0]) = again.mean.row(fold[0]);
        out.latent_variance[0].row(fold[0]) = again.variance.row(fold[0]);
      }
      out.step.row(fold[0]).setZero();
      doubts.change[fold[0]] = 0.0;
    }
  }
  if (doubts.total > 0.0) out.doubt = doubts.change.sum() / doubts.total;
  if (refit.verify > 0) {
    const Folds folds = some_folds(problem.partitions[0], l, refit.verify, refit.seed);
    const Refits again = refits_of(folds);
    if (!out.usable()) return out;
    for (const auto& fold : folds)
      for (const Index i : fold)
        if (again.z.row(i).allFinite()) out.verified.push_back(i);
    const bool latent = again.mean.size() > 0;
    out.by_refit = (latent ? again.mean : again.z)(out.verified, Eigen::all);
    if (latent) out.by_refit_variance = again.variance(out.verified, Eigen::all);
  }
  return out;
}

// Whether one factorisation is all that is asked of the kernel matrix: then it need not be stored beside its factor.
bool looks_once(const Problem& problem, const RefitOptions& refit) {
  return !problem.iterates() && !problem.by_refit && !refit.flagged && refit.verify == 0 &&
         (problem.learn.zeta.array() > 0.0).all();
}

}  // namespace

FinalFit final_fit(Problem& problem, const Kernel& kernel, const Prior& prior, const RefitOptions& refit,
                   const RowsWanted& rows, const Observer& observer) {
  return with_core(problem, kernel, looks_once(problem, refit) ? compute::Use::once : compute::Use::repeatedly,
                   [&](const auto& core) { return fit_core(problem, core, prior, refit, rows, observer); });
}

}  // namespace lacuna::detail

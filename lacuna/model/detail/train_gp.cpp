#include "lacuna/model/detail/train_gp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/loo/gp_pair_out.hpp"
#include "lacuna/model/held_out_auc.hpp"
#include "lacuna/select/select_gp.hpp"

namespace lacuna::detail {
namespace {

// Held-out moments of one partition, from the fits of all outputs or by refitting.
struct HeldOutLatent {
  Matrix mean, variance;
};

Matrix moderated_columns(const Loss& likelihood, const HeldOutLatent& at) {
  Matrix z(at.mean.rows(), at.mean.cols());
  for (Index c = 0; c < z.cols(); ++c) z.col(c) = moderated(likelihood, {at.mean.col(c), at.variance.col(c)});
  return z;
}

void set_column(HeldOutLatent& to, Index c, const LatentMoments& from) {
  to.mean.col(c) = from.mean;
  to.variance.col(c) = from.variance;
}

// The area under the curve of pairs left out; NaN where that is not needed, or where it would be as much work as many
// fits: every two folds cost a solve for all rows.
double pair_area(const Problem& problem, const Gram& K, const GpFit& fit, Index c, const Folds& folds) {
  constexpr double most_work = 3e10;
  const Ranked rows = ranked(problem.truth, problem.learn.zeta, folds, c);
  if (!needs_pairs_out(rows, folds)) return std::nan("");
  if (std::ranges::all_of(folds, [](const auto& fold) { return fold.size() == 1; }))
    return leave_pair_out_auc(K, fit, rows.side());
  if (double(folds.size()) * std::pow(double(K.size()), 3) > most_work) return std::nan("");
  return area_of_pairs_out(rows, problem.learn.zeta, folds,
                           [&](const Folds& some) { return moderated(fit.likelihood, held_out_latent(K, fit, some)); });
}

}  // namespace

void check_gp_options(const Dataset& data, const Machine& machine, const TrainOptions& options) {
  const std::string& name = machine.name;
  if (data.weights.size() > 0 || options.train_weights != Weighting::none)
    fail_usage(
        fmt::format("train: model {} takes no weights of rows: a likelihood to the power of a weight is no "
                    "probability of a label, and the evidence would mean nothing; klr and kpr take them",
                    name));
  const bool evidence = options.criterion.value_or(Criterion::evidence) == Criterion::evidence;
  if (evidence && options.select_weights != Weighting::none)
    fail_usage("train: the evidence takes no selection weights; criteria of held-out rows, such as xent, do");
  if (options.refit_flagged)
    fail_usage(
        fmt::format("train: held-out outputs of {} come from its approximate posterior and none are flagged; "
                    "`cv=explicit:loo` refits every row",
                    name));
  if (options.basis)
    fail_usage(fmt::format("train: model {} has no machine on a basis; leave out `basis`, or take klr or kpr", name));
  if (uses(options.kernel.kernel, Geometry::given))
    fail_usage(
        fmt::format("train: model {} takes no precomputed kernel: its probability for a new row needs k(x, x), "
                    "which the matrix does not hold",
                    name));
}

FinalFit final_fit_gp(const Problem& problem, const Machine& machine, const Selection& chosen,
                      const RefitOptions& refit, const Observer& observer) {
  const GpClassifier classifier{*machine.inference, machine.loss};
  const Index l = problem.X.rows(), m = problem.learn.columns();
  const double lambda = chosen.lambda, mean = chosen.values.back();
  const std::size_t R = problem.partitions.size();
  const auto K = problem.backend->gram(chosen.kernel, problem.X.view());
  const Matrix empty(l, m);
  FinalFit out{.alpha = empty,
               .b = Vector::Constant(m, mean),
               .expansion = copy_rows(problem.X.view()),  // variances need every row
               .fitted = empty,
               .z = {},
               .leverage = Vector::Zero(l),
               .step = {},
               .pair_auc = std::vector<Vector>(R, Vector::Constant(m, std::nan(""))),
               .flagged = {},
               .beta = empty};
  std::vector<HeldOutLatent> held(R, {empty, empty});
  std::vector<GpStart> starts;
  for (Index c = 0; c < m; ++c) {
    if (!go_on(observer, {.stage = "final fit", .done = long(c), .total = long(m)})) {
      out.stop = Stop::interrupted;
      return out;
    }
    const GpFit fit = fit_gp(classifier, *K, problem.learn.t.col(c), mean, lambda);
    if (!fit.usable()) {
      out.stop = fit.stop == Stop::converged ? Stop::not_finite : fit.stop;
      return out;
    }
    if (fit.stop != Stop::converged)
      out.warnings.push_back(
          fmt::format("the approximation of the posterior did not settle at these hyper-parameters: its "
                      "outputs are good to {:.1g} of their deviation",
                      fit.stationarity));
    out.alpha.col(c) = fit.alpha;
    out.fitted.col(c) = fit.z;
    out.beta.col(c) = fit.beta;
    out.leverage += fit.leverage / double(m);
    out.criterion -= fit.log_evidence;
    starts.push_back(start_from(fit));
    for (std::size_t r = 0; r < R; ++r) out.pair_auc[r][c] = pair_area(problem, *K, fit, c, problem.partitions[r]);
    if (problem.by_refit) continue;
    for (std::size_t r = 0; r < R; ++r) set_column(held[r], c, held_out_latent(*K, fit, problem.partitions[r]));
  }
  const auto refits_of = [&](const Folds& folds, HeldOutLatent& to) {
    const GpRefits refits = refit_held_out(classifier, *K, problem.learn.t, mean, lambda, folds, starts, observer);
    if (refits.stop == Stop::interrupted) out.stop = Stop::interrupted;
    if (out.usable())
      for (Index c = 0; c < m; ++c) set_column(to, c, refits.latent[std::size_t(c)]);
    return out.usable();
  };
  for (std::size_t r = 0; r < R; ++r) {
    if (problem.by_refit && !refits_of(problem.partitions[r], held[r])) return out;
    if (!held[r].mean.allFinite() || !held[r].variance.allFinite()) {
      out.stop = Stop::not_finite;
      return out;
    }
    out.z.push_back(moderated_columns(classifier.likelihood, held[r]));
  }
  if (problem.by_refit) out.leverage.setConstant(std::nan(""));
  out.latent_mean = out.latent_variance = Matrix(l * Index(R), m);
  for (std::size_t r = 0; r < R; ++r) {
    out.latent_mean.middleRows(Index(r) * l, l) = held[r].mean;
    out.latent_variance.middleRows(Index(r) * l, l) = held[r].variance;
  }
  if (problem.criterion != Criterion::evidence) {
    out.criterion = 0.0;
    for (const Matrix& z : out.z) {
      const Score s = score(problem.criterion, z, problem.truth, false, problem.criterion_options);
      out.criterion += s.value / double(R);
    }
  }
  if (refit.verify > 0) {
    const Folds folds = some_folds(problem.partitions[0], l, refit.verify, refit.seed);
    HeldOutLatent again{empty, empty};
    if (!refits_of(folds, again)) return out;
    for (const auto& fold : folds)
      for (const Index i : fold)
        if (again.mean.row(i).allFinite()) out.verified.push_back(i);
    out.by_refit = again.mean(out.verified, Eigen::all);
    out.by_refit_variance = again.variance(out.verified, Eigen::all);
  }
  return out;
}

}  // namespace lacuna::detail

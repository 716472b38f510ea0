#include "lacuna/select/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/criterion/cross_entropy.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/loss/detail/summed_loss.hpp"
#include "lacuna/machine/evidence.hpp"
#include "lacuna/machine/regulariser.hpp"
#include "lacuna/select/core.hpp"
#include "lacuna/select/detail/flat_limit.hpp"
#include "lacuna/select/detail/run_selection.hpp"
#include "lacuna/select/detail/warm_fits.hpp"

namespace lacuna {
namespace {

using detail::Parameters;

// On the stationarity of iterated fits. The step after it is taken with the same factor, so that coefficients are good
// to the square of this, and weights to this. A value without gradient only ranks starts, or is compared with its like.
constexpr double tolerance_of_value = 1e-3, tolerance_of_gradient = 1e-6, tolerance_of_sites = 1e-4;
constexpr double rough_tolerance = 1e-3;

// Criteria square and divide what the kernel says: far below the largest number, so that these hold too.
constexpr double largest_kernel_value = 1e100;

// The mean of the diagonal of the dual machine's Gram matrix, over the rows in training.
double mean_diagonal(const Problem& problem, const Kernel& kernel) {
  const RowsView& X = problem.X.view();
  const Vector diagonal = problem.learn.penalty == Penalty::coefficients
                              ? dual_gram(*problem.backend, kernel, X, problem.learn, compute::Use::once)->diagonal()
                              : kernel_diagonal(kernel, X);
  return problem.learn.zeta.dot(diagonal) / problem.learn.zeta.sum();
}

void refuse_overflow(const Problem& problem, const Kernel& kernel) {
  const Vector diagonal = kernel_diagonal(kernel, problem.X.view());
  for (Index i = 0; i < diagonal.size(); ++i)
    if (problem.learn.zeta[i] > 0.0 && !(diagonal[i] < largest_kernel_value))
      fail_data(
          fmt::format("kernel {} has the value {:.2g} for a row and itself, too large to compute with; standardise "
                      "(leave out `no_standardise`), divide the columns by a constant, or take another kernel",
                      kernel_text(kernel), diagonal[i]));
}

// The criterion of one answer for all rows: the bias alone, of each output.
std::optional<double> nothing_known(const Problem& problem) {
  if (problem.inference || problem.by_evidence()) return std::nullopt;  // no bias, or one that is not judged
  const Supervision& learn = problem.learn;
  Matrix z(learn.t.rows(), learn.columns());
  for (Index c = 0; c < z.cols(); ++c) {
    const Vector t = learn.t.col(c);
    z.col(c).setConstant(
        detail::SummedLoss(learn.loss, learn.zeta, t, learn.offset).intercept().value_or(std::nan("")));
  }
  if (!z.allFinite()) return std::nullopt;
  const double value = criterion_score(problem.criterion, z, problem.truth, false, problem.criterion_options).value;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Parameters parameters_of(const Problem& problem, const KernelSpec& spec, std::optional<double> lambda) {
  if (!problem.inference) return {spec, regulariser_name(problem.learn.penalty), lambda};
  return {spec, lambda, problem.mean, std::max(mean_diagonal(problem, kernel_at_start(problem, spec)), 1e-300)};
}

// A regulariser as large as the mean of the kernel matrix's diagonal is where rows begin to matter. For a Gaussian
// process it is a prior of variance 1, where labels cost about what the likelihood alone would say; variances from 1e-4
// to 1e8 are searched.
SearchSpace search_space(const Problem& problem, const Parameters& parameters, const KernelSpec& spec) {
  const std::vector<double> start = detail::kernel_start(spec, problem.X.view(), problem.scale_weights);
  const double mean = mean_diagonal(problem, with_parameters(spec.kernel, start));
  const Vector rows = gathered(problem.learn.zeta, problem.first_of_copies);
  detail::RegulariserBox box{.start = std::max(mean, 1e-300) * weight_of_one_row(rows)};
  if (problem.inference) box = {.start = std::max(mean, 1e-300), .down = 1e-8, .up = 1e4};
  const kernels::DataScale scale = data_scale(problem.X.view(), problem.scale_weights, column_weights(spec.kernel));
  return parameters.space(start, box, rows_counted(rows), scale.neighbours / scale.theta);
}

void warn(const Problem& problem, const Parameters& parameters, const SearchSpace& space, Selection& out) {
  const detail::Plainer plainer = detail::acts_as(problem, out);
  const char* at_the_lower_end = ", where rounding begins to matter: the criterion keeps falling towards interpolation";
  if (problem.on_basis())
    at_the_lower_end = ": a machine of so few basis rows hardly needs a regulariser; more of them may serve better";
  if (!plainer.name.empty()) at_the_lower_end = ", where rounding begins to matter";
  if (problem.inference)
    at_the_lower_end = problem.by_evidence() ? ": the evidence does not limit the variance of the prior"
                                             : ": the criterion does not limit the variance of the prior";
  out.warnings = parameters.warnings(space, out.search, at_the_lower_end, problem.regulariser_unit);
  if (!plainer.name.empty())
    out.warnings.push_back(
        {Warning::Code::plainer_kernel,
         fmt::format(
             "the rbf kernel is so wide that it acts as a {}: `kernel={}` does as well ({} {:.4g} against {:.4g})",
             plainer.name == "linear" ? "linear one" : "polynomial", plainer.name, name_of(problem.criterion),
             plainer.criterion, out.criterion)});
}

// A search, which has a warm start from point to point, does not wait where Newton's method needs a hundred steps and
// more. Rounds of expectation propagation do not square what is left, and held-out outputs feel it where the evidence
// does not.
IrlsOptions iteration(const Problem& problem, bool want_gradient, const WarmStarts* warm) {
  IrlsOptions out;
  double tolerance = !want_gradient ? tolerance_of_value : problem.rough ? rough_tolerance : tolerance_of_gradient;
  if (problem.inference == Inference::ep && !problem.by_evidence()) tolerance = tolerance_of_sites;
  if (warm != nullptr) out.max_iterations = 60;
  out.tolerance = problem.tolerance.value_or(tolerance);
  return out;
}

// Refits that iterate begin at the fit of all rows, and that where the search was before.
CriterionAt criterion_by_refit(const Problem& problem, const Kernel& kernel, const Prior& prior,
                               const Observer& observer, WarmStarts* warm) {
  const IrlsOptions options = iteration(problem, false, warm);
  return with_core(problem, kernel, compute::Use::repeatedly, [&](const auto& core) {
    CriterionAt out;
    double value = 0.0;
    WarmStarts full = warm != nullptr ? *warm : WarmStarts();
    if (problem.iterates()) {
      const PartsResult parts = core.for_each_part(
          prior, compute::Want::solve, &full, [](const auto&, Index) { return true; }, options);
      out.factorisations += parts.factorisations;
      if (!parts.usable()) full.clear();
      if (warm != nullptr) *warm = full;
    }
    for (const Folds& folds : problem.partitions) {
      const Refits refits = core.refit(prior, folds, full, observer, options);
      out.factorisations += refits.factorisations;
      if (refits.z.size() == 0 || !refits.z.allFinite()) return out;
      value += criterion_score(problem.criterion, refits.z, problem.truth, false, problem.criterion_options).value;
    }
    out.value = value / double(problem.partitions.size());
    return out;
  });
}

// A criterion needs outputs to about a thousandth: what is left beyond that does not show in a mean over many rows.
// Where they are few each counts for more, and there is nothing to save. Rows that are still on their way after some
// steps are near next to no regulariser, where no optimum is.
FollowPlan follow_in_search(const Problem& problem, bool want_gradient) {
  constexpr Index few_rows = 256;
  FollowPlan plan{{.max_steps = 12, .tolerance = 1e-3, .keep = want_gradient}, 5e-3, false};
  if (problem.rough)
    plan.tolerance = 1e-2, plan.near_enough = 5e-2;
  else if (problem.X.rows() < few_rows)
    plan.max_steps = 40, plan.tolerance = 1e-5, plan.near_enough = 1e-4;
  if (problem.tolerance) plan.max_steps = 100, plan.tolerance = *problem.tolerance, plan.near_enough = 0.0;
  if (problem.refit_unfinished) plan = {{.max_steps = 100, .tolerance = 1e-3, .keep = false}, 0.0, true};
  return plan;
}

template <class Core>
CriterionAt criterion_of_core(const Problem& problem, const Core& core, const Prior& prior, bool want_gradient,
                              WarmStarts* warm) {
  CriterionAt out;
  const Index l = problem.X.rows(), m = problem.learn.columns();
  const std::size_t R = problem.by_evidence() ? 0 : problem.partitions.size();
  double value = 0.0;
  const auto add = [&](const compute::CriterionGradient& g, double share) {
    if (out.d_log_kernel.size() == 0) out.d_log_kernel = Vector::Zero(g.d_log_kernel.size());
    out.d_log_kernel += share * g.d_log_kernel;
    out.d_log_lambda += share * g.d_log_lambda;
    out.d_mean += share * g.d_mean;
  };
  std::vector<Matrix> z(R, Matrix(l, m));
  const FollowPlan plan = follow_in_search(problem, want_gradient);
  // Most criteria with a derivative are means over output columns: each part's share is known as soon as it is fitted.
  // One that judges all outputs of a row together has to see them first, and the parts once more.
  const bool together = problem.criterion == Criterion::xent && problem.iterates() &&
                        CrossEntropy::is_joint(problem.truth, m, problem.criterion_options);
  std::vector<Matrix> slopes;
  const auto visit = [&](typename Core::Fit& fit, Index first) {
    const Index count = fit.z.cols();
    if constexpr (requires { log_evidence(fit); }) {
      if (problem.by_evidence()) value -= log_evidence(fit);
      if (problem.by_evidence() && !std::isfinite(value)) return false;
      if (problem.by_evidence() && want_gradient) add(evidence_gradient(fit), -1.0);
    }
    for (std::size_t r = 0; r < R; ++r) {
      auto columns = z[r].middleCols(first, count);
      const HeldOut held = core.held_out(fit, first, problem.partitions[r], plan);
      if (!slopes.empty()) {
        add(core.gradient(fit, problem.partitions[r], held, slopes[r].middleCols(first, count)), 1.0 / double(R));
        continue;
      }
      columns = held.z;
      if (!columns.allFinite()) return false;
      if (!want_gradient || together) continue;
      const double share = double(count) / double(m) / double(R);
      const CriterionScore s = criterion_score(problem.criterion, columns, problem.truth.columns(first, count), true,
                                               problem.criterion_options);
      add(core.gradient(fit, problem.partitions[r], held, s.d_output), share);
    }
    return true;
  };
  WarmStarts own;
  WarmStarts* const begin = warm == nullptr && together ? &own : warm;
  const auto fit_all = [&] {
    const PartsResult parts =
        core.for_each_part(prior, compute::Want::inverse, begin, visit, iteration(problem, want_gradient, warm));
    out.factorisations += parts.factorisations;
    return parts.usable();
  };
  if (!fit_all()) return out;
  for (const Matrix& one : z) {
    CriterionScore s =
        criterion_score(problem.criterion, one, problem.truth, together && want_gradient, problem.criterion_options);
    value += s.value;
    if (together && want_gradient) slopes.push_back(std::move(s.d_output));
  }
  if (!slopes.empty() && !fit_all()) return out;
  out.value = value / double(std::max<std::size_t>(R, 1));
  return out;
}

// Expectation propagation: how its sites move with the hyper-parameters is a system of its own, of twice the rows, and
// only the evidence does not feel it.
bool has_gradient(const Problem& problem, const KernelSpec& spec) {
  if (!is_differentiable(problem.criterion) || !is_differentiable(spec)) return false;
  if (problem.by_evidence()) return true;
  return !problem.by_refit && !problem.refit_unfinished && problem.inference != Inference::ep;
}

bool has_evidence(const Problem& problem) {
  return problem.inference || (is_quadratic(problem.learn.loss) && problem.learn.penalty == Penalty::norm &&
                               !problem.on_basis() && (problem.learn.zeta.array() == 1.0).all());
}

}  // namespace

bool solved_in_columns(const Kernel& kernel, Penalty penalty, Index rows, Index columns) {
  return std::holds_alternative<kernels::Linear>(kernel.form) && penalty == Penalty::norm && 2 * columns <= rows;
}

bool Problem::in_columns(const Kernel& kernel) const {
  return !insists_on_dual && !on_basis() && !inference && !by_evidence() && X.in_memory() &&
         solved_in_columns(kernel, learn.penalty, X.rows(), X.view().cols());
}

Kernel kernel_at_start(const Problem& problem, const KernelSpec& spec) {
  return with_parameters(spec.kernel, detail::kernel_start(spec, problem.X.view(), problem.scale_weights));
}

CriterionAt criterion_at(const Problem& problem, const Kernel& kernel, const Prior& prior, bool want_gradient,
                         const Observer& observer, WarmStarts* warm) {
  if (problem.by_evidence() && !has_evidence(problem))
    throw Error(Error::Kind::internal, "select: the evidence is of Gaussian processes and of dense least squares");
  if (problem.by_refit && !problem.by_evidence()) return criterion_by_refit(problem, kernel, prior, observer, warm);
  return with_core(problem, kernel, problem.iterates() ? compute::Use::repeatedly : compute::Use::once,
                   [&](const auto& core) { return criterion_of_core(problem, core, prior, want_gradient, warm); });
}

Selection select(const Problem& problem, const KernelSpec& spec, std::optional<double> lambda,
                 const SearchPlan& options, const Observer& observer) {
  if (problem.inference) check_classifier(GpClassifier{*problem.inference, problem.learn.loss});
  refuse_overflow(problem, kernel_at_start(problem, spec));
  const Parameters parameters = parameters_of(problem, spec, lambda);
  const auto workspace = problem.backend->workspace();
  SearchSpace space;
  if (!parameters.free().empty()) {
    space = search_space(problem, parameters, spec);
    space.nothing = nothing_known(problem);
  }
  int factorisations = 0;
  detail::Memory<WarmStarts> memory(problem.X.rows() * problem.learn.columns());
  const auto at_point = [&](const Vector& x, const std::vector<double>& values, bool want_gradient) {
    WarmStarts warm = memory.nearest(x);
    WarmStarts* const begin = parameters.free().empty() ? nullptr : &warm;  // nothing to search: as long as it takes
    const Prior prior{values[0], parameters.mean(values)};
    const CriterionAt at = criterion_at(problem, parameters.kernel(values), prior, want_gradient, observer, begin);
    factorisations += at.factorisations;
    Evaluation e{at.value, {}};
    if (!std::isfinite(at.value)) return e;
    memory.keep(x, std::move(warm));
    if (want_gradient) e.gradient = parameters.gradient(at, values);
    return e;
  };
  Selection out = detail::run_selection(parameters, space, at_point, has_gradient(problem, spec), options, observer);
  out.factorisations = factorisations;
  if (out.search.usable()) warn(problem, parameters, space, out);
  return out;
}

}  // namespace lacuna

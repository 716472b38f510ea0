#include "lacuna/select/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/loo/gradient.hpp"
#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/line_search_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/machine/penalty.hpp"
#include "lacuna/select/detail/memory.hpp"
#include "lacuna/select/penalty.hpp"

namespace lacuna {
namespace {

// On the stationarity of iterated fits. The step after it is taken with the same factor, so that coefficients are good to the
// square of this, and weights to this. A value without gradient only ranks starts, or is compared with its like.
constexpr double tolerance_of_value = 1e-3, tolerance_of_gradient = 1e-6;

// The regulariser first, then the kernel's parameters: which are free, and how a point of the search maps to all of them.
class Parameters {
 public:
  Parameters(const KernelSpec& spec, const char* regulariser, std::optional<double> lambda) : kernel_(spec.kernel) {
    names_.push_back(regulariser);
    given_.push_back(lambda);
    for (const std::string& n : parameter_names(spec.kernel)) names_.push_back(n);
    given_.insert(given_.end(), spec.given.begin(), spec.given.end());
    for (std::size_t p = 0; p < given_.size(); ++p)
      if (!given_[p]) free_.push_back(p);
  }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::size_t>& free() const { return free_; }
  /// All values, the regulariser first, at a point of the search.
  std::vector<double> values(const Vector& log_free) const {
    std::vector<double> all(given_.size());
    for (std::size_t p = 0; p < all.size(); ++p) all[p] = given_[p].value_or(0.0);
    for (std::size_t k = 0; k < free_.size(); ++k) all[free_[k]] = std::exp(log_free[Index(k)]);
    return all;
  }
  Kernel kernel(const std::vector<double>& values) const {
    return with_parameters(kernel_, std::span<const double>(values).subspan(1));
  }
  std::vector<std::string> free_names() const {
    std::vector<std::string> out;
    for (const std::size_t p : free_) out.push_back(names_[p]);
    return out;
  }

 private:
  Kernel kernel_;
  std::vector<std::string> names_;
  std::vector<std::optional<double>> given_;
  std::vector<std::size_t> free_;
};

// An inverse squared width: the last part of its name says so.
bool is_scale(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return name.compare(dot == std::string::npos ? 0 : dot + 1, 5, "theta") == 0;
}

// Of the dual machine's Gram matrix.
double gram_trace(const Problem& problem, const Kernel& kernel) {
  const RowsView& X = problem.X;
  if (problem.learn.penalty == Penalty::coefficients)
    return dual_gram(*problem.backend, kernel, X, problem.learn, Use::once)->diagonal().sum();
  std::vector<double> x(std::size_t(X.cols()));
  double trace = 0.0;
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(X, i, x.data());
    trace += pair_value(kernel, x, x, i);
  }
  return trace;
}

// The box: four to six decades about the scale of the data for the kernel, ten or more for lambda, whose floor is tied
// to rounding: below eps trace(K) 10^3 the criterion is noise (method 11).
SearchSpace search_space(const Problem& problem, const Parameters& parameters, const KernelSpec& spec) {
  const DataScale scale = data_scale(problem.X, problem.scale_weights);
  std::vector<double> start = start_values(spec.kernel, scale);
  for (std::size_t p = 0; p < start.size(); ++p)
    if (spec.given[p]) start[p] = *spec.given[p];
  const Kernel at_start = with_parameters(spec.kernel, start);
  const double trace = gram_trace(problem, at_start);
  const double beta = problem.learn.zeta.sum() / double((problem.learn.zeta.array() > 0.0).count());
  const double lambda = std::max(trace, 1e-300) / double(problem.X.rows()) * beta;
  start.insert(start.begin(), lambda);

  SearchSpace space;
  const auto n = Index(parameters.free().size());
  space.start.resize(n);
  space.box.lower.resize(n);
  space.box.upper.resize(n);
  for (Index k = 0; k < n; ++k) {
    const std::size_t p = parameters.free()[std::size_t(k)];
    space.start[k] = std::log(start[p]);
    if (p == 0) {
      const double rounding = 1e3 * std::numeric_limits<double>::epsilon() * double(problem.X.rows());
      space.regulariser = k;
      space.box.lower[k] = std::log(lambda * std::max(1e-10, rounding));
      space.box.upper[k] = std::log(lambda * 1e6);
    } else {
      space.box.lower[k] = space.start[k] + std::log(1e-6);
      space.box.upper[k] = space.start[k] + std::log(1e4);
      if (is_scale(parameters.names()[p])) space.scales.push_back(k);
    }
  }
  return space;
}

void warn(const Problem& problem, const Parameters& parameters, const SearchSpace& space, Selection& out) {
  const Vector& best = out.search.best.log_parameters;
  if (out.search.stop == Stop::max_evaluations)
    out.warnings.push_back(
        fmt::format("the search stopped after {} evaluations before it converged; raise --max-evaluations",
                    out.search.evaluations));
  if (out.search.stop == Stop::time_limit)
    out.warnings.push_back("the search stopped at the time limit before it converged; the best point so far is used");
  std::vector<std::string> irrelevant;
  for (Index k = 0; k < best.size(); ++k) {
    const std::string& n = parameters.names()[parameters.free()[std::size_t(k)]];
    const bool low = best[k] <= space.box.lower[k] + 1e-3, high = best[k] >= space.box.upper[k] - 1e-3;
    if (low && space.regulariser == k)
      out.warnings.push_back(
          fmt::format("{} = {:.3g} is on its lower bound, where rounding begins to matter: the "
                      "criterion keeps falling towards interpolation",
                      n, std::exp(best[k])));
    else if (low && std::holds_alternative<Ard>(out.kernel.form))
      irrelevant.push_back(n);
    else if (low || high)
      out.warnings.push_back(fmt::format("{} = {:.3g} is on the {} bound of the search; the optimum may lie beyond it",
                                         n, std::exp(best[k]), low ? "lower" : "upper"));
  }
  if (!irrelevant.empty())
    out.warnings.push_back(fmt::format("{} at the lower bound: {} not matter to the criterion and could be left out",
                                       join(irrelevant),
                                       irrelevant.size() == 1 ? "this feature does" : "these features do"));
  // The Gaussian kernel turns into the linear one with ridge lambda/(2 theta) as theta goes to 0 (method 11); under a
  // penalty on the coefficients it does not, since squared norms are of the same order there.
  if (problem.learn.penalty == Penalty::coefficients) return;
  const auto* k = std::get_if<Rbf>(&out.kernel.form);
  if (k == nullptr || problem.by_refit || k->theta > 1e-2 * data_scale(problem.X, problem.scale_weights).theta) return;
  const double linear = criterion_at(problem, Linear{}, out.lambda / (2.0 * k->theta), false).value;
  if (linear <= 1.005 * out.criterion)
    out.warnings.push_back(
        fmt::format("the rbf kernel is so wide that it acts as a linear one: --kernel linear does as "
                    "well ({} {:.4g} against {:.4g})",
                    name(problem.criterion), linear, out.criterion));
}

CriterionAt criterion_by_refit(const Problem& problem, const Kernel& kernel, double lambda, const Observer& observer) {
  CriterionAt out;
  const auto K = dual_gram(*problem.backend, kernel, problem.X, problem.learn);
  double value = 0.0;
  for (const Folds& folds : problem.partitions) {
    const Refits refits = refit_held_out(*problem.backend, *K, problem.learn, lambda, folds, {}, observer);
    out.factorisations += refits.factorisations;
    if (refits.z.size() == 0 || !refits.z.allFinite()) return out;
    value += score(problem.criterion, refits.z, problem.truth, false, problem.criterion_options).value;
  }
  out.value = value / double(problem.partitions.size());
  return out;
}

CriterionAt criterion_in_closed_form(const Problem& problem, const Kernel& kernel, double lambda, bool want_gradient,
                                     WarmStarts* warm) {
  CriterionAt out;
  const Index l = problem.X.rows(), m = problem.learn.columns();
  const std::size_t R = problem.partitions.size();
  const bool iterates = !std::holds_alternative<Squared>(problem.learn.loss);
  const auto K = dual_gram(*problem.backend, kernel, problem.X, problem.learn, iterates ? Use::repeatedly : Use::once);
  std::vector<Matrix> z(R, Matrix(l, m));
  // A criterion with a derivative is a mean over output columns: each part's share is known as soon as it is fitted.
  const auto visit = [&](const DualFit& fit, Index first) {
    const Index count = fit.alpha.cols();
    for (std::size_t r = 0; r < R; ++r) {
      auto columns = z[r].middleCols(first, count);
      columns = held_out_outputs(problem, *K, fit, first, problem.partitions[r]);
      if (!columns.allFinite()) return false;
      if (!want_gradient) continue;
      const double share = double(count) / double(m) / double(R);
      const Score s =
          score(problem.criterion, columns, problem.truth.columns(first, count), true, problem.criterion_options);
      const CriterionGradient g = criterion_gradient(*K, fit, problem.partitions[r], s.d_output);
      if (out.d_log_kernel.size() == 0) out.d_log_kernel = Vector::Zero(g.d_log_kernel.size());
      out.d_log_kernel += share * g.d_log_kernel;
      out.d_log_lambda += share * g.d_log_lambda;
    }
    return true;
  };
  const PartsResult parts = for_each_part(
      *K, problem.learn, lambda, Want::inverse, warm, visit,
      {.tolerance = problem.tolerance.value_or(want_gradient ? tolerance_of_gradient : tolerance_of_value)});
  out.factorisations = parts.factorisations;
  if (!parts.usable()) return out;
  double value = 0.0;
  for (const Matrix& one : z)
    value += score(problem.criterion, one, problem.truth, false, problem.criterion_options).value;
  out.value = value / double(R);
  return out;
}

}  // namespace

Matrix held_out_outputs(const Gram& K, const DualFit& fit, const Folds& folds) {
  return folds.empty() ? leave_one_out(fit, Q_diagonal(fit)) : leave_fold_out(K, fit, folds);
}

Matrix held_out_outputs(const Problem& problem, const Gram& K, const DualFit& fit, Index first, const Folds& folds) {
  Matrix z = held_out_outputs(K, fit, folds);
  if (problem.line_search && folds.empty()) z.col(0) = leave_one_out_along_line(fit, problem.learn, first);
  return z;
}

CriterionAt criterion_at(const Problem& problem, const Kernel& kernel, double lambda, bool want_gradient,
                         const Observer& observer, WarmStarts* warm) {
  return problem.by_refit ? criterion_by_refit(problem, kernel, lambda, observer)
                          : criterion_in_closed_form(problem, kernel, lambda, want_gradient, warm);
}

Selection select(const Problem& problem, const KernelSpec& spec, std::optional<double> lambda,
                 const SelectOptions& options, const Observer& observer) {
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  const Parameters parameters(spec, regulariser_name(problem.learn.penalty), lambda);
  const auto workspace = problem.backend->workspace();
  Selection out;
  out.names = parameters.names();
  const auto settle = [&](const Vector& log_free) {
    const std::vector<double> values = parameters.values(log_free);
    out.lambda = values[0];
    out.kernel = parameters.kernel(values);
  };

  if (parameters.free().empty()) {
    settle({});
    const CriterionAt at = criterion_at(problem, out.kernel, out.lambda, false, observer);
    out.criterion = at.value;
    out.factorisations = at.factorisations;
    out.seconds = seconds();
    return out;
  }
  if (options.method == SearchMethod::none)
    fail_usage(fmt::format("search: none requires every parameter; not given: {}", join(parameters.free_names())));

  const bool has_gradient = is_differentiable(problem.criterion) && !problem.by_refit && !problem.line_search;
  const SearchSpace space = search_space(problem, parameters, spec);
  detail::Memory<WarmStarts> memory;
  Objective objective = [&](const Vector& log_free, bool want_gradient) {
    const std::vector<double> values = parameters.values(log_free);
    WarmStarts warm = memory.nearest(log_free);
    const CriterionAt at = criterion_at(problem, parameters.kernel(values), values[0], want_gradient, observer, &warm);
    if (std::isfinite(at.value)) memory.keep(log_free, std::move(warm));
    out.factorisations += at.factorisations;
    Evaluation e{at.value, {}};
    if (want_gradient && std::isfinite(at.value)) {
      e.gradient.resize(log_free.size());
      for (Index k = 0; k < e.gradient.size(); ++k) {
        const std::size_t p = parameters.free()[std::size_t(k)];
        e.gradient[k] = p == 0 ? at.d_log_lambda : at.d_log_kernel[Index(p) - 1];
      }
    }
    return e;
  };
  SearchOptions search_options = options.search;
  search_options.max_evaluations = options.max_evaluations.value_or(
      (has_gradient ? 1 : 2) * default_max_evaluations(Index(parameters.free().size())));
  Objective penalised = objective;
  if (options.penalty > 0.0) {
    // lambda carries no penalty: its centre moves with it.
    penalised = [&, inner = objective](const Vector& x, bool want_gradient) {
      Vector centre = space.start;
      if (space.regulariser) centre[*space.regulariser] = x[*space.regulariser];
      return with_penalty(inner, centre, options.penalty)(x, want_gradient);
    };
  }
  out.method = resolve(options.method, has_gradient);
  out.search = search(options.method, penalised, space, has_gradient, search_options, observer);
  out.seconds = seconds();
  for (const Optimum& o : out.search.optima) out.optima.push_back(parameters.values(o.log_parameters));
  if (!out.search.usable()) return out;
  settle(out.search.best.log_parameters);
  out.criterion = out.search.best.value;
  if (options.penalty > 0.0) out.criterion = criterion_at(problem, out.kernel, out.lambda, false).value;
  warn(problem, parameters, space, out);
  return out;
}

}  // namespace lacuna

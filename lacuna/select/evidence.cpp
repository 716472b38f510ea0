#include "lacuna/select/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/select/detail/memory.hpp"

namespace lacuna {
namespace {

// On the stationarity of fits. The evidence of EP feels errors of the sites squared, that of Laplace errors of the weights.
constexpr double tolerance_of_value = 1e-3, tolerance_of_gradient = 1e-6;
constexpr double widest_mean = 10.0;  // in units of the prior's standard deviation

// lambda, the kernel's parameters, u: which are free, and how a point of the search maps to all of them.
class Parameters {
 public:
  Parameters(const EvidenceProblem& problem, const KernelSpec& spec, std::optional<double> lambda,
             std::optional<double> mean)
      : kernel_(spec.kernel), given_mean_(mean), names_{"lambda"}, given_{lambda} {
    for (const std::string& n : parameter_names(spec.kernel)) names_.push_back(n);
    given_.insert(given_.end(), spec.given.begin(), spec.given.end());
    names_.emplace_back("mean");
    given_.push_back(mean);
    for (std::size_t p = 0; p < given_.size(); ++p)
      if (!given_[p]) free_.push_back(p);

    start_ = start_values(spec.kernel, data_scale(problem.X, {}));
    for (std::size_t p = 0; p < start_.size(); ++p)
      if (spec.given[p]) start_[p] = *spec.given[p];
    const Kernel at_start = with_parameters(spec.kernel, start_);
    std::vector<double> x(std::size_t(problem.X.cols()));
    double trace = 0.0;
    for (Index i = 0; i < problem.X.rows(); ++i) {
      dense_row(problem.X, i, x.data());
      trace += pair_value(at_start, x, x, i);
    }
    self_ = std::max(trace, 1e-300) / double(problem.X.rows());
  }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::size_t>& free() const { return free_; }
  bool is_mean(std::size_t p) const { return p + 1 == names_.size(); }
  /// All values, "lambda" first and "mean" last, at a point of the search.
  std::vector<double> values(const Vector& x) const {
    std::vector<double> all(given_.size());
    for (std::size_t p = 0; p < all.size(); ++p) all[p] = given_[p].value_or(0.0);
    for (std::size_t k = 0; k < free_.size(); ++k)
      all[free_[k]] = is_mean(free_[k]) ? x[Index(k)] : std::exp(x[Index(k)]);
    if (!given_mean_) all.back() *= std::sqrt(self_ / all[0]);
    return all;
  }
  Kernel kernel(const std::vector<double>& values) const {
    return with_parameters(kernel_, std::span(values).subspan(1, values.size() - 2));
  }
  /// The gradient in the coordinates of the search.
  Vector gradient(const EvidenceGradient& g, const std::vector<double>& values) const {
    Vector out(Index(free_.size()));
    for (Index k = 0; k < out.size(); ++k) {
      const std::size_t p = free_[std::size_t(k)];
      if (p == 0)
        out[k] = g.d_log_lambda - (given_mean_ ? 0.0 : 0.5 * values.back() * g.d_mean);  // m ~ lambda^-1/2
      else
        out[k] = is_mean(p) ? g.d_mean * std::sqrt(self_ / values[0]) : g.d_log_kernel[Index(p) - 1];
    }
    return out;
  }
  // sigma_f^2 k(x, x) from 1e-4 to 1e8, no further than rounding allows; four to six decades about the scale of the data
  // for the kernel. The start is a prior variance of 1: labels then cost about what the likelihood alone would say.
  SearchSpace space(Index rows) const {
    SearchSpace out;
    const auto n = Index(free_.size());
    out.start.resize(n);
    out.box.lower.resize(n);
    out.box.upper.resize(n);
    for (Index k = 0; k < n; ++k) {
      const std::size_t p = free_[std::size_t(k)];
      if (p == 0) {
        const double rounding = 1e3 * std::numeric_limits<double>::epsilon() * double(rows);
        out.regulariser = k;
        out.start[k] = std::log(self_);
        out.box.lower[k] = out.start[k] + std::log(std::max(1e-8, rounding));
        out.box.upper[k] = out.start[k] + std::log(1e4);
      } else if (is_mean(p)) {
        out.start[k] = 0.0;
        out.box.lower[k] = -widest_mean;
        out.box.upper[k] = widest_mean;
      } else {
        out.start[k] = std::log(start_[p - 1]);
        out.box.lower[k] = out.start[k] + std::log(1e-6);
        out.box.upper[k] = out.start[k] + std::log(1e4);
        const std::size_t dot = names_[p].rfind('.');
        if (names_[p].compare(dot == std::string::npos ? 0 : dot + 1, 5, "theta") == 0) out.scales.push_back(k);
      }
    }
    return out;
  }

 private:
  Kernel kernel_;
  std::optional<double> given_mean_;
  std::vector<std::string> names_;
  std::vector<std::optional<double>> given_;
  std::vector<std::size_t> free_;
  std::vector<double> start_;  // of the kernel's parameters
  double self_ = 1.0;          // mean of k(x, x) there
};

void warn(const Parameters& parameters, const SearchSpace& space, EvidenceSelection& out) {
  if (out.search.stop == Stop::max_evaluations)
    out.warnings.push_back(
        fmt::format("the search stopped after {} evaluations before it converged", out.search.evaluations));
  if (out.search.stop == Stop::time_limit)
    out.warnings.push_back("the search stopped at the time limit before it converged; the best point so far is used");
  const Vector& best = out.search.best.log_parameters;
  const std::vector<double> values = parameters.values(best);
  for (Index k = 0; k < best.size(); ++k) {
    const std::size_t p = parameters.free()[std::size_t(k)];
    const bool low = best[k] <= space.box.lower[k] + 1e-3, high = best[k] >= space.box.upper[k] - 1e-3;
    if (low && p == 0)
      out.warnings.push_back(fmt::format(
          "lambda = {:.3g} is on its lower bound: the evidence does not limit the variance of the prior", values[p]));
    else if (low || high)
      out.warnings.push_back(fmt::format("{} = {:.3g} is on the {} bound of the search; the optimum may lie beyond it",
                                         parameters.names()[p], values[p], low ? "lower" : "upper"));
  }
}

}  // namespace

EvidenceAt evidence_at(const EvidenceProblem& problem, const Kernel& kernel, double lambda, double mean,
                       bool want_gradient, std::vector<GpStart>* starts) {
  EvidenceAt out;
  const auto K = problem.backend->gram(kernel, problem.X);
  const auto columns = std::size_t(problem.t.cols());
  if (starts != nullptr) starts->resize(columns);
  double sum = 0.0;
  for (std::size_t c = 0; c < columns; ++c) {
    const GpFit fit = fit_gp(problem.classifier, *K, problem.t.col(Index(c)), mean, lambda,
                             want_gradient ? tolerance_of_gradient : tolerance_of_value,
                             starts != nullptr ? (*starts)[c] : GpStart{});
    out.factorisations += fit.factorisations;
    if (!fit.usable()) return out;
    sum -= fit.log_evidence;
    if (starts != nullptr) (*starts)[c] = start_from(fit);
    if (!want_gradient) continue;
    const EvidenceGradient g = evidence_gradient(fit);
    if (out.gradient.d_log_kernel.size() == 0) out.gradient.d_log_kernel = Vector::Zero(g.d_log_kernel.size());
    out.gradient.d_log_kernel -= g.d_log_kernel;
    out.gradient.d_log_lambda -= g.d_log_lambda;
    out.gradient.d_mean -= g.d_mean;
  }
  out.minus_log_evidence = sum;
  return out;
}

EvidenceSelection select_by_evidence(const EvidenceProblem& problem, const KernelSpec& spec,
                                     std::optional<double> lambda, std::optional<double> mean,
                                     const EvidenceOptions& options, const Observer& observer) {
  const auto began = std::chrono::steady_clock::now();
  check(problem.classifier);
  const auto workspace = problem.backend->workspace();
  const Parameters parameters(problem, spec, lambda, mean);
  EvidenceSelection out;
  out.names = parameters.names();
  const auto settle = [&](const std::vector<double>& values, double minus_log_evidence) {
    out.lambda = values.front();
    out.mean = values.back();
    out.kernel = parameters.kernel(values);
    out.log_evidence = -minus_log_evidence;
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  if (parameters.free().empty()) {
    const std::vector<double> values = parameters.values({});
    const EvidenceAt at = evidence_at(problem, parameters.kernel(values), values.front(), values.back(), false);
    out.factorisations = at.factorisations;
    settle(values, at.minus_log_evidence);
    return out;
  }
  if (options.method == SearchMethod::none) {
    std::vector<std::string> open;
    for (const std::size_t p : parameters.free()) open.push_back(parameters.names()[p]);
    fail_usage(fmt::format("search: none requires every parameter; not given: {}", join(open)));
  }

  detail::Memory<std::vector<GpStart>> memory;
  const Objective objective = [&](const Vector& x, bool want_gradient) {
    const std::vector<double> values = parameters.values(x);
    std::vector<GpStart> starts = memory.nearest(x);
    const EvidenceAt at =
        evidence_at(problem, parameters.kernel(values), values.front(), values.back(), want_gradient, &starts);
    out.factorisations += at.factorisations;
    Evaluation e{at.minus_log_evidence, {}};
    if (!std::isfinite(e.value)) return e;
    memory.keep(x, std::move(starts));
    if (want_gradient) e.gradient = parameters.gradient(at.gradient, values);
    return e;
  };
  SearchOptions search_options = options.search;
  search_options.max_evaluations =
      options.max_evaluations.value_or(default_max_evaluations(Index(parameters.free().size())));
  const SearchSpace space = parameters.space(problem.X.rows());
  out.method = resolve(options.method, true);
  out.search = search(options.method, objective, space, true, search_options, observer);
  for (const Optimum& o : out.search.optima) out.optima.push_back(parameters.values(o.log_parameters));
  if (!out.search.usable()) return out;
  settle(parameters.values(out.search.best.log_parameters), out.search.best.value);
  warn(parameters, space, out);
  return out;
}

}  // namespace lacuna

#include "lacuna/select/evidence.hpp"

#include <cmath>

#include "lacuna/select/detail/choose.hpp"
#include "lacuna/select/detail/memory.hpp"

namespace lacuna {
namespace {

// On the stationarity of fits. The evidence of EP feels errors of the sites squared, that of Laplace errors of the
// weights.
constexpr double tolerance_of_value = 1e-3, tolerance_of_gradient = 1e-6;

}  // namespace

EvidenceAt evidence_at(const EvidenceProblem& problem, const Kernel& kernel, double lambda, double mean,
                       bool want_gradient, std::vector<GpStart>* starts, const Observer& observer) {
  EvidenceAt out;
  const auto K = problem.backend->gram(kernel, problem.X);
  const auto columns = std::size_t(problem.t.cols());
  if (starts != nullptr) starts->resize(columns);
  double sum = 0.0;
  for (std::size_t c = 0; c < columns; ++c) {
    if (c > 0 && !go_on(observer, {.stage = "classes", .done = long(c), .total = long(columns)})) return out;
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

Selection select_by_evidence(const EvidenceProblem& problem, const KernelSpec& spec, std::optional<double> lambda,
                             std::optional<double> mean, const SelectOptions& options, const Observer& observer) {
  check(problem.classifier);
  const auto workspace = problem.backend->workspace();
  const auto [parameters, space] = detail::gp_space(problem.X, spec, lambda, mean);
  int factorisations = 0;
  detail::Memory<std::vector<GpStart>> memory;
  const auto at_point = [&, &parameters = parameters](const Vector& x, const std::vector<double>& values,
                                                      bool want_gradient) {
    std::vector<GpStart> starts = memory.nearest(x);
    const EvidenceAt at = evidence_at(problem, parameters.kernel(values), values.front(), values.back(), want_gradient,
                                      &starts, observer);
    factorisations += at.factorisations;
    Evaluation e{at.minus_log_evidence, {}};
    if (!std::isfinite(e.value)) return e;
    memory.keep(x, std::move(starts));
    const EvidenceGradient& g = at.gradient;
    if (want_gradient) e.gradient = parameters.gradient(g.d_log_lambda, g.d_log_kernel, g.d_mean, values);
    return e;
  };
  Selection out = detail::choose(parameters, space, at_point, is_differentiable(spec), options, observer);
  out.factorisations = factorisations;
  if (out.search.usable())
    out.warnings = parameters.warnings(space, out.search, ": the evidence does not limit the variance of the prior");
  return out;
}

}  // namespace lacuna

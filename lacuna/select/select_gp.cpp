#include "lacuna/select/select_gp.hpp"

#include "lacuna/machine/averaged.hpp"
#include "lacuna/select/detail/choose.hpp"
#include "lacuna/select/detail/memory.hpp"

namespace lacuna {
namespace {

constexpr double tolerance = 1e-4;  // on the stationarity of fits whose held-out rows are compared

using Starts = std::vector<GpStart>;

struct Scored {
  double value = std::numeric_limits<double>::infinity();
  int factorisations = 0;
};

// The score of held-out rows at one setting; the kernel matrix is made once.
Scored score_at(const Problem& problem, const GpClassifier& classifier, const Kernel& kernel, double lambda,
                double mean, Starts& starts, const Observer& observer) {
  Scored out;
  const Index l = problem.X.rows(), m = problem.learn.columns();
  const auto K = problem.backend->gram(kernel, problem.X.view());
  std::vector<Matrix> z(problem.partitions.size(), Matrix(l, m));
  starts.resize(std::size_t(m));
  for (Index c = 0; c < m; ++c) {
    if (c > 0 && !go_on(observer, {.stage = "classes", .done = long(c), .total = long(m)})) return out;
    const GpFit fit = fit_gp(classifier, *K, problem.learn.t.col(c), mean, lambda, tolerance, starts[std::size_t(c)]);
    out.factorisations += fit.factorisations;
    if (!fit.usable()) return out;
    starts[std::size_t(c)] = start_from(fit);
    if (problem.by_refit) continue;
    for (std::size_t r = 0; r < z.size(); ++r)
      z[r].col(c) = moderated(classifier.likelihood, held_out_latent(*K, fit, problem.partitions[r]));
  }
  double sum = 0.0;
  for (std::size_t r = 0; r < z.size(); ++r) {
    if (problem.by_refit) {
      const GpRefits refits =
          refit_held_out(classifier, *K, problem.learn.t, mean, lambda, problem.partitions[r], starts, observer);
      out.factorisations += refits.factorisations;
      if (refits.stop != Stop::converged && refits.stop != Stop::max_evaluations) return out;
      for (Index c = 0; c < m; ++c) z[r].col(c) = moderated(classifier.likelihood, refits.latent[std::size_t(c)]);
    }
    if (!z[r].allFinite()) return out;
    sum += score(problem.criterion, z[r], problem.truth, false, problem.criterion_options).value;
  }
  out.value = sum / double(z.size());
  return out;
}

}  // namespace

Selection select_gp(const Problem& problem, const GpClassifier& classifier, const KernelSpec& spec,
                    std::optional<double> lambda, std::optional<double> mean, const SelectOptions& options,
                    const Observer& observer) {
  if (problem.criterion == Criterion::evidence)
    return select_by_evidence({problem.backend, problem.X.view(), problem.learn.t, classifier}, spec, lambda, mean,
                              options, observer);
  check(classifier);
  const auto workspace = problem.backend->workspace();
  const auto [parameters, space] = detail::gp_space(problem.X.view(), spec, lambda, mean);
  int factorisations = 0;
  detail::Memory<Starts> memory;
  const auto at_point = [&, &parameters = parameters](const Vector& x, const std::vector<double>& values, bool) {
    Starts starts = memory.nearest(x);
    const Scored at =
        score_at(problem, classifier, parameters.kernel(values), values.front(), values.back(), starts, observer);
    factorisations += at.factorisations;
    if (std::isfinite(at.value)) memory.keep(x, std::move(starts));
    return Evaluation{at.value, {}};
  };
  Selection out = detail::choose(parameters, space, at_point, false, options, observer);
  out.factorisations = factorisations;
  if (out.search.usable())
    out.warnings = parameters.warnings(space, out.search, ": the criterion does not limit the variance of the prior");
  return out;
}

}  // namespace lacuna

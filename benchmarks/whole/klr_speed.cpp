// Kernel logistic regression: approximate leave-one-out against explicit 10-fold on one Gram matrix, both with the fit
// included, and how many factorisations a fit takes at the selected parameters, cold, warm, and at worst over the
// search box. ringnorm, l = 1000, one thread. Exits with 1 when a bar is missed.
#include <fmt/format.h>

#include "benchmarks/whole/timing.hpp"
#include "experiment/generate.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/lacuna.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/select/select.hpp"

using namespace lacuna;

namespace {

bool all_met = true;

void row(const std::string& what, double value, const std::string& rule, bool met) {
  fmt::print("{:<70} {:>9.3f}   {:<8} {}\n", what, value, rule, met ? "met" : "MISSED");
  all_met = all_met && met;
}

}  // namespace

int main() {
  const ThreadScope one(1);
  const auto workspace = cpu_backend().workspace();
  constexpr Index l = 1000;
  const Table table = generate("ringnorm", l, 1);
  const Dataset data = encode(table, {.targets = {"label"}}).data;
  const Model model = train(data, {.model = klr(), .run = {.threads = 1}});
  const double theta = std::get<kernels::Rbf>(model.kernel.form).theta;
  fmt::print("ringnorm, l = {}: theta = {:.3g}, lambda = {:.3g}, {} evaluations, {} factorisations\n", l, theta,
             model.lambda, model.report.search.evaluations, model.report.search.factorisations);

  Problem problem;
  problem.X = data.X;
  problem.learn = {losses::Logistic{}, Vector::Ones(l), machine_targets(klr(), data), {}};
  problem.truth = {
      machine_targets(ls_svm(), data), data.label, 2, Vector::Ones(l), losses::Logistic{}, problem.learn.t, {}};
  problem.criterion = Criterion::xent;
  problem.partitions = {Folds{}};
  problem.tolerance = 1e-8;
  const Folds ten = k_folds(l, 10, data.label, 1);
  const auto t = bench::least_of_interleaved(5, {[&] { criterion_at(problem, model.kernel, model.lambda, false); },
                                                 [&] {
                                                   const auto K = cpu_backend().gram(model.kernel, data.X);
                                                   refit_held_out(*K, problem.learn, model.lambda, ten);
                                                 },
                                                 [&] {  // as in the papers: the kernel is computed again in every fold
                                                   for (const auto& fold : ten) {
                                                     const auto K = cpu_backend().gram(model.kernel, data.X);
                                                     refit_held_out(*K, problem.learn, model.lambda, {fold});
                                                   }
                                                 }});
  row("explicit 10-fold (one Gram) / approximate leave-one-out, klr", t[1] / t[0], ">= 4", t[1] / t[0] >= 4.0);
  fmt::print("{:<70} {:>9.3f}\n", "  the same with the kernel computed in every fold", t[2] / t[0]);

  const auto fit = [&](const Kernel& kernel, double lambda, const WarmStart& warm) {
    const auto K = cpu_backend().gram(kernel, data.X);
    return irls(*K, losses::Logistic{}, problem.learn.zeta, problem.learn.t.col(0), {}, lambda, compute::Want::inverse,
                warm, {.tolerance = 1e-8});
  };
  const IrlsFit cold = fit(model.kernel, model.lambda, {});
  row("factorisations of a fit to 1e-8, cold", cold.factorisations, "<= 8", cold.factorisations <= 8);
  // Warm: from a neighbour ten per cent away in both parameters, about a step of the search near its end.
  const IrlsFit neighbour = fit(kernels::Rbf{.theta = 1.1 * theta}, 1.1 * model.lambda, {});
  const IrlsFit warm = fit(model.kernel, model.lambda, neighbour.fit.z.col(0));
  row("factorisations of a fit to 1e-8, warm from 10 % away", warm.factorisations, "<= 4", warm.factorisations <= 4);

  const double theta_0 = data_scale(data.X, {}).theta;
  int worst = 0;
  double at_theta = 0.0, at_lambda = 0.0;
  for (double log_theta = -6.0; log_theta <= 4.0; log_theta += 2.0)
    for (double log_lambda = -10.0; log_lambda <= 6.0; log_lambda += 2.0) {
      const double th = theta_0 * std::pow(10.0, log_theta), la = std::pow(10.0, log_lambda);
      const IrlsFit f = fit(kernels::Rbf{.theta = th}, la, {});
      if (f.factorisations <= worst) continue;
      worst = f.factorisations;
      at_theta = th, at_lambda = la;
    }
  fmt::print("{:<70} {:>9}   theta = {:.2g}, lambda = {:.2g}\n",
             "  worst over the corners and middle of the search box, cold", worst, at_theta, at_lambda);
  return all_met ? 0 : 1;
}

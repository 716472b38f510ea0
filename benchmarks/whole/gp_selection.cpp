// Gaussian-process classifiers on ringnorm: time of a whole selection by evidence (lambda, theta, and with or without a
// constant mean) on 400 rows, one thread, and the error on 5,000 fresh rows. Exits with 1 when a bar is missed: 0.5 s
// for Laplace's approximation, 8 s for expectation propagation.
#include <fmt/format.h>

#include "benchmarks/whole/timing.hpp"
#include "experiment/generate.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/lacuna.hpp"
#include "lacuna/select/select.hpp"

using namespace lacuna;

namespace {

struct Rival {
  std::string name;
  GpClassifier classifier;
  double bar;
};

double error_rate(const Problem& problem, const Selection& chosen, const Dataset& test) {
  const RowsView& X = problem.X.view();
  const auto K = cpu_backend().gram(chosen.kernel, X);
  const GpFit fit =
      fit_gp({*problem.inference, problem.learn.loss}, *K, problem.learn.t.col(0), chosen.mean, chosen.lambda);
  const LatentMoments at = latent(fit, cpu_backend(), chosen.kernel, test.X, X);
  Index wrong = 0;
  for (Index i = 0; i < test.size(); ++i) wrong += (at.mean[i] >= 0.0) != (test.label[std::size_t(i)] == 1);
  return double(wrong) / double(test.size());
}

}  // namespace

int main() {
  const ThreadScope one(1);
  DataOptions options;
  options.targets = {"label"};
  options.standardise = false;
  const Dataset train = encode(generate("ringnorm", 400, 1), options).data;
  const Dataset test = encode(generate("ringnorm", 5000, 2), options).data;
  bool all_met = true;
  fmt::print("{:<18} {:<7} {:>8} {:>6} {:>12} {:>14} {:>13} {:>8}\n", "", "mean", "seconds", "bar", "evaluations",
             "factorisations", "log evidence", "error");
  for (const auto& [name, classifier, bar] : {Rival{"laplace logistic", {Inference::laplace, losses::Logistic{}}, 0.5},
                                              Rival{"laplace probit", {Inference::laplace, losses::Probit{}}, 0.5},
                                              Rival{"ep probit", {Inference::ep, losses::Probit{}}, 8.0}})
    for (const bool with_mean : {false, true}) {
      Problem problem;
      problem.X = train.X;
      problem.learn = {classifier.likelihood, Vector::Ones(train.size()), Matrix(train.size(), 1)};
      for (Index i = 0; i < train.size(); ++i) problem.learn.t(i, 0) = train.label[std::size_t(i)] == 1 ? 1.0 : 0.0;
      problem.inference = classifier.inference;
      if (with_mean) problem.mean.reset();
      problem.criterion = Criterion::evidence;
      const KernelSpec kernel = bind_kernel(rbf(), train.X.cols());
      Selection chosen;
      const double seconds = bench::least_of_interleaved(3, {[&] { chosen = select(problem, kernel, {}, {}); }})[0];
      fmt::print("{:<18} {:<7} {:>8.3f} {:>6.1f} {:>12} {:>14} {:>13.3f} {:>8.4f}{}\n", name,
                 with_mean ? "chosen" : "0", seconds, bar, chosen.search.evaluations, chosen.factorisations,
                 -chosen.criterion, error_rate(problem, chosen, test), seconds <= bar ? "" : "   MISSED");
      all_met = all_met && seconds <= bar;
    }
  return all_met ? 0 : 1;
}

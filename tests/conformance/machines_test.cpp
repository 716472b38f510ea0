// Whole machines on every back end: criterion, gradient and held-out outputs of every model with every kernel are those
// of the cpu, and so are the parameters at which a search ends. 43 rows: no number of ranks divides them, nor do blocks
// of a matrix.
#include "lacuna/model/detail/make_problem.hpp"
#include "tests/conformance/every_backend.hpp"
#include "tests/support/kinds.hpp"

namespace lacuna {
namespace machines_test {

class EveryBackendsMachines : public EveryBackend {};

constexpr Index n = 43, features = 3;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(n, features, 61);
  return rows;
}

// Targets are a wave in the rows: were they straight, a search would go down the valley of wide kernels, where it ends
// is rounding's choice.
std::vector<testing::Kind> kinds() {
  RowMatrix wave = X();
  wave.col(0) = 1.5 * (2.0 * X().col(0)).array().sin();
  std::vector<testing::Kind> all = testing::every_kind(wave, 62);
  const Dataset two = testing::noisy_classes(wave, 2, 62), three = testing::noisy_classes(wave, 3, 62);
  for (const Machine& machine : {kfd(), gp_laplace_classifier(), gp_laplace_classifier(losses::Probit{})}) {
    all.push_back({machine, two});
    all.push_back({machine, three});
  }
  all.push_back({gp_ep_classifier(), two});
  for (testing::Kind& kind : all) kind.data.X = X();
  return all;
}

TrainOptions options_of(const testing::Kind& kind, const Backend& backend, const std::string& basis,
                        const std::string& cv) {
  TrainOptions out{.model = kind.machine, .basis = parse_basis(basis)};
  if (!(kind.machine.inference && cv == "loo")) out.select.cv = parse_cross_validation(cv);
  out.held_out.intervals = false;
  out.run.backend = &backend;
  return out;
}

KernelSpec fixed(const Kernel& kernel) {
  const std::vector<double> all = kernel_parameters(kernel);
  return {kernel, {all.begin(), all.end()}};
}

// A tenth of the size of the Gram matrix's diagonal, so that no system is nearly singular.
double regulariser(const testing::Kind& kind, const Kernel& kernel) {
  const Vector c = kind.machine.penalty == Penalty::coefficients ? Vector::Ones(n).eval() : Vector();
  return 0.1 * cpu_backend().gram(kernel, X(), compute::Use::once, c)->diagonal().mean();
}

// As near the optimum as doubles get, so that only rounding is left of what iterated fits differ by.
CriterionAt evaluated(const testing::Kind& kind, const Kernel& kernel, double lambda, const TrainOptions& options) {
  Problem problem = detail::make_problem(kind.data, kind.data.X, kind.machine, options);
  problem.tolerance = 1e-13;
  return criterion_at(problem, kernel, lambda, true);
}

void expect_same_machine(const testing::Kind& kind, const Kernel& kernel, const Backend& backend,
                         const std::string& basis, const std::string& cv) {
  const double lambda = regulariser(kind, kernel);
  TrainOptions here = options_of(kind, cpu_backend(), basis, cv), there = options_of(kind, backend, basis, cv);
  if (basis == "none") {
    const CriterionAt a = evaluated(kind, kernel, lambda, here), b = evaluated(kind, kernel, lambda, there);
    const double size = std::abs(a.value) + std::abs(a.d_log_lambda) + a.d_log_kernel.cwiseAbs().sum();
    EXPECT_TRUE(std::isfinite(a.value));
    EXPECT_NEAR(b.value, a.value, 1e-9 * std::abs(a.value));
    EXPECT_NEAR(b.d_log_lambda, a.d_log_lambda, 1e-9 * size);
    EXPECT_LE(testing::largest_difference(a.d_log_kernel, b.d_log_kernel), 1e-9 * size);
  }
  for (TrainOptions* one : {&here, &there}) {
    one->kernel = fixed(kernel);
    one->lambda = lambda;
  }
  const Model a = train(kind.data, here), b = train(kind.data, there);
  EXPECT_NEAR(b.report.criterion_value, a.report.criterion_value, 1e-9 * std::abs(a.report.criterion_value));
  EXPECT_LE(testing::largest_difference(a.held_out.output, b.held_out.output), 1e-9 * scale(a.held_out.output));
}

TEST_P(EveryBackendsMachines, AreThoseOfTheCpuForEveryModelAndKernel) {
  for (const testing::Kind& kind : kinds())
    for (const auto& [name, kernel] : testing::all_kernels(features)) {
      SCOPED_TRACE(kind.machine.name + " " + name);
      expect_same_machine(kind, kernel, backend(), "none", "loo");
    }
}

TEST_P(EveryBackendsMachines, AreThoseOfTheCpuWithFoldsAndOnABasis) {
  const kernels::Rbf kernel{.theta = 0.3};
  for (const testing::Kind& kind : kinds()) {
    SCOPED_TRACE(kind.machine.name);
    expect_same_machine(kind, kernel, backend(), "none", "5");
    if (kind.machine.inference || kind.machine.penalty == Penalty::coefficients) continue;  // of all rows only
    expect_same_machine(kind, kernel, backend(), "9", "loo");
    expect_same_machine(kind, kernel, backend(), "9", "5");
  }
}

TEST_P(EveryBackendsMachines, AreSelectedAtTheParametersOfTheCpu) {
  for (const testing::Kind& kind : kinds()) {
    SCOPED_TRACE(kind.machine.name);
    const Model a = train(kind.data, options_of(kind, cpu_backend(), "none", "loo")),
                b = train(kind.data, options_of(kind, backend(), "none", "loo"));
    EXPECT_NEAR(b.lambda / a.lambda, 1.0, 1e-6);
    EXPECT_NEAR(kernel_parameters(b.kernel)[0] / kernel_parameters(a.kernel)[0], 1.0, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsMachines, every_backend(), backend_name);

}  // namespace machines_test
}  // namespace lacuna

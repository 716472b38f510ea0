// Criteria of held-out rows of Laplace's Gaussian processes: their gradients against central differences of refitted
// approximations.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/select/select.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace gp_gradient_test {

using testing::difference;

constexpr Index n = 24;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(n, 2, 31);
  return rows;
}

// Converged as far as doubles go: differences of values would see what is left.
Problem problem(const Loss& likelihood, bool three_classes) {
  Problem out;
  out.backend = &testing::backend();
  out.X = X();
  Matrix y = testing::random_signs(X(), 32);
  std::vector<int> label;
  if (three_classes) {
    y = Matrix::Constant(n, 3, -1.0);
    for (Index i = 0; i < n; ++i) {
      label.push_back(X()(i, 0) > 0.4 ? 2 : X()(i, 1) > 0.0 ? 1 : 0);
      y(i, label.back()) = 1.0;
    }
  } else {
    for (Index i = 0; i < n; ++i) label.push_back(y(i, 0) > 0.0);
  }
  const Matrix t = (y.array() + 1.0) / 2.0;
  out.learn = {.loss = likelihood, .zeta = Vector::Ones(n), .t = t};
  out.inference = Inference::laplace;
  out.truth = {y, label, three_classes ? 3 : 2, testing::random_weights(n, 33, 2), likelihood, t};
  out.criterion_options.gain = 3.0;
  out.tolerance = 1e-13;
  return out;
}

void expect_gradient(const Problem& p, const Kernel& kernel, const Prior& prior, double tolerance = 1e-7) {
  const CriterionAt at = criterion_at(p, kernel, prior, true);
  ASSERT_TRUE(std::isfinite(at.value));
  const std::vector<double> theta = kernel_parameters(kernel);
  const double size = std::abs(at.value) + std::abs(at.d_log_lambda) + at.d_log_kernel.cwiseAbs().sum();
  const auto value = [&](const Kernel& k, const Prior& with) { return criterion_at(p, k, with, true).value; };
  EXPECT_NEAR(at.d_log_lambda, difference([&](double h) {
                return value(kernel, {prior.lambda * std::exp(h), prior.mean});
              }),
              tolerance * size);
  EXPECT_NEAR(at.d_mean, difference([&](double h) {
                return value(kernel, {prior.lambda, prior.mean + h});
              }),
              tolerance * size);
  for (std::size_t k = 0; k < theta.size(); ++k)
    EXPECT_NEAR(at.d_log_kernel[Index(k)], difference([&](double h) {
                  std::vector<double> moved = theta;
                  moved[k] *= std::exp(h);
                  return value(with_parameters(kernel, moved), prior);
                }),
                tolerance * size)
        << "parameter " << k;
}

const std::vector<Folds> folds{
    Folds{}, {{0, 7, 3}, {1}, {2, 4, 5, 6, 8, 9, 10, 11}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}}};

TEST(GpGradient, OfHeldOutCriteriaEqualsCentralDifferences) {
  for (const Loss& likelihood : {Loss(losses::Logistic{}), Loss(losses::Probit{.s = 2.0})})
    for (const Criterion criterion : {Criterion::xent, Criterion::press, Criterion::smooth_error, Criterion::wmw})
      for (const Folds& partition : folds) {
        SCOPED_TRACE(std::string(name_of(likelihood)) + ", " + std::string(name_of(criterion)) +
                     (partition.empty() ? ", one at a time" : ", folds"));
        Problem p = problem(likelihood, false);
        p.criterion = criterion;
        p.partitions = {partition};
        expect_gradient(p, kernels::Ard{.theta = {0.3, 0.9}}, {0.2, 0.3});
      }
}

TEST(GpGradient, HoldsForWideAndNarrowPriorsAndOtherKernels) {
  for (const double lambda : {1e-3, 5.0})
    for (const Kernel& kernel : {Kernel(kernels::Rbf{.theta = 0.5}), Kernel(kernels::Linear{})}) {
      Problem p = problem(losses::Logistic{}, false);
      p.criterion = Criterion::xent;
      p.partitions = folds;
      expect_gradient(p, kernel, {lambda, -0.4});
    }
}

// Every row has a twin of the same label, and the prior is wide: likelihoods are flat to 1e-100 and more at the mode,
// so that sites weigh nothing and all but cancel. What is left of rounding in values of 0.5 is 1e-9 in their
// differences.
TEST(GpGradient, HoldsWhereSitesWeighNextToNothing) {
  RowMatrix twins(n, 2);
  twins << X().topRows(n / 2), X().topRows(n / 2);
  Matrix y(n, 1);
  std::vector<int> label;
  for (Index i = 0; i < n; ++i) label.push_back(i % (n / 2) < 6), y(i, 0) = label.back() == 1 ? 1.0 : -1.0;
  for (const Loss& likelihood : {Loss(losses::Logistic{}), Loss(losses::Probit{})})
    for (const double lambda : {1e-4, 1e-6, 1e-7}) {
      Problem p = problem(likelihood, false);
      p.X = twins;
      p.learn.t = y.cwiseMax(0.0);
      p.truth = {y, label, 2, Vector::Ones(n), likelihood, p.learn.t};
      p.criterion = Criterion::xent;
      p.partitions = folds;
      expect_gradient(p, kernels::Rbf{.theta = 0.05}, {lambda, 0.3}, 1e-6);
    }
}

TEST(GpGradient, HoldsForWeightedRows) {
  for (const Loss& likelihood : {Loss(losses::Logistic{}), Loss(losses::Probit{.s = 2.0})}) {
    Problem p = problem(likelihood, false);
    p.learn.zeta = testing::random_weights(n, 34);
    p.criterion = Criterion::xent;
    p.partitions = folds;
    expect_gradient(p, kernels::Ard{.theta = {0.3, 0.9}}, {0.2, 0.3});
  }
}

TEST(GpGradient, OfSeveralClassesIsTheMeanOverThem) {
  Problem p = problem(losses::Logistic{}, true);
  p.criterion = Criterion::xent;
  p.partitions = folds;
  expect_gradient(p, kernels::Rbf{.theta = 0.5}, {0.2, 0.1});
}

// The search by gradients, from the usual starts, ends no higher than the one without.
TEST(GpGradient, SearchWithItEndsNoHigherThanWithout) {
  SearchPlan by_values;
  by_values.method = SearchMethod::nelder_mead;
  for (const Folds& partition : folds) {
    Problem p = problem(losses::Logistic{}, false);
    p.tolerance.reset();
    p.criterion = Criterion::xent;
    p.partitions = {partition};
    p.mean.reset();
    const Selection with = select(p, bind_kernel(rbf(), 2), {}, {}),
                    without = select(p, bind_kernel(rbf(), 2), {}, by_values);
    EXPECT_EQ(with.method, SearchMethod::lbfgs);
    EXPECT_GT(with.search.gradients, 0);
    EXPECT_LE(with.criterion, without.criterion + 1e-3);
  }
  Problem p = problem(losses::Probit{}, false);
  p.inference = Inference::ep;
  p.criterion = Criterion::xent;
  p.partitions = {Folds{}};
  EXPECT_EQ(select(p, bind_kernel(rbf(), 2), {}, {}).search.gradients, 0);
  EXPECT_THROW(criterion_at(p, kernels::Rbf{.theta = 0.5}, {0.2, 0.1}, true), Error);
  p.inference.reset();
  p.criterion = Criterion::evidence;  // a machine has none
  EXPECT_THROW(criterion_at(p, kernels::Rbf{.theta = 0.5}, 0.2, false), Error);
}

}  // namespace gp_gradient_test
}  // namespace lacuna

// The gradient of every differentiable criterion equals central differences, for every kernel, leave-one-out, folds and
// groups, with weights and with rows of zero training weight that are still judged.
#include <gtest/gtest.h>

#include "lacuna/machine/kfd.hpp"
#include "lacuna/machine/regulariser.hpp"
#include "lacuna/select/core.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace gradient_test {

using testing::all_kernels;
using testing::difference;

constexpr Criterion differentiable[] = {Criterion::press, Criterion::smooth_error, Criterion::hinge, Criterion::hinge2,
                                        Criterion::wmw};

struct Setting {
  RowMatrix X;
  Problem problem;
};

void fill(Setting& s, Index n, Index d, bool multiclass, int zeros) {
  s.X = testing::random_rows(n, d, 21);
  s.problem.X = s.X;
  s.problem.learn.zeta = testing::random_weights(n, 22, zeros);
  Matrix y = testing::random_signs(s.X, 23);
  std::vector<int> label;
  if (multiclass) {
    y = Matrix::Constant(n, 3, -1.0);
    for (Index i = 0; i < n; ++i) {
      label.push_back(s.X(i, 0) > 0.4 ? 2 : s.X(i, 1) > 0.0 ? 1 : 0);
      y(i, label.back()) = 1.0;
    }
  } else {
    for (Index i = 0; i < n; ++i) label.push_back(y(i, 0) > 0.0);
  }
  s.problem.backend = &testing::backend();
  s.problem.learn.t = y;
  s.problem.truth = {y, label, multiclass ? 3 : 2, testing::random_weights(n, 24)};
  s.problem.criterion_options.gain = 3.0;
}

void turn_into_kfd(Problem& p) {
  const std::vector<std::string> names{"a", "b", "c"};
  p.learn.penalty = Penalty::coefficients;
  p.learn.t = kfd_targets(p.truth.label, {names.begin(), names.begin() + p.truth.classes}, p.learn.zeta);
  p.truth.scale = p.learn.t.cwiseAbs();
}

// The hinge has a kink at y z = 1: there the two sides differ and no derivative exists.
bool near_kink(const Problem& problem, const Kernel& kernel, double lambda) {
  const DualCore core(problem, kernel, compute::Use::repeatedly);
  const auto K = dual_gram(*problem.backend, kernel, problem.X.view(), problem.learn);
  const DualFit fit = solve_dual(*K, problem.learn.zeta, problem.learn.t, lambda, compute::Want::inverse);
  for (const Folds& folds : problem.partitions) {
    Matrix z = core.held_out(fit, 0, folds).z;
    if (problem.truth.scale.size() > 0) z = z.cwiseQuotient(problem.truth.scale);
    if ((1.0 - problem.truth.targets.cwiseProduct(z).array()).abs().minCoeff() < 3e-3) return true;
  }
  return false;
}

// Returns false where the test does not apply.
bool expect_gradient(const Problem& problem, const Kernel& kernel, double lambda) {
  if (problem.criterion == Criterion::hinge && near_kink(problem, kernel, lambda)) return false;
  const CriterionAt at = criterion_at(problem, kernel, lambda, true);
  const std::vector<double> p0 = kernel_parameters(kernel);
  double largest = std::max(std::abs(at.value), std::abs(at.d_log_lambda));
  if (at.d_log_kernel.size() > 0) largest = std::max(largest, at.d_log_kernel.cwiseAbs().maxCoeff());
  EXPECT_TRUE(std::isfinite(largest));
  EXPECT_NEAR(at.d_log_lambda,
              difference([&](double h) { return criterion_at(problem, kernel, lambda * std::exp(h), false).value; }),
              1e-6 * largest);
  for (std::size_t p = 0; p < p0.size(); ++p) {
    const double fd = difference([&](double h) {
      std::vector<double> q = p0;
      q[p] *= std::exp(h);
      return criterion_at(problem, with_parameters(kernel, q), lambda, false).value;
    });
    EXPECT_NEAR(at.d_log_kernel[Index(p)], fd, 1e-6 * largest) << "parameter " << p;
  }
  return true;
}

std::vector<std::pair<std::string, std::vector<Folds>>> partitions(Index n) {
  return {{"leave one out", {Folds{}}},
          {"five folds", {k_folds(n, 5, {}, 1)}},
          {"groups", {group_folds(testing::random_groups(n, 9, 3))}},
          {"repeated folds", {k_folds(n, 3, {}, 1), k_folds(n, 3, {}, 2)}}};
}

void run(bool multiclass, int zeros, bool kfd = false) {
  Setting s;
  const Index n = 36;
  fill(s, n, 3, multiclass, zeros);
  if (kfd) turn_into_kfd(s.problem);
  int checked = 0;
  for (const auto& [how, folds] : partitions(n)) {
    s.problem.partitions = folds;
    for (const Criterion criterion : differentiable) {
      s.problem.criterion = criterion;
      for (const auto& [kernel_name, kernel] : all_kernels(3)) {
        SCOPED_TRACE(how + ", " + std::string(name_of(criterion)) + ", " + kernel_name);
        double unit = 1.0;  // mu is of the size of the diagonal
        if (kfd) unit = dual_gram(*s.problem.backend, kernel, s.X, s.problem.learn)->diagonal().mean();
        for (const double lambda : {0.05, 0.06, 0.8, 0.9, 1.0}) {  // the hinge needs one away from its kinks
          if (!expect_gradient(s.problem, kernel, unit * lambda)) continue;
          ++checked;
          break;
        }
      }
    }
  }
  EXPECT_GE(checked, 4 * 4 * 15);  // all but hinges that sit on kinks everywhere
}

TEST(Gradient, MatchesCentralDifferencesForEveryKernelAndCriterion) { run(false, 0); }
TEST(Gradient, MatchesCentralDifferencesForSeveralClasses) { run(true, 0); }
TEST(Gradient, MatchesCentralDifferencesWithRowsOfZeroTrainingWeight) { run(false, 6); }
TEST(Gradient, OfTheFisherDiscriminantMatchesCentralDifferences) { run(false, 0, true); }
TEST(Gradient, OfTheFisherDiscriminantMatchesForSeveralClasses) { run(true, 0, true); }
TEST(Gradient, OfTheFisherDiscriminantMatchesWithRowsOfZeroTrainingWeight) { run(false, 6, true); }

TEST(Gradient, MatchesCentralDifferencesInSixtyParameters) {
  Setting s;
  const Index n = 50, d = 59;
  fill(s, n, d, false, 2);
  kernels::Ard kernel;
  for (Index j = 0; j < d; ++j) kernel.theta.push_back(0.002 + 0.0005 * double(j));
  for (const auto& folds : {std::vector<Folds>{Folds{}}, std::vector<Folds>{k_folds(n, 5, {}, 1)}}) {
    s.problem.partitions = folds;
    EXPECT_TRUE(expect_gradient(s.problem, kernel, 0.3));
  }
}

TEST(Gradient, MatchesCentralDifferencesOnSparseRows) {
  const SparseMatrix X = testing::random_sparse(30, 8, 5);
  Setting s;
  fill(s, 30, 3, false, 2);
  s.problem.X = X;
  s.problem.partitions = {Folds{}};
  for (const auto& [kernel_name, kernel] : all_kernels(8)) {
    SCOPED_TRACE(kernel_name);
    EXPECT_TRUE(expect_gradient(s.problem, kernel, 0.4));
  }
}

TEST(Gradient, HoldsForSmallAndLargeLambda) {
  Setting s;
  fill(s, 40, 2, false, 0);
  s.problem.partitions = {Folds{}};
  for (const double lambda : {1e-4, 1e-2, 1e2, 1e4}) {
    SCOPED_TRACE(lambda);
    EXPECT_TRUE(expect_gradient(s.problem, kernels::Rbf{.theta = 0.8}, lambda));
  }
}

}  // namespace gradient_test
}  // namespace lacuna

// Leave-pair-out equals refitting without every pair; pooled outputs are biased where it is not.
#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/criterion/auc.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/leave_pair_out.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

double brute_force(const Matrix& K, const Vector& beta, const Matrix& y, double lambda, const Vector& w) {
  double won = 0.0, total = 0.0;
  for (Index i = 0; i < K.rows(); ++i)
    for (Index j = 0; j < K.rows(); ++j) {
      if (y(i, 0) < 0.0 || y(j, 0) > 0.0) continue;
      std::vector<bool> use(std::size_t(K.rows()), true);
      use[std::size_t(i)] = use[std::size_t(j)] = false;
      const auto fit = testing::solve_bordered(K, beta, y, lambda, use);
      const auto z = (K.cast<long double>() * fit.alpha).eval();
      won += w[i] * w[j] * (z(i, 0) > z(j, 0) ? 1.0 : z(i, 0) == z(j, 0) ? 0.5 : 0.0);
      total += w[i] * w[j];
    }
  return won / total;
}

TEST(LeavePairOut, EqualsRefitsForAllPairs) {
  const Index n = 22;
  const RowMatrix X = testing::random_rows(n, 2, 31);
  const Matrix y = testing::random_signs(X, 32);
  std::vector<bool> positive;
  for (Index i = 0; i < n; ++i) positive.push_back(y(i, 0) > 0.0);
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index(0));
  for (const int zeros : {0, 5})
    for (const auto& [name, kernel] : testing::all_kernels(2))
      for (const double lambda : {0.01, 1.0}) {
        SCOPED_TRACE(name);
        const Vector beta = testing::random_weights(n, 33, zeros), w = testing::random_weights(n, 34);
        const auto K = cpu_backend().gram(kernel, X);
        const DualFit fit = solve_dual(*K, beta, y, lambda, Want::inverse);
        EXPECT_NEAR(leave_pair_out_auc(*K, fit, 0, positive, w), brute_force(K->block(all, all), beta, y, lambda, w),
                    1e-12);
      }
}

TEST(LeavePairOut, GivesAConstantModelOneHalfWherePooledOutputsGiveItZero) {
  const Index n = 20;
  const RowMatrix X = testing::random_rows(n, 2, 1);
  Matrix y(n, 1);
  std::vector<bool> positive;
  for (Index i = 0; i < n; ++i) {
    y(i, 0) = i % 2 == 0 ? 1.0 : -1.0;
    positive.push_back(i % 2 == 0);
  }
  const auto K = cpu_backend().gram(Matrix::Zero(n, n));  // nothing but the bias
  const DualFit fit = solve_dual(*K, Vector::Ones(n), y, 1.0, Want::inverse);
  const Matrix z = leave_one_out(fit, Q_diagonal(fit));
  EXPECT_EQ(area_under_curve(z.col(0), positive, Vector::Ones(n)), 0.0);
  EXPECT_EQ(leave_pair_out_auc(*K, fit, 0, positive, {}), 0.5);
}

TEST(LeavePairOut, HasNoValueForOneClass) {
  const RowMatrix X = testing::random_rows(6, 2, 1);
  const auto K = cpu_backend().gram(Rbf{}, X);
  const DualFit fit = solve_dual(*K, Vector::Ones(6), Matrix::Random(6, 1), 1.0, Want::inverse);
  EXPECT_TRUE(std::isnan(leave_pair_out_auc(*K, fit, 0, std::vector<bool>(6, true), {})));
}

}  // namespace
}  // namespace lacuna

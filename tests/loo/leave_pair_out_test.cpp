// Leave-pair-out equals refitting without every pair; pooled outputs are biased where it is not.
#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/criterion/auc.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/leave_pair_out.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace leave_pair_out_test {

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
  for (const int zeros : {0, 5})
    for (const auto& [name, kernel] : testing::all_kernels(2))
      for (const double lambda : {0.01, 1.0}) {
        SCOPED_TRACE(name);
        const Vector beta = testing::random_weights(n, 33, zeros), w = testing::random_weights(n, 34);
        const auto K = testing::backend().gram(kernel, X);
        const DualFit fit = solve_dual(*K, beta, y, lambda, compute::Want::inverse);
        const Matrix side = w.asDiagonal() * y;  // y = -1, 1
        EXPECT_NEAR(leave_pair_out_auc(fit, side)[0], brute_force(testing::dense(*K), beta, y, lambda, w), 1e-12);
      }
}

// Rows of the rarer kind are gone through, whichever that is.
TEST(LeavePairOut, EqualsRefitsWhereEitherKindIsRare) {
  const Index n = 19;
  const RowMatrix X = testing::random_rows(n, 2, 41);
  for (const double rare : {1.0, -1.0})
    for (const int zeros : {0, 4}) {
      Matrix y = Matrix::Constant(n, 1, -rare);
      for (const Index i : {3, 8, 12, 16}) y(i, 0) = rare;
      const Vector beta = testing::random_weights(n, 43, zeros), w = testing::random_weights(n, 44);
      const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.5}, X);
      const DualFit fit = solve_dual(*K, beta, y, 0.1, compute::Want::inverse);
      const double area = leave_pair_out_auc(fit, w.asDiagonal() * y)[0];
      EXPECT_NEAR(area, brute_force(testing::dense(*K), beta, y, 0.1, w), 1e-12) << rare << ' ' << zeros;
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
  const auto K = testing::given(Matrix::Zero(n, n));  // nothing but the bias
  const DualFit fit = solve_dual(*K, Vector::Ones(n), y, 1.0, compute::Want::inverse);
  const Matrix z = leave_one_out(fit, Q_diagonal(fit));
  EXPECT_EQ(area_under_curve(z.col(0), positive, Vector::Ones(n)), 0.0);
  EXPECT_EQ(leave_pair_out_auc(fit, y)[0], 0.5);
}

// On a basis the bias has a coordinate like any other, and fitted outputs of balanced classes are 0 but for rounding.
TEST(LeavePairOut, GivesAConstantModelOnABasisOneHalf) {
  for (const Index n : {20, 61}) {
    const RowMatrix X = RowMatrix::Ones(n, 2);
    Matrix y(n, 1);
    for (Index i = 0; i < n; ++i) y(i, 0) = i % 2 == 0 ? 1.0 : -1.0;
    const PrimalFit fit = solve_primal(testing::backend().features(kernels::Rbf{.theta = 0.3}, X.topRows(1).eval()), X,
                                       Vector::Ones(n), y, 0.1, compute::Want::inverse);
    EXPECT_EQ(leave_pair_out_auc(X, fit, y)[0], 0.5) << n;
  }
}

TEST(LeavePairOut, HasNoValueForOneClass) {
  const RowMatrix X = testing::random_rows(6, 2, 1);
  const auto K = testing::backend().gram(kernels::Rbf{}, X);
  const DualFit fit = solve_dual(*K, Vector::Ones(6), Matrix::Random(6, 1), 1.0, compute::Want::inverse);
  EXPECT_TRUE(std::isnan(leave_pair_out_auc(fit, Matrix::Ones(6, 1))[0]));
}

TEST(LeavePairOut, ColumnsTogetherEqualColumnsOneByOne) {
  const Index n = 30;
  const RowMatrix X = testing::random_rows(n, 2, 5);
  Matrix y = Matrix::Constant(n, 3, -1.0);
  for (Index i = 0; i < n; ++i) y(i, i % 3) = 1.0;
  const Vector beta = testing::random_weights(n, 33, 4);
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.7}, X);
  Matrix side = y;
  side.col(1).setZero();  // a column whose pairs nobody wants
  const Vector together = leave_pair_out_auc(solve_dual(*K, beta, y, 0.1, compute::Want::inverse), side);
  for (Index c = 0; c < 3; ++c) {
    const Vector alone = leave_pair_out_auc(solve_dual(*K, beta, y.col(c), 0.1, compute::Want::inverse), side.col(c));
    if (c == 1)
      EXPECT_TRUE(std::isnan(alone[0]) && std::isnan(together[c]));
    else
      EXPECT_EQ(alone[0], together[c]);
  }
}

}  // namespace leave_pair_out_test
}  // namespace lacuna

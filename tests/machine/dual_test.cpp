// The dual machine solves its stationarity conditions, and its limits are the ones they should be.
#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/machine/dual.hpp"
#include "lacuna/model/machine.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace dual_test {

struct Fixture {
  RowMatrix X = testing::random_rows(40, 3, 1);
  Matrix eta = testing::random_matrix(40, 2, 2);
};

TEST(DualMachine, SatisfiesStationarityForEveryKernelAndZeroWeights) {
  const Fixture f;
  for (const int zeros : {0, 9})
    for (const auto& [name, kernel] : testing::all_kernels(3)) {
      SCOPED_TRACE(name);
      const Vector beta = testing::random_weights(40, 3, zeros);
      const auto K = testing::backend().gram(kernel, f.X);
      const DualFit fit = solve_dual(*K, beta, f.eta, 0.3, compute::Want::solve);
      // lambda alpha_i = beta_i (eta_i - z_i), sum alpha = 0, z = K alpha + b
      const Matrix z = (testing::dense(*K) * fit.alpha).rowwise() + fit.b.transpose();
      const Matrix force = beta.asDiagonal() * (f.eta - z);
      EXPECT_LE((0.3 * fit.alpha - force).cwiseAbs().maxCoeff(), 1e-9 * force.cwiseAbs().maxCoeff());
      EXPECT_LE(fit.alpha.colwise().sum().cwiseAbs().maxCoeff(), 1e-9 * fit.alpha.cwiseAbs().maxCoeff());
      EXPECT_LE((fit.z - z).cwiseAbs().maxCoeff(), 1e-9 * std::max(1.0, z.cwiseAbs().maxCoeff()));
    }
}

TEST(DualMachine, EqualsTheBorderedSystem) {
  const Fixture f;
  const Vector beta = testing::random_weights(40, 3, 4);
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.2}, f.X);
  const DualFit fit = solve_dual(*K, beta, f.eta, 1e-3, compute::Want::solve);
  const auto truth = testing::solve_bordered(testing::dense(*K), beta, f.eta, 1e-3, std::vector<bool>(40, true));
  EXPECT_LE((fit.alpha - truth.alpha.cast<double>()).cwiseAbs().maxCoeff(), 1e-8 * fit.alpha.cwiseAbs().maxCoeff());
}

TEST(DualMachine, IsNotMovedByAConstantAddedToTheTargets) {
  const Fixture f;
  const auto K = testing::backend().gram(kernels::Rbf{}, f.X);
  const DualFit a = solve_dual(*K, Vector::Ones(40), f.eta, 0.1, compute::Want::solve);
  const DualFit b = solve_dual(*K, Vector::Ones(40), (f.eta.array() + 1e6).matrix(), 0.1, compute::Want::solve);
  EXPECT_LE((a.alpha - b.alpha).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_NEAR(b.b[0] - a.b[0], 1e6, 1e-4);
}

TEST(DualMachine, InterpolatesAsLambdaVanishes) {
  const Fixture f;
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 5.0}, f.X);
  const DualFit fit = solve_dual(*K, Vector::Ones(40), f.eta, 1e-10, compute::Want::solve);
  EXPECT_LE((fit.z - f.eta).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(DualMachine, LeverageIsTheDerivativeOfAnOutputInItsOwnTarget) {
  const Fixture f;
  const Vector beta = testing::random_weights(40, 3, 3);
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.4}, f.X);
  const DualFit fit = solve_dual(*K, beta, f.eta, 0.2, compute::Want::inverse);
  const Vector h = leverage(fit, Q_diagonal(fit));
  for (Index i = 0; i < 40; ++i) {
    Matrix moved = f.eta;
    moved(i, 0) += 1.0;  // the machine is linear in eta
    EXPECT_NEAR(h[i], solve_dual(*K, beta, moved, 0.2, compute::Want::solve).z(i, 0) - fit.z(i, 0), 1e-10);
    EXPECT_GE(h[i], 0.0);
    EXPECT_LE(h[i], 1.0);
  }
}

TEST(LsSvm, BalancedWeightsGiveEveryClassTheSameTotal) {
  const std::vector<int> label{0, 0, 0, 1, 2, 2};
  const Vector w = balanced_weights(label, 3, {});
  EXPECT_NEAR(w[0] * 3, 2.0, 1e-15);
  EXPECT_NEAR(w[3], 2.0, 1e-15);
  EXPECT_NEAR(w[4] * 2, 2.0, 1e-15);
  Vector given(6);
  given << 1, 0, 2, 1, 1, 1;
  const Vector v = balanced_weights(label, 3, given);
  EXPECT_EQ(v[1], 0.0);
  EXPECT_NEAR(v[0] + v[2], v[3], 1e-15);
}

}  // namespace dual_test
}  // namespace lacuna

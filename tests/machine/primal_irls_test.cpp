// Re-weighted least squares on a basis: with every row in the basis it is the dual machine for every loss; on a real
// basis it is stationary, and its held-out outputs are the one Newton step that they claim to be.
#include "lacuna/machine/primal_irls.hpp"

#include <gtest/gtest.h>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/primal_held_out.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/least_squares.hpp"
#include "tests/support/losses.hpp"

namespace lacuna {
namespace primal_irls_test {

constexpr Index l = 40;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(l, 3, 41);
  return rows;
}

TEST(PrimalIrls, WithEveryRowInTheBasisIsTheDualMachineForEveryLoss) {
  const Vector offset = 0.3 * testing::random_matrix(l, 1, 44);
  const Folds folds = k_folds(l, 5, {}, 1);
  double worst = 0.0;
  for (const auto& c : testing::loss_cases(X()))
    for (const int zeros : {0, 6})
      for (const auto& [kernel_name, kernel] : testing::all_kernels(3))
        for (const double lambda : {1e-2, 1.0, 100.0}) {
          SCOPED_TRACE(c.name + ", " + kernel_name + ", " + std::to_string(lambda));
          const Vector zeta = testing::random_weights(l, 45, zeros);
          const auto K = testing::backend().gram(kernel, X());
          const IrlsFit dual = irls(*K, c.loss, zeta, c.t, offset, lambda, compute::Want::inverse);
          const PrimalIrlsFit primal = irls(testing::backend().features(kernel, X()), X(), c.loss, zeta, c.t, offset,
                                            lambda, compute::Want::inverse);
          ASSERT_EQ(dual.stop, Stop::converged);
          ASSERT_EQ(primal.stop, Stop::converged);
          const double size = std::max(1.0, dual.fit.z.cwiseAbs().maxCoeff());
          const Matrix one = leave_one_out(dual.fit, Q_diagonal(dual.fit));
          const double gap = (primal.fit.z - dual.fit.z).cwiseAbs().maxCoeff() / size;
          const double gap_one =
              (leave_one_out(primal.fit) - one).cwiseAbs().maxCoeff() / std::max(size, one.cwiseAbs().maxCoeff());
          EXPECT_LE(gap, 1e-7);
          EXPECT_LE(gap_one, 1e-7);
          const Matrix many = leave_fold_out(dual.fit, folds);
          EXPECT_LE((leave_fold_out(X(), primal.fit, folds) - many).cwiseAbs().maxCoeff(),
                    1e-7 * std::max(size, many.cwiseAbs().maxCoeff()));
          EXPECT_NEAR(primal.objective, dual.objective, 1e-9 * std::abs(dual.objective));
          worst = std::max({worst, gap, gap_one});
        }
  RecordProperty("worst", std::to_string(worst * 1e12) + "e-12");
}

struct Fitted {
  PrimalIrlsFit f;
  Matrix K_ln, K_nn;
};

Fitted fitted(const testing::LossCase& c, const Kernel& kernel, const Vector& zeta, double lambda) {
  const auto features = testing::backend().features(kernel, X().topRows(9).eval());
  return {irls(features, X(), c.loss, zeta, c.t, {}, lambda, compute::Want::inverse),
          compute::cpu::kernel_matrix(kernel, X(), features->basis()),
          compute::cpu::kernel_matrix(kernel, features->basis(), features->basis())};
}

TEST(PrimalIrls, IsStationaryForEveryLossAndKernel) {
  for (const auto& c : testing::loss_cases(X()))
    for (const auto& [kernel_name, kernel] : testing::all_kernels(3))
      for (const double lambda : {1e-4, 1e-2, 1.0, 1e3}) {
        SCOPED_TRACE(c.name + ", " + kernel_name + ", " + std::to_string(lambda));
        const Vector zeta = testing::random_weights(l, 46, 4);
        const auto [f, K_ln, K_nn] = fitted(c, kernel, zeta, lambda);
        ASSERT_EQ(f.stop, Stop::converged);
        Vector c1(l);
        for (Index i = 0; i < l; ++i) c1[i] = zeta[i] * at(c.loss, f.fit.z(i, 0), c.t[i]).c1;
        const Matrix a = f.fit.coefficients();
        const Index n = K_nn.rows();
        const Vector gradient = lambda * K_nn * a.topRows(n) + K_ln.transpose() * c1;
        EXPECT_LE(gradient.cwiseAbs().maxCoeff(), 1e-8 * c1.cwiseAbs().sum() * K_ln.cwiseAbs().maxCoeff());
        EXPECT_LE(std::abs(c1.sum()), 1e-8 * c1.cwiseAbs().sum());
      }
}

// The least-squares problem at the optimum, without the fold, solved as it is written.
TEST(PrimalIrls, HeldOutOutputsAreOneNewtonStepFromTheFullFit) {
  for (const auto& c : testing::loss_cases(X()))
    for (const int zeros : {0, 5}) {
      SCOPED_TRACE(c.name);
      const double lambda = 0.1;
      const auto [f, K_ln, K_nn] = fitted(c, kernels::Rbf{.theta = 0.3}, testing::random_weights(l, 47, zeros), lambda);
      ASSERT_EQ(f.stop, Stop::converged);
      Matrix eta = f.fit.z;
      for (Index i = 0; i < l; ++i)
        if (f.fit.beta[i] > 0.0) eta(i, 0) += f.fit.pull(i, 0) / f.fit.beta[i];
      const Matrix one = testing::brute_force_on_basis(K_ln, K_nn, f.fit.beta, eta, lambda, {});
      EXPECT_LE((leave_one_out(f.fit) - one).cwiseAbs().maxCoeff(), 1e-8 * one.cwiseAbs().maxCoeff());
      for (const Folds& folds : {k_folds(l, 8, {}, 1), k_folds(l, 3, {}, 2)}) {
        const Matrix truth = testing::brute_force_on_basis(K_ln, K_nn, f.fit.beta, eta, lambda, folds);
        EXPECT_LE((leave_fold_out(X(), f.fit, folds) - truth).cwiseAbs().maxCoeff(),
                  1e-8 * truth.cwiseAbs().maxCoeff());
      }
    }
}

TEST(PrimalIrls, NeedsFewFactorisationsColdAndFewerWarm) {
  const auto c = testing::loss_cases(X())[1];
  const auto features = testing::backend().features(kernels::Rbf{.theta = 0.3}, X().topRows(9).eval());
  const auto fit = [&](double lambda, const WarmStart& warm) {
    return irls(features, X(), c.loss, Vector::Ones(l), c.t, {}, lambda, compute::Want::solve, warm);
  };
  const PrimalIrlsFit cold = fit(0.1, {}), warm = fit(0.11, cold.fit.z.col(0));
  EXPECT_LE(cold.factorisations, 8);
  EXPECT_LT(warm.factorisations, cold.factorisations);
}

TEST(PrimalIrls, SurvivesSeparableDataAndTinyLambda) {
  RowMatrix rows(20, 1);
  Vector t(20);
  for (Index i = 0; i < 20; ++i) {
    rows(i, 0) = double(i) - 9.5;
    t[i] = i >= 10;
  }
  for (const double lambda : {1e-2, 1e-6, 1e-10}) {
    const PrimalIrlsFit f = irls(testing::backend().features(kernels::Linear{}, rows), rows, losses::Logistic{},
                                 Vector::Ones(20), t, {}, lambda, compute::Want::inverse);
    ASSERT_EQ(f.stop, Stop::converged) << lambda;
    EXPECT_TRUE(leave_one_out(f.fit).allFinite());
  }
}

// Columns that separate classes meet the margin as lambda vanishes, and what pulls is of the size of lambda: from
// lambda = 1e-10 on less than the rounding of the outputs. In the limit the machine is the widest margin.
TEST(PrimalIrls, EndsAtTheWidestMarginWherePullsDrownInTheRoundingOfOutputs) {
  const RowMatrix rows = testing::random_rows(80, 4, 46);
  Vector t(80);
  for (Index i = 0; i < 80; ++i) t[i] = rows(i, 0) + 0.5 * rows(i, 1) - 0.3 * rows(i, 2) + 0.2 > 0.0 ? 1.0 : -1.0;
  const auto features = testing::backend().features(kernels::Linear{}, RowMatrix::Identity(4, 4).eval());
  Vector before;
  for (const double lambda : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    SCOPED_TRACE(lambda);
    const PrimalIrlsFit f =
        irls(features, rows, losses::SquaredHinge{}, Vector::Ones(80), t, {}, lambda, compute::Want::inverse);
    ASSERT_EQ(f.stop, Stop::converged);
    EXPECT_TRUE(leave_one_out(f.fit).allFinite());
    const Vector z = f.fit.z.col(0);
    EXPECT_GE(t.cwiseProduct(z).minCoeff(), 1.0 - 1e-4);
    if (before.size() > 0) {
      EXPECT_LE((z - before).cwiseAbs().maxCoeff(), 1e-4 * z.cwiseAbs().maxCoeff());
    }
    before = z;
  }
}

}  // namespace primal_irls_test
}  // namespace lacuna

// Held-out outputs followed to their optimum equal refits: every loss, weights, offsets, folds, and regularisers from
// large to next to nothing, where one Newton step is far off.
#include "lacuna/loo/held_out_optimum.hpp"

#include <gtest/gtest.h>

#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/machine/irls.hpp"
#include "lacuna/machine/primal_irls.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/supervised.hpp"

namespace lacuna {
namespace held_out_optimum_test {

constexpr Index n = 50;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(n, 2, 81);
  return rows;
}

Supervision learn_with(const Loss& loss, int zeros) { return testing::supervised(loss, X(), 82, zeros); }

struct Case {
  Loss loss;
  double lambda;
  double theta;
};

class FollowedTo : public ::testing::TestWithParam<Case> {};

TEST_P(FollowedTo, TheOptimumEqualsRefits) {
  const auto& [loss, lambda, theta] = GetParam();
  const Supervision learn = learn_with(loss, 5);
  const auto K = testing::backend().gram(kernels::Rbf{.theta = theta}, X());
  const IrlsFit f = irls(*K, loss, learn.zeta, learn.t.col(0), learn.offset, lambda, compute::Want::inverse);
  ASSERT_EQ(f.stop, Stop::converged);
  for (const Folds& folds : {Folds{}, k_folds(n, 7, {}, 3)}) {
    const compute::HeldOutOptimum followed = held_out_optimum(*K, f.fit, learn, 0, folds);
    const Vector truth = refit_held_out(*K, learn, lambda, folds).z.col(0);
    const Vector one =
        folds.empty() ? leave_one_out(f.fit, Q_diagonal(f.fit)).col(0) : leave_fold_out(f.fit, folds).col(0);
    double worst_one = 0.0;
    int known = 0;
    std::vector<bool> there(n, true);
    for (const std::size_t k : followed.unfinished)
      for (const Index i : folds.empty() ? std::vector<Index>{Index(k)} : folds[k]) there[std::size_t(i)] = false;
    for (Index i = 0; i < n; ++i) {
      if (std::isnan(truth[i])) continue;  // the refit itself did not end
      ++known;
      const double scale = 1.0 + std::abs(truth[i]);
      worst_one = std::max(worst_one, std::abs(one[i] - truth[i]) / scale);
      // The bound knows curvature along one direction only, hence the factor. What did not arrive is for refits.
      if (there[std::size_t(i)]) {
        EXPECT_LE(std::abs(followed.z[i] - truth[i]), 50.0 * followed.left[i] + 1e-6 * scale) << "row " << i;
      }
    }
    EXPECT_GE(known, n - 5);
    // Next to no regulariser, and a hinge whose rows cross the margin, are for refits.
    if (lambda > 1e-3 && !std::holds_alternative<losses::SquaredHinge>(loss)) {
      EXPECT_TRUE(followed.unfinished.empty());
    }
    RecordProperty("steps", int(followed.steps));
    if (lambda == 0.1) {
      EXPECT_GE(worst_one, 1e-3) << "or there would be nothing to follow";
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> out;
  const std::vector<Loss> losses = {
      losses::Logistic{},     losses::Probit{}, losses::Poisson{},       losses::NegativeBinomial{0.6},
      losses::SquaredHinge{}, losses::Gamma{},  losses::PseudoHuber{0.5}};
  for (const Loss& loss : losses)
    for (const double lambda : {1e6, 10.0, 0.1, 1e-3, 1e-6})
      for (const double theta : {0.2, 3.0}) out.push_back({loss, lambda, theta});
  return out;
}
INSTANTIATE_TEST_SUITE_P(EveryLoss, FollowedTo, ::testing::ValuesIn(cases()));

// On a basis of every fourth row, and with all rows in it, where the machine is the dual one.
TEST(FollowedOnABasis, EqualsRefitsAndTheDualMachine) {
  for (const Loss& loss : {Loss(losses::Logistic{}), Loss(losses::Poisson{}), Loss(losses::SquaredHinge{})})
    for (const Index every : {1, 4}) {
      SCOPED_TRACE(std::string(name_of(loss)) + " every " + std::to_string(every));
      const Supervision learn = learn_with(loss, 0);
      const Kernel kernel = kernels::Rbf{.theta = 0.5};
      const double lambda = 0.05;
      RowMatrix basis(n / every, 2);
      for (Index k = 0; k < basis.rows(); ++k) basis.row(k) = X().row(k * every);
      const auto features = testing::backend().features(kernel, basis, n);
      const PrimalIrlsFit f =
          irls(features, X(), loss, learn.zeta, learn.t.col(0), learn.offset, lambda, compute::Want::inverse);
      ASSERT_EQ(f.stop, Stop::converged);
      for (const Folds& folds : {Folds{}, k_folds(n, 7, {}, 3)}) {
        const compute::HeldOutOptimum end = held_out_optimum(f.fit, X(), Vector::Ones(n), learn, 0, folds);
        const Vector truth = refit_held_out(features, X(), learn, lambda, folds).z.col(0);
        for (Index i = 0; i < n; ++i)
          EXPECT_NEAR(end.z[i], truth[i], 10.0 * end.left[i] + 1e-5 * (1.0 + std::abs(truth[i]))) << i;
        if (!std::holds_alternative<losses::SquaredHinge>(loss)) {
          EXPECT_TRUE(end.unfinished.empty());
        }
      }
      if (every > 1) continue;
      const auto K = testing::backend().gram(kernel, X());
      const IrlsFit dual = irls(*K, loss, learn.zeta, learn.t.col(0), learn.offset, lambda, compute::Want::inverse);
      const Vector z = held_out_optimum(*K, dual.fit, learn, 0, {}).z;
      EXPECT_LE((held_out_optimum(f.fit, X(), Vector::Ones(n), learn, 0, {}).z - z).cwiseAbs().maxCoeff(), 1e-4);
    }
}

// The only event, and the only row of a class: nothing is left to fit, and that is said.
TEST(FollowedTo, NoOptimumIsSaid) {
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.5}, X());
  for (const Loss& loss : {Loss(losses::Logistic{}), Loss(losses::Poisson{})}) {
    Supervision learn{loss, Vector::Ones(n), Matrix::Zero(n, 1), {}};
    learn.t(7, 0) = 1.0;
    const IrlsFit f = irls(*K, loss, learn.zeta, learn.t.col(0), {}, 0.1, compute::Want::inverse);
    ASSERT_EQ(f.stop, Stop::converged);
    const compute::HeldOutOptimum end = held_out_optimum(*K, f.fit, learn, 0, {});
    for (Index i = 0; i < n; ++i) EXPECT_EQ(std::isinf(end.left[i]), i == 7) << i;
    // Nothing sets the row apart from the others as what it is: no output that any other row has is lower.
    EXPECT_LE(end.z[7], f.fit.z.col(0).minCoeff());
    EXPECT_LT(end.z[7], f.fit.z(7, 0));
  }
}

}  // namespace held_out_optimum_test
}  // namespace lacuna

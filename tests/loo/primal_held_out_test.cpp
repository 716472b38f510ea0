// Held-out outputs of machines on a basis equal explicit refits: weighted and not, with zero weights, twins among the
// rows and among the basis vectors, several outputs, folds smaller and larger than the basis, lambda from 1e-10 to 1e6.
#include "lacuna/loo/primal_held_out.hpp"

#include <gtest/gtest.h>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/host/features.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/least_squares.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace primal_held_out_test {

constexpr Index l = 40;

struct Case {
  std::string name;
  RowMatrix X;
  Vector beta;
  std::vector<Index> basis;
};

std::vector<Case> cases() {
  const RowMatrix X = testing::random_rows(l, 3, 51);
  RowMatrix twins = X;
  for (Index i = 0; i < 6; ++i) twins.row(i) = twins.row(i + 10);
  const std::vector<Index> basis{3, 7, 12, 18, 21, 26, 30, 37};
  const std::vector<Index> repeated{3, 7, 12, 7, 18, 21, 3, 26, 30, 37, 37};
  return {{"plain", X, Vector::Ones(l), basis},
          {"weighted", X, testing::random_weights(l, 52), basis},
          {"zero weights", X, testing::random_weights(l, 53, 9), basis},
          {"twins", twins, testing::random_weights(l, 52), basis},
          {"repeated basis vectors", X, testing::random_weights(l, 53, 9), repeated}};
}

Matrix targets(const RowMatrix& X) {
  Matrix eta(l, 3);
  eta.col(0) = testing::random_signs(X, 54);
  eta.col(1) = (100.0 + X.col(0).array().sin() + X.col(1).array().square()).matrix();
  eta.col(2) = testing::random_matrix(l, 1, 55);
  return eta;
}

class PrimalHeldOut : public ::testing::TestWithParam<double> {};

TEST_P(PrimalHeldOut, OutputsEqualRefitsForEveryKernel) {
  const double lambda = GetParam();
  const std::vector<std::pair<std::string, Folds>> partitions{
      {"leave one out", {}},
      {"twenty folds", k_folds(l, 20, {}, 1)},
      {"groups", group_folds(testing::random_groups(l, 7, 2))},
      {"three folds", k_folds(l, 3, {}, 3)}};  // larger than the basis
  double worst = 0.0;
  for (const Case& one : cases())
    for (const auto& [name, kernel] : testing::all_kernels(3)) {
      const Rows Z = take_rows(one.X, one.basis);
      const Matrix eta = targets(one.X);
      const auto features = testing::backend().features(kernel, Z);
      if (name == "rbf") {
        EXPECT_EQ(features->size(), 9) << one.name;
      }
      const PrimalFit fit = solve_primal(features, one.X, one.beta, eta, lambda, compute::Want::inverse);
      ASSERT_TRUE(fit.usable()) << one.name << ", " << name;
      const Matrix K_ln = compute::cpu::kernel_matrix(kernel, one.X, features->basis());
      const Matrix K_nn = compute::cpu::kernel_matrix(kernel, features->basis(), features->basis());
      for (const auto& [how, folds] : partitions) {
        SCOPED_TRACE(one.name + ", " + name + ", " + how);
        const Matrix z = folds.empty() ? leave_one_out(fit) : leave_fold_out(one.X, fit, folds);
        ASSERT_TRUE(z.rows() == l && z.allFinite());
        const Matrix truth = testing::brute_force_on_basis(K_ln, K_nn, one.beta, eta, lambda, folds);
        for (Index c = 0; c < 3; ++c) {
          const double gap = (z.col(c) - truth.col(c)).cwiseAbs().maxCoeff() / truth.col(c).cwiseAbs().maxCoeff();
          EXPECT_LE(gap, 1e-8) << "column " << c;
          worst = std::max(worst, gap);
        }
      }
    }
  RecordProperty("worst", std::to_string(worst * 1e12) + "e-12");
}

INSTANTIATE_TEST_SUITE_P(Lambda, PrimalHeldOut, ::testing::Values(1e-10, 1e-6, 1e-2, 1.0, 1e6));

// With many more rows than basis vectors the back end takes cheaper coordinates (compute/cpu/coordinates.hpp).
TEST_P(PrimalHeldOut, OutputsEqualRefitsWithManyRows) {
  const double lambda = GetParam();
  const Index many = 160;
  const RowMatrix X = testing::random_rows(many, 3, 56);
  const Vector beta = testing::random_weights(many, 57, 20);
  const Matrix eta = testing::random_matrix(many, 1, 58);
  const Folds folds = k_folds(many, 40, {}, 1);
  double worst = 0.0;
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    SCOPED_TRACE(name);
    const auto features = testing::backend().features(kernel, X.topRows(14).eval(), many);
    const PrimalFit fit = solve_primal(features, X, beta, eta, lambda, compute::Want::inverse);
    ASSERT_TRUE(fit.usable());
    const Matrix K_ln = compute::cpu::kernel_matrix(kernel, X, features->basis());
    const Matrix K_nn = compute::cpu::kernel_matrix(kernel, features->basis(), features->basis());
    const Matrix truth = testing::brute_force_on_basis(K_ln, K_nn, beta, eta, lambda, folds);
    const Matrix z = leave_fold_out(X, fit, folds);
    const double gap = (z - truth).cwiseAbs().maxCoeff() / truth.cwiseAbs().maxCoeff();
    EXPECT_LE(gap, 1e-8);
    worst = std::max(worst, gap);
  }
  RecordProperty("worst", std::to_string(worst * 1e12) + "e-12");
}

TEST(PrimalHeldOut, OneFoldSolvedBothWaysGivesTheSame) {
  const Case one = cases()[2];
  const auto features = cpu_backend().features(kernels::Rbf{.theta = 0.3}, take_rows(one.X, one.basis));
  const PrimalFit fit = solve_primal(features, one.X, one.beta, targets(one.X), 0.1, compute::Want::inverse);
  const auto& factor = dynamic_cast<const compute::host::HostFeatureFactor&>(*fit.factor);
  const Matrix V = factor.rows(one.X);
  // ten rows (more than features) through solve_fold, against the machine without them
  std::vector<Index> fold, rest;
  for (Index i = 0; i < l; ++i) (i % 4 == 0 ? fold : rest).push_back(i);
  const Matrix z = leave_fold_out(one.X, fit, {fold, rest});
  Matrix V_F(V.rows(), 10), r(10, 3);
  Vector beta(10);
  for (Index k = 0; k < 10; ++k) {
    V_F.col(k) = V.col(fold[std::size_t(k)]);
    r.row(k) = fit.pull.row(fold[std::size_t(k)]);
    beta[k] = fit.beta[fold[std::size_t(k)]];
  }
  const Matrix change = V_F.transpose() * (V_F * compute::host::solve_fold(factor.features(), V_F, beta, r));
  for (Index k = 0; k < 10; ++k)
    EXPECT_LE((fit.z.row(fold[std::size_t(k)]) - change.row(k) - z.row(fold[std::size_t(k)])).norm(), 1e-10);
}

}  // namespace primal_held_out_test
}  // namespace lacuna

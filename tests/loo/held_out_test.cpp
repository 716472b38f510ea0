// Held-out outputs in closed form equal explicit refits: for every kernel, weighted and not, one and several outputs,
// lambda from 1e-12 to 1e12, with twins, zero weights and constant columns among the rows.
#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace held_out_test {

using testing::all_kernels;

struct Case {
  std::string name;
  RowMatrix X;
  Vector beta;
  Matrix eta;
};

// Binary, multi-class (one versus rest) and regression targets side by side are just columns of eta.
std::vector<Case> cases() {
  const Index n = 30;
  const RowMatrix X = testing::random_rows(n, 3, 11);
  Matrix eta(n, 5);
  eta.col(0) = testing::random_signs(X, 3);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < 3; ++c) eta(i, 1 + c) = i % 3 == c ? 1.0 : -1.0;
  eta.col(4) = (100.0 + X.col(0).array().sin() + X.col(1).array().square()).matrix();
  RowMatrix twins = X;
  for (Index i = 0; i < 6; ++i) twins.row(i) = twins.row(i + 10);
  RowMatrix constant = X;
  constant.col(1).setConstant(7.0);
  std::vector<Case> list{{"plain", X, Vector::Ones(n), eta},
                         {"weighted", X, testing::random_weights(n, 4), eta},
                         {"zero weights", X, testing::random_weights(n, 5, 7), eta},
                         {"twins", twins, testing::random_weights(n, 4), eta},
                         {"constant column", constant, Vector::Ones(n), eta}};
  Matrix lone = eta;  // a class of one row, and one of two
  lone.col(0).setConstant(-1.0);
  lone(3, 0) = 1.0;
  lone.col(1).setConstant(-1.0);
  lone(3, 1) = lone(20, 1) = 1.0;
  list.push_back({"tiny classes", X, Vector::Ones(n), lone});
  return list;
}

// Both sides round: the tolerance is that of solving with M, never below 1e-9.
void expect_equal(const Matrix& z, const Matrix& truth, double condition) {
  const double tolerance = std::max(1e-9, 100.0 * std::numeric_limits<double>::epsilon() * condition);
  for (Index c = 0; c < z.cols(); ++c)
    EXPECT_LE((z.col(c) - truth.col(c)).cwiseAbs().maxCoeff(), tolerance * truth.col(c).cwiseAbs().maxCoeff());
}

class HeldOut : public ::testing::TestWithParam<double> {};

TEST_P(HeldOut, OutputsEqualRefitsForEveryKernel) {
  const double lambda = GetParam();
  const Index n = 30;
  const std::vector<int> groups = testing::random_groups(n, 7, 2);
  const std::vector<std::pair<std::string, Folds>> partitions{
      {"leave one out", {}}, {"five folds", k_folds(n, 5, {}, 1)}, {"groups", group_folds(groups)}};
  for (const Case& one : cases())
    for (const auto& [name, kernel] : all_kernels(3)) {
      const auto gram = testing::backend().gram(kernel, one.X);
      const Matrix K = testing::dense(*gram);
      const DualFit fit = solve_dual(*gram, one.beta, one.eta, lambda, compute::Want::inverse);
      // lambda = 1e-12 with a rank-deficient kernel can be beyond double precision: a refusal is right, NaN is not.
      const double condition = testing::condition(K, one.beta, lambda);
      if (!fit.usable()) {
        EXPECT_GT(condition, 1e13);
        continue;
      }
      for (const auto& [how, folds] : partitions) {
        SCOPED_TRACE(one.name + ", " + name + ", " + how);
        const Matrix z = folds.empty() ? leave_one_out(fit, Q_diagonal(fit)) : leave_fold_out(fit, folds);
        ASSERT_TRUE(z.allFinite());
        expect_equal(z, testing::brute_force_held_out(K, one.beta, one.eta, lambda, folds), condition);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Lambda, HeldOut, ::testing::Values(1e-12, 1e-8, 1e-4, 1e-2, 1.0, 1e3, 1e8, 1e12));

TEST(Refit, EqualsTheBorderedSystemWithoutEachFold) {
  const Case one = cases()[2];
  const auto gram = testing::backend().gram(kernels::Rbf{.theta = 0.3}, one.X);
  for (const Folds& folds : {Folds{}, k_folds(30, 4, {}, 3)})
    expect_equal(refit_held_out(*gram, {.zeta = one.beta, .t = one.eta}, 0.1, folds).z,
                 testing::brute_force_held_out(testing::dense(*gram), one.beta, one.eta, 0.1, folds), 1e3);
}

TEST(Refit, StopsWhenTheObserverSaysSo) {
  const Case one = cases()[0];
  const auto gram = testing::backend().gram(kernels::Rbf{}, one.X);
  const Matrix z = refit_held_out(*gram, {.zeta = one.beta, .t = one.eta}, 0.1, {}, {}, [](const Progress& p) {
                     return p.done < 3;
                   }).z;
  EXPECT_EQ(z.size(), 0);
}

TEST(LeaveOneOut, TendsToTheMeanOfTheOthersAsLambdaGrows) {
  const Case one = cases()[0];
  const auto gram = testing::backend().gram(kernels::Rbf{}, one.X);
  const DualFit fit = solve_dual(*gram, one.beta, one.eta, 1e14, compute::Want::inverse);
  const Matrix z = leave_one_out(fit, Q_diagonal(fit));
  for (Index i = 0; i < 30; ++i) EXPECT_NEAR(z(i, 4), (one.eta.col(4).sum() - one.eta(i, 4)) / 29.0, 1e-9);
}

TEST(LeaveOneOut, OfAFoldOfOneIsLeaveOneOut) {
  const Case one = cases()[2];
  const auto gram = testing::backend().gram(kernels::Matern52{}, one.X);
  const DualFit fit = solve_dual(*gram, one.beta, one.eta, 0.05, compute::Want::inverse);
  Folds single;
  for (Index i = 0; i < 30; ++i) single.push_back({i});
  EXPECT_LE((leave_fold_out(fit, single) - leave_one_out(fit, Q_diagonal(fit))).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(LeaveFoldOut, WeightKEqualsKCopiesHeldOutTogether) {
  const Index n = 12;
  const RowMatrix X = testing::random_rows(n, 2, 8);
  const Matrix y = testing::random_signs(X, 4);
  std::vector<Index> source;
  std::vector<int> group;
  Vector weight(n);
  for (Index i = 0; i < n; ++i) {
    weight[i] = double(1 + i % 3);
    for (int k = 0; k < 1 + int(i) % 3; ++k) {
      source.push_back(i);
      group.push_back(int(i));
    }
  }
  const Rows copies = take_rows(X, source);
  Matrix y_copies(copies.rows(), 1);
  for (std::size_t k = 0; k < source.size(); ++k) y_copies(Index(k), 0) = y(source[k], 0);
  const auto K = testing::backend().gram(kernels::Rbf{}, X), K_copies = testing::backend().gram(kernels::Rbf{}, copies);
  const DualFit fit = solve_dual(*K, weight, y, 0.3, compute::Want::inverse);
  const DualFit fit_copies = solve_dual(*K_copies, Vector::Ones(copies.rows()), y_copies, 0.3, compute::Want::inverse);
  const Matrix z = leave_one_out(fit, Q_diagonal(fit));
  const Matrix z_copies = leave_fold_out(fit_copies, group_folds(group));
  for (std::size_t k = 0; k < source.size(); ++k) EXPECT_NEAR(z_copies(Index(k), 0), z(source[k], 0), 1e-11);
}

}  // namespace held_out_test
}  // namespace lacuna

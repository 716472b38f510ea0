// Selection on a basis: the gradient of the criterion is that of central differences, for every loss, held out one by
// one, in folds and in groups, with weights; and one machine on a basis is judged as its refits are.
#include <gtest/gtest.h>

#include "lacuna/select/basis_search.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/losses.hpp"

namespace lacuna {
namespace basis_test {

constexpr Index l = 40;

Problem problem_of(const testing::LossCase& c, const RowMatrix& X) {
  Problem p;
  p.X = X;
  p.basis = RowMatrix(X.topRows(9));
  p.learn = {.loss = c.loss, .zeta = testing::random_weights(l, 66, 4), .t = c.t};
  p.truth = {
      .targets = c.t, .label = {}, .classes = 0, .weights = testing::random_weights(l, 67), .loss = c.loss, .t = c.t};
  p.criterion = std::holds_alternative<losses::Squared>(c.loss) ? Criterion::press : Criterion::xent;
  p.tolerance = 1e-10;
  return p;
}

TEST(SelectOnBasis, GradientMatchesCentralDifferences) {
  const RowMatrix X = testing::random_rows(l, 3, 65);
  const Kernel kernel = kernels::Ard{{0.1, 0.2, 0.3}};
  for (const auto& c : testing::loss_cases(X)) {
    if (std::holds_alternative<losses::SquaredHinge>(c.loss)) continue;  // rows cross its margin
    for (const Folds& folds : {Folds{}, k_folds(l, 4, {}, 1), group_folds(testing::random_groups(l, 13, 1))}) {
      SCOPED_TRACE(c.name);
      Problem p = problem_of(c, X);
      p.partitions = {folds};
      const auto value = [&](const Kernel& k, double lambda) { return criterion_at(p, k, lambda, false).value; };
      const CriterionAt at = criterion_at(p, kernel, 0.7, true);
      const double largest =
          std::max({std::abs(at.value), std::abs(at.d_log_lambda), at.d_log_kernel.cwiseAbs().maxCoeff()});
      EXPECT_NEAR(at.d_log_lambda, testing::difference([&](double h) { return value(kernel, 0.7 * std::exp(h)); }),
                  1e-5 * largest);
      for (std::size_t k = 0; k < 3; ++k) {
        const double fd = testing::difference([&](double h) {
          std::vector<double> q = kernel_parameters(kernel);
          q[k] *= std::exp(h);
          return value(with_parameters(kernel, q), 0.7);
        });
        EXPECT_NEAR(at.d_log_kernel[Index(k)], fd, 1e-5 * largest) << k;
      }
    }
  }
}

// Through the scale and shift of the outputs, on a basis and without.
TEST(SelectOnBasis, GradientMatchesCentralDifferencesAfterRecalibration) {
  const RowMatrix X = testing::random_rows(l, 3, 65);
  const Kernel kernel = kernels::Rbf{.theta = 0.2};
  for (const auto& c : testing::loss_cases(X)) {
    if (!std::holds_alternative<losses::Logistic>(c.loss) && !std::holds_alternative<losses::Probit>(c.loss)) continue;
    for (const bool on_basis : {true, false})
      for (const Folds& folds : {Folds{}, k_folds(l, 4, {}, 1)}) {
        SCOPED_TRACE(c.name);
        Problem p = problem_of(c, X);
        if (!on_basis) p.basis = {};
        p.partitions = {folds};
        p.criterion_options.recalibrate = true;
        p.truth.classes = 2;
        for (Index i = 0; i < l; ++i) p.truth.label.push_back(c.t(i, 0) > 0.5);
        const CriterionAt at = criterion_at(p, kernel, 0.7, true);
        const auto value = [&](double h_theta, double h_lambda) {
          return criterion_at(p, kernels::Rbf{.theta = 0.2 * std::exp(h_theta)}, 0.7 * std::exp(h_lambda), false).value;
        };
        const double largest = std::max(std::abs(at.value), std::abs(at.d_log_lambda));
        EXPECT_NEAR(at.d_log_lambda, testing::difference([&](double h) { return value(0.0, h); }), 1e-5 * largest);
        EXPECT_NEAR(at.d_log_kernel[0], testing::difference([&](double h) { return value(h, 0.0); }), 1e-5 * largest);
      }
  }
}

// A search that may look at many points ends where one from its own end does.
TEST(SelectOnBasis, EndsAtAnOptimumOfTheBasisItKeeps) {
  const RowMatrix X = testing::random_rows(l, 2, 65);
  for (const auto& c : testing::loss_cases(X)) {
    if (!std::holds_alternative<losses::Squared>(c.loss) && !std::holds_alternative<losses::Logistic>(c.loss)) continue;
    Problem p = problem_of(c, X);
    p.basis = {};
    p.partitions = {Folds{}};
    p.followed = true;
    const BasisSearch found = select_on_basis(p, {.methods = {BasisMethod::pivoted}, .size = 12}, rbf(), {}, {});
    EXPECT_EQ(found.basis.rows(), 12);
    p.basis = found.basis;
    const CriterionAt at = criterion_at(p, found.chosen.kernel, found.chosen.lambda, false);
    EXPECT_NEAR(at.value, found.chosen.criterion, 1e-3 * std::abs(at.value));
  }
}

}  // namespace basis_test
}  // namespace lacuna

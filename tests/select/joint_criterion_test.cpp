// The criterion of several classes after one scale and a shift for each class: its gradient, through least squares,
// where all classes share a factor, and through machines that are fitted one by one, matches central differences.
#include <gtest/gtest.h>

#include "lacuna/select/select.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace joint_criterion_test {

constexpr Index n = 45, m = 3;

Problem three_classes(const Loss& loss) {
  static const RowMatrix X = testing::random_rows(n, 2, 31);
  Random random(32);
  Problem p;
  p.backend = &testing::backend();
  p.X = X;
  const double no = std::holds_alternative<losses::Squared>(loss) ? -1.0 : 0.0;
  p.learn = {loss, testing::random_weights(n, 33, 2), Matrix::Constant(n, m, no), {}};
  Truth truth{Matrix::Constant(n, m, -1.0), {}, int(m), testing::random_weights(n, 34, 3), loss, {}, {}};
  for (Index i = 0; i < n; ++i) {
    const double at = X(i, 0) + 0.5 * X(i, 1) * X(i, 1) + 0.5 * random.normal();
    const int label = at > 0.9 ? 2 : at > 0.0 ? 1 : 0;
    truth.label.push_back(label);
    truth.targets(i, label) = p.learn.t(i, label) = 1.0;
  }
  if (!std::holds_alternative<losses::Squared>(loss)) truth.t = p.learn.t;
  p.truth = truth;
  p.criterion = Criterion::xent;
  p.criterion_options.recalibrate = true;
  p.partitions = {Folds{}, k_folds(n, 5, {}, 1)};
  p.tolerance = 1e-11;  // differences see what a search may ignore
  return p;
}

TEST(JointCriterion, GradientMatchesCentralDifferences) {
  for (const Loss& loss : {Loss(losses::Squared{}), Loss(losses::Logistic{}), Loss(losses::Probit{})})
    for (const bool followed : {false, true})
      for (const bool on_basis : {false, true}) {
        SCOPED_TRACE(std::string(name_of(loss)) + (followed ? " followed" : " one step") + (on_basis ? " basis" : ""));
        Problem p = three_classes(loss);
        p.followed = followed && p.may_follow();
        if (on_basis) p.basis = copy_rows(middle_rows(p.X.view(), 0, 12));
        const double theta = 0.3, lambda = 0.4;
        const CriterionAt at = criterion_at(p, kernels::Rbf{.theta = theta}, lambda, true);
        ASSERT_TRUE(std::isfinite(at.value));
        const auto value = [&](double h_theta, double h_lambda) {
          return criterion_at(p, kernels::Rbf{.theta = theta * std::exp(h_theta)}, lambda * std::exp(h_lambda), false)
              .value;
        };
        EXPECT_NEAR(at.value, value(0.0, 0.0), 1e-9);
        // Followed outputs arrive to about 1e-8 of themselves; over the step of the differences that is 1e-5.
        const double tolerance = p.followed ? 3e-5 : 1e-6;
        EXPECT_NEAR(at.d_log_lambda, testing::difference([&](double h) { return value(0.0, h); }), tolerance);
        EXPECT_NEAR(at.d_log_kernel[0], testing::difference([&](double h) { return value(h, 0.0); }), tolerance);
      }
}

}  // namespace joint_criterion_test
}  // namespace lacuna

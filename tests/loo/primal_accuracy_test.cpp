// Held-out outputs of machines on a basis where sums of squares cancel: lambda down to 1e-14, a weight of 1e10, a group
// of nine rows in ten. The oracle (tests/support/least_squares.hpp) refits in extended precision by orthogonal
// transformations.
#include <gtest/gtest.h>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/loo/primal_gradient.hpp"
#include "lacuna/machine/primal_irls.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/least_squares.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace primal_accuracy_test {

// What machine/primal.hpp promises, of the range of the outputs.
constexpr double promised = 1e-7;

struct Setting {
  std::string name;
  Index rows, basis;
  double theta;
  double heavy = 1.0;  // the weight of row 5
};

const std::vector<Setting> settings{
    {"as many basis vectors as rows", 40, 40, 1.0},
    {"nearly as many", 44, 40, 1.0},
    {"some", 60, 20, 0.3},
    {"sharp, few", 60, 12, 8.0},
    {"many rows", 400, 25, 0.3},
    {"one heavy row", 60, 20, 0.3, 1e10},
    {"one heavy row among many", 400, 25, 0.3, 1e10},
    {"one heavier row", 60, 15, 0.7, 1e4},
    {"one much heavier row", 60, 15, 0.7, 1e6},
};

struct Made {
  RowMatrix X;
  Vector beta;
  Matrix eta;
  std::shared_ptr<const compute::Features> features;
};

Made make(const Setting& s) {
  Made m{testing::random_rows(s.rows, 3, 71), testing::random_weights(s.rows, 72), Matrix(s.rows, 2), nullptr};
  m.beta[5] *= s.heavy;
  m.eta.col(0) = (3.0 + m.X.col(0).array().sin()).matrix();
  m.eta.col(1) = testing::random_matrix(s.rows, 1, 73);
  m.features = testing::backend().features(kernels::Rbf{.theta = s.theta}, m.X.topRows(s.basis).eval(), s.rows);
  return m;
}

double gap(const Matrix& z, const Matrix& truth) {
  if (z.rows() != truth.rows() || !z.allFinite()) return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (Index c = 0; c < z.cols(); ++c)
    worst = std::max(worst, (z.col(c) - truth.col(c)).cwiseAbs().maxCoeff() / truth.col(c).cwiseAbs().maxCoeff());
  return worst;
}

std::vector<std::pair<std::string, Folds>> partitions(Index l) {
  Folds most(2), pairs, ten = k_folds(l, 10, {}, 1);
  for (Index i = 0; i < l; ++i) most[i % 10 == 3 ? 1 : 0].push_back(i);
  for (Index i = 0; i + 1 < l; i += 2) pairs.push_back({i, i + 1});
  return {{"leave one out", {}}, {"pairs", pairs}, {"ten folds", ten}, {"nine rows in ten", most}};
}

class PrimalAccuracy : public ::testing::TestWithParam<double> {};

TEST_P(PrimalAccuracy, HeldOutOutputsEqualRefits) {
  const double lambda = GetParam();
  for (const Setting& s : settings) {
    const Made m = make(s);
    const PrimalFit fit = solve_primal(m.features, m.X, m.beta, m.eta, lambda, compute::Want::inverse);
    ASSERT_TRUE(fit.usable()) << s.name;
    const Matrix K_ln = compute::cpu::kernel_matrix(kernels::Rbf{.theta = s.theta}, m.X, m.features->basis());
    const Matrix K_nn =
        compute::cpu::kernel_matrix(kernels::Rbf{.theta = s.theta}, m.features->basis(), m.features->basis());
    for (const auto& [how, folds] : partitions(s.rows)) {
      // A small problem is refitted for every row; of the large one the rows that matter most.
      if (s.rows > 100 && how != "nine rows in ten" && how != "ten folds") continue;
      const Matrix z = folds.empty() ? leave_one_out(fit) : leave_fold_out(m.X, fit, folds);
      const Matrix truth = testing::brute_force_on_basis(K_ln, K_nn, m.beta, m.eta, lambda, folds);
      const double off = gap(z, truth);
      EXPECT_LE(off, promised) << s.name << ", " << how;
    }
  }
}

// Outputs of all rows, whoever asks for them: explicit refits ask for no variances.
TEST_P(PrimalAccuracy, OutputsBesideAHeavyRowAreThoseOfRotations) {
  const double lambda = GetParam();
  for (const double heavy : {1e3, 1e5, 1e7, 1e9}) {
    const Made m = make({"", 60, 15, 0.7, heavy});
    const Matrix right = m.features->outputs(m.X, m.features->by_rotations(m.X, m.beta, m.eta, lambda, {}).p);
    for (const auto want : {compute::Want::solve, compute::Want::inverse})
      EXPECT_LE(gap(solve_primal(m.features, m.X, m.beta, m.eta, lambda, want).z, right), promised) << heavy;
  }
}

INSTANTIATE_TEST_SUITE_P(Lambda, PrimalAccuracy, ::testing::Values(1.0, 1e-4, 1e-8, 1e-10, 1e-12, 1e-14));

TEST(PrimalAccuracy, OrdinaryFitsTakeTheSums) {
  const Made m = make(settings[2]);
  EXPECT_FALSE(solve_primal(m.features, m.X, m.beta, m.eta, 1e-4, compute::Want::inverse).by_rotations);
  const Made heavy = make(settings[5]);
  EXPECT_TRUE(solve_primal(heavy.features, heavy.X, heavy.beta, heavy.eta, 1e-4, compute::Want::inverse).by_rotations);
}

// The gradient of the sum of w_i z_i^2 over held-out outputs. Without a fold that has nine rows in ten, the heavy one
// among them, its own terms cancel (primal_gradient.hpp), and nothing is promised.
TEST(PrimalAccuracy, GradientMatchesCentralDifferencesWhereSumsCancel) {
  for (const Setting& s : {settings[0], settings[3], settings[5]}) {
    const Made m = make(s);
    const Matrix w = testing::random_matrix(s.rows, 2, 74).cwiseAbs();
    for (const auto& [how, folds] : partitions(s.rows)) {
      if (s.heavy > 1.0 && how == "nine rows in ten") continue;
      SCOPED_TRACE(s.name + ", " + how);
      const auto at = [&](double theta, double lambda) {
        const auto features =
            testing::backend().features(kernels::Rbf{.theta = theta}, take_rows(m.X, m.features->kept()), s.rows);
        return solve_primal(features, m.X, m.beta, m.eta, lambda, compute::Want::inverse);
      };
      const auto held_out = [&](const PrimalFit& fit) {
        return folds.empty() ? leave_one_out(fit) : leave_fold_out(m.X, fit, folds);
      };
      const auto value = [&](double theta, double lambda) {
        return 0.5 * held_out(at(theta, lambda)).cwiseAbs2().cwiseProduct(w).sum();
      };
      const double lambda = 1e-9;
      const PrimalFit fit = at(s.theta, lambda);
      const compute::CriterionGradient g = criterion_gradient(m.X, fit, folds, held_out(fit).cwiseProduct(w));
      const double d_theta = testing::difference([&](double h) { return value(s.theta * std::exp(h), lambda); });
      const double d_lambda = testing::difference([&](double h) { return value(s.theta, lambda * std::exp(h)); });
      const double size = std::max({std::abs(d_theta), std::abs(d_lambda), value(s.theta, lambda)});
      EXPECT_NEAR(g.d_log_kernel[0], d_theta, 1e-3 * size);
      EXPECT_NEAR(g.d_log_lambda, d_lambda, 1e-3 * size);
    }
  }
}

}  // namespace primal_accuracy_test
}  // namespace lacuna

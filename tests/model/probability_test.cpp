// Probabilities sum to one, agree with the decision and do not overflow; a calibration improves what it is fitted to.
#include "lacuna/model/probability.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/tally.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace probability_test {

TEST(Probabilities, SumToOneAndFollowTheLargestOutput) {
  for (const Loss& loss :
       std::initializer_list<Loss>{losses::Logistic{}, losses::Probit{}, losses::Probit{std::sqrt(2.0)}})
    for (const Index m : {1, 3, 7}) {
      const int classes = m == 1 ? 2 : int(m);
      const Matrix z = 3.0 * testing::random_matrix(50, m, 5);
      const Matrix p = probabilities(loss, {}, z, classes);
      ASSERT_EQ(p.cols(), classes);
      for (Index i = 0; i < z.rows(); ++i) {
        EXPECT_NEAR(p.row(i).sum(), 1.0, 1e-14);
        if (m == 1) {
          EXPECT_NEAR(p(i, 1), mean(loss, z(i, 0)), 1e-14);
          EXPECT_EQ(p(i, 1) > 0.5, z(i, 0) > 0.0);
          continue;
        }
        Index by_output = 0, by_probability = 0;
        z.row(i).maxCoeff(&by_output);
        p.row(i).maxCoeff(&by_probability);
        EXPECT_EQ(by_output, by_probability);
      }
    }
}

TEST(Probabilities, OneVersusRestIsNormalised) {
  const Matrix z{{1.0, -0.5, 0.2}};
  const auto sigma = [](double v) { return 1.0 / (1.0 + std::exp(-v)); };
  const double total = sigma(1.0) + sigma(-0.5) + sigma(0.2);
  const Matrix p = probabilities(losses::Logistic{}, {}, z, 3);
  EXPECT_NEAR(p(0, 0), sigma(1.0) / total, 1e-15);
  EXPECT_NEAR(p(0, 1), sigma(-0.5) / total, 1e-15);
  EXPECT_NEAR(log_loss(losses::Logistic{}, {}, z, {2})[0], -std::log(sigma(0.2) / total), 1e-14);
}

TEST(Probabilities, AreFiniteForOutputsUpTo700) {
  for (const Loss& loss : std::initializer_list<Loss>{losses::Logistic{}, losses::Probit{}}) {
    const Matrix two{{700.0}, {-700.0}};
    EXPECT_TRUE(probabilities(loss, {}, two, 2).allFinite());
    const Vector wrong = log_loss(loss, {}, two, {0, 1});
    EXPECT_TRUE(wrong.allFinite());
    EXPECT_GE(wrong[0], 699.0);
    const Matrix many{{-700.0, -690.0, -695.0}, {700.0, 690.0, -700.0}};
    const Matrix p = probabilities(loss, {}, many, 3);
    EXPECT_TRUE(p.allFinite());
    EXPECT_NEAR(p.row(0).sum(), 1.0, 1e-12);  // logarithms of size 700 have 1e-13 to lose
    EXPECT_GT(p(0, 1), 0.9);
    EXPECT_TRUE(log_loss(loss, {}, many, {0, 2}).allFinite());
  }
}

TEST(Calibration, FindsTheScaleAndShiftThatMadeTheLabels) {
  Random random(3);
  const Index n = 20000;
  Matrix z(n, 1);
  std::vector<int> label;
  for (Index i = 0; i < n; ++i) {
    z(i, 0) = 4.0 * random.normal();
    label.push_back(random.uniform() < mean(losses::Logistic{}, 0.5 * z(i, 0) - 0.7));
  }
  const Vector ones = Vector::Ones(n);
  const Calibration c = calibrate(losses::Logistic{}, z, label, ones, 1.0);
  EXPECT_TRUE(c.fitted);
  EXPECT_NEAR(c.scale, 0.5, 0.03);
  EXPECT_NEAR(c.shift, -0.7, 0.06);
  EXPECT_LT(log_loss(losses::Logistic{}, c, z, label).sum(), log_loss(losses::Logistic{}, {}, z, label).sum());
  const auto off = [&](const Calibration& calibration) {
    Tally tally;
    const Matrix p = probabilities(losses::Logistic{}, calibration, z, 2);
    tally_decisions(tally, label, label, ones, 2);
    tally_probabilities(tally, p, log_loss(p, label), label, ones);
    return value_of(scores_of(tally), "calibration");
  };
  EXPECT_LT(off(c), 0.02);
  EXPECT_GT(off({}), 0.05);
  // A squared-loss machine has no link of its own: the logistic one is taken.
  EXPECT_NEAR(calibrate(losses::Squared{}, z, label, ones, 1.0).scale, c.scale, 1e-9);
}

TEST(Calibration, StaysFiniteWhereOutputsSeparateTheClassesAndLeavesNonsenseAlone) {
  const Matrix z{{-2.0}, {-1.0}, {1.0}, {2.0}};
  const Calibration c = calibrate(losses::Logistic{}, z, {0, 0, 1, 1}, Vector::Ones(4), 1.0);
  EXPECT_TRUE(c.fitted);
  EXPECT_LT(c.scale, 20.0);
  EXPECT_FALSE(calibrate(losses::Logistic{}, z, {1, 1, 0, 0}, Vector::Ones(4), 1.0).fitted)
      << "outputs that point the wrong way";
  const Matrix three{{5.0, -5.0, -5.0}, {-5.0, 5.0, -5.0}, {-5.0, -5.0, 5.0}};
  EXPECT_LT(calibrate(losses::Logistic{}, three, {0, 1, 2}, Vector::Ones(3), 1.0).scale, 10.0);
}

TEST(Calibration, DoesNotKnowTheUnitOfWeights) {
  Random random(16);
  Matrix z(60, 3);
  std::vector<int> label;
  Vector weights(60);
  for (Index i = 0; i < 60; ++i) {
    label.push_back(int(random.below(3)));
    weights[i] = 1.0 + double(random.below(3));
    for (Index k = 0; k < 3; ++k) z(i, k) = random.normal() + (label.back() == k ? 1.0 : -1.0);
  }
  std::vector<int> two;
  for (const int k : label) two.push_back(k > 0);
  const double one = 1.7;
  const Calibration several = calibrate(losses::Logistic{}, z, label, weights, one),
                    binary = calibrate(losses::Logistic{}, -z.leftCols(1), two, weights, one);
  // A grid of scales, with the prior as it is stated.
  double best = 1e300, at = 0.0;
  for (double a = 0.3; a < 4.0; a += 1e-3) {
    const double value =
        weights.dot(log_loss(losses::Logistic{}, {a, 0.0, true}, z, label)) / one + 0.5 * std::log(a) * std::log(a);
    if (value < best) best = value, at = a;
  }
  EXPECT_NEAR(several.scale, at, 1e-3);
  for (const double unit : {1e-6, 1e6}) {
    EXPECT_NEAR(calibrate(losses::Logistic{}, z, label, unit * weights, unit * one).scale / several.scale, 1.0, 1e-11);
    const Calibration scaled = calibrate(losses::Logistic{}, -z.leftCols(1), two, unit * weights, unit * one);
    EXPECT_NEAR(scaled.scale / binary.scale, 1.0, 1e-9);
    EXPECT_NEAR(scaled.shift, binary.shift, 1e-9);
  }
}

}  // namespace probability_test
}  // namespace lacuna

// Probabilities sum to one, agree with the decision and do not overflow; a calibration improves what it is fitted to; a
// threshold is the best there is.
#include "lacuna/model/probability.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/threshold.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

TEST(Probabilities, SumToOneAndFollowTheLargestOutput) {
  for (const Loss& loss : std::initializer_list<Loss>{Logistic{}, Probit{}, Probit{std::sqrt(2.0)}})
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
  const Matrix p = probabilities(Logistic{}, {}, z, 3);
  EXPECT_NEAR(p(0, 0), sigma(1.0) / total, 1e-15);
  EXPECT_NEAR(p(0, 1), sigma(-0.5) / total, 1e-15);
  EXPECT_NEAR(log_loss(Logistic{}, {}, z, {2})[0], -std::log(sigma(0.2) / total), 1e-14);
}

TEST(Probabilities, AreFiniteForOutputsUpTo700) {
  for (const Loss& loss : std::initializer_list<Loss>{Logistic{}, Probit{}}) {
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
    label.push_back(random.uniform() < mean(Logistic{}, 0.5 * z(i, 0) - 0.7));
  }
  const Vector ones = Vector::Ones(n);
  const Calibration c = calibrate(Logistic{}, z, label, ones);
  EXPECT_TRUE(c.fitted);
  EXPECT_NEAR(c.scale, 0.5, 0.03);
  EXPECT_NEAR(c.shift, -0.7, 0.06);
  EXPECT_LT(log_loss(Logistic{}, c, z, label).sum(), log_loss(Logistic{}, {}, z, label).sum());
  EXPECT_LT(calibration_error(probabilities(Logistic{}, c, z, 2), label, ones), 0.02);
  EXPECT_GT(calibration_error(probabilities(Logistic{}, {}, z, 2), label, ones), 0.05);
  // A squared-loss machine has no link of its own: the logistic one is taken.
  EXPECT_NEAR(calibrate(Squared{}, z, label, ones).scale, c.scale, 1e-9);
}

TEST(Calibration, StaysFiniteWhereOutputsSeparateTheClassesAndLeavesNonsenseAlone) {
  const Matrix z{{-2.0}, {-1.0}, {1.0}, {2.0}};
  const Calibration c = calibrate(Logistic{}, z, {0, 0, 1, 1}, Vector::Ones(4));
  EXPECT_TRUE(c.fitted);
  EXPECT_LT(c.scale, 20.0);
  EXPECT_FALSE(calibrate(Logistic{}, z, {1, 1, 0, 0}, Vector::Ones(4)).fitted) << "outputs that point the wrong way";
  const Matrix three{{5.0, -5.0, -5.0}, {-5.0, 5.0, -5.0}, {-5.0, -5.0, 5.0}};
  EXPECT_LT(calibrate(Logistic{}, three, {0, 1, 2}, Vector::Ones(3)).scale, 10.0);
}

double cost_of(const ThresholdRule& rule, double cut, const Vector& z, const std::vector<int>& label, const Vector& w) {
  double wrong[2] = {0.0, 0.0}, all[2] = {0.0, 0.0};
  for (Index i = 0; i < z.size(); ++i) {
    const int k = label[std::size_t(i)];
    all[k] += w[i];
    if ((z[i] >= cut) != (k == 1)) wrong[k] += w[i];
  }
  if (rule.kind == ThresholdRule::Kind::ber) return wrong[0] / all[0] + wrong[1] / all[1];
  return rule.false_positive * wrong[0] + rule.false_negative * wrong[1];
}

TEST(Threshold, IsTheBestCutOfAll) {
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    Vector z(30), w(30);
    std::vector<int> label;
    for (Index i = 0; i < 30; ++i) {
      label.push_back(random.uniform() < 0.3);
      z[i] = std::round(4.0 * (random.normal() + (label.back() ? 0.7 : -0.3))) / 4.0;  // ties
      w[i] = trial % 2 ? 1.0 : random.uniform();
    }
    label[0] = 0, label[1] = 1;
    for (const ThresholdRule& rule : {ThresholdRule{}, ThresholdRule{ThresholdRule::Kind::ber},
                                      ThresholdRule{ThresholdRule::Kind::cost, 1.0, 10.0}}) {
      const double chosen = cost_of(rule, choose_threshold(rule, z, label, w, 0.0), z, label, w);
      for (double cut = -6.0; cut < 6.0; cut += 0.05) EXPECT_LE(chosen, cost_of(rule, cut, z, label, w) + 1e-12);
    }
  }
}

TEST(Threshold, StaysWhereItIsWhenNothingIsGained) {
  const Vector z{{-2.0, -1.0, 1.5, 2.0}};
  EXPECT_EQ(choose_threshold({}, z, {0, 0, 1, 1}, Vector::Ones(4), 0.0), 0.0);
  EXPECT_EQ(choose_threshold({}, z, {0, 0, 1, 1}, Vector::Ones(4), 0.4), 0.4);
}

TEST(Threshold, WordsAreReadAndWrittenBack) {
  for (const char* word : {"error", "ber", "cost:1,5", "cost:0.5,2"}) EXPECT_EQ(text(parse_threshold(word)), word);
  for (const char* word : {"", "cost", "cost:", "cost:1", "cost:1,", "cost:1,-2", "cost:1,2,3", "auc"})
    EXPECT_THROW(parse_threshold(word), Error) << word;
}

}  // namespace
}  // namespace lacuna

// Each criterion is the weighted mean it says it is, its derivative matches central differences, and its limits hold.
#include "lacuna/criterion/criterion.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/criterion/auc.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace criterion_test {

struct Fixture {
  Matrix z;
  Truth truth;
};

Fixture binary(Index n) {
  Fixture f{testing::random_matrix(n, 1, 1), {}};
  f.truth.targets = testing::random_signs(testing::random_rows(n, 2, 2), 3);
  for (Index i = 0; i < n; ++i) f.truth.label.push_back(f.truth.targets(i, 0) > 0.0);
  f.truth.classes = 2;
  f.truth.weights = testing::random_weights(n, 4, 3);
  return f;
}

Fixture several(Index n) {
  Fixture f{testing::random_matrix(n, 3, 1), {}};
  f.truth.targets = Matrix::Constant(n, 3, -1.0);
  for (Index i = 0; i < n; ++i) {
    f.truth.label.push_back(int(i % 3));
    f.truth.targets(i, i % 3) = 1.0;
  }
  f.truth.classes = 3;
  f.truth.weights = testing::random_weights(n, 4, 3);
  return f;
}

double sum_over(const Fixture& f, double (*term)(double z, double y)) {
  double sum = 0.0;
  for (Index c = 0; c < f.z.cols(); ++c)
    for (Index i = 0; i < f.z.rows(); ++i) sum += f.truth.weights[i] * term(f.z(i, c), f.truth.targets(i, c));
  return sum / f.truth.weights.sum() / double(f.z.cols());
}

TEST(Criterion, IsTheWeightedMeanOfItsTerm) {
  for (const Fixture& f : {binary(40), several(41)}) {
    const auto value = [&](Criterion c) { return criterion_score(c, f.z, f.truth, false).value; };
    EXPECT_NEAR(value(Criterion::press), sum_over(f, [](double z, double y) { return (y - z) * (y - z); }), 1e-14);
    EXPECT_NEAR(value(Criterion::hinge), sum_over(f, [](double z, double y) { return std::max(0.0, 1 - y * z); }),
                1e-14);
    EXPECT_NEAR(value(Criterion::hinge2),
                sum_over(f, [](double z, double y) { return std::pow(std::max(0.0, 1 - y * z), 2); }), 1e-14);
    EXPECT_NEAR(value(Criterion::smooth_error),
                sum_over(f, [](double z, double y) { return 1.0 / (1.0 + std::exp(10 * y * z)); }), 1e-14);
  }
}

TEST(Criterion, ErrorAndBerCountWrongLabels) {
  Fixture f = binary(50);
  double wrong[2] = {0, 0}, total[2] = {0, 0};
  for (Index i = 0; i < 50; ++i) {
    const int k = f.truth.label[std::size_t(i)];
    total[k] += f.truth.weights[i];
    if ((f.z(i, 0) >= 0.0) != (k == 1)) wrong[k] += f.truth.weights[i];
  }
  EXPECT_NEAR(criterion_score(Criterion::error, f.z, f.truth, false).value,
              (wrong[0] + wrong[1]) / (total[0] + total[1]), 1e-14);
  EXPECT_NEAR(criterion_score(Criterion::ber, f.z, f.truth, false).value,
              0.5 * (wrong[0] / total[0] + wrong[1] / total[1]), 1e-14);
  EXPECT_EQ(predicted_labels(Matrix::Zero(1, 1), 2)[0], 1) << "an output of 0 predicts the positive class";
}

TEST(Criterion, SmoothErrorAndWmwTendToTheirStepsAsTheGainGrows) {
  const Fixture f = binary(50);
  const CriterionOptions steep{.gain = 1e6, .seed = 0};
  EXPECT_NEAR(criterion_score(Criterion::smooth_error, f.z, f.truth, false, steep).value,
              criterion_score(Criterion::error, f.z, f.truth, false).value, 1e-9);
  std::vector<bool> positive;
  for (const int k : f.truth.label) positive.push_back(k == 1);
  EXPECT_NEAR(criterion_score(Criterion::wmw, f.z, f.truth, false, steep).value,
              1.0 - area_under_curve(f.z.col(0), positive, f.truth.weights), 1e-9);
}

TEST(Criterion, DerivativeMatchesCentralDifferences) {
  for (const Fixture& f : {binary(30), several(30)})
    for (const Criterion c :
         {Criterion::press, Criterion::smooth_error, Criterion::hinge, Criterion::hinge2, Criterion::wmw}) {
      const CriterionOptions options{.gain = 4.0, .seed = 0};
      const CriterionScore s = criterion_score(c, f.z, f.truth, true, options);
      for (Index i = 0; i < f.z.rows(); ++i)
        for (Index k = 0; k < f.z.cols(); ++k) {
          if (std::abs(1.0 - f.truth.targets(i, k) * f.z(i, k)) < 1e-4) continue;  // the hinge's kink
          Matrix up = f.z, down = f.z;
          up(i, k) += 1e-5;
          down(i, k) -= 1e-5;
          const double fd = (criterion_score(c, up, f.truth, false, options).value -
                             criterion_score(c, down, f.truth, false, options).value) /
                            2e-5;
          EXPECT_NEAR(s.d_output(i, k), fd, 1e-8) << name_of(c);
        }
    }
}

// All but the evidence, which judges a model and no outputs.
std::vector<std::string> scores() {
  std::vector<std::string> names = criterion_names();
  std::erase(names, "evidence");
  return names;
}

TEST(Criterion, TheEvidenceIsNoScoreOfOutputs) {
  EXPECT_THROW(criterion_score(Criterion::evidence, Matrix::Zero(2, 1), {}, false), Error);
}

TEST(Criterion, RowsOfZeroSelectionWeightDoNotCount) {
  Fixture f = binary(30);
  Matrix moved = f.z;
  for (Index i = 0; i < 30; ++i)
    if (f.truth.weights[i] == 0.0) moved(i, 0) = 1e9;
  for (const std::string& n : scores())
    EXPECT_EQ(criterion_score(parse_criterion(n), f.z, f.truth, false).value,
              criterion_score(parse_criterion(n), moved, f.truth, false).value)
        << n;
}

TEST(Criterion, StaysFiniteForExtremeOutputs) {
  Fixture f = binary(20);
  f.z *= 1e6;
  for (const std::string& n : scores()) {
    const CriterionScore s = criterion_score(parse_criterion(n), f.z, f.truth, true);
    EXPECT_TRUE(std::isfinite(s.value)) << n;
    EXPECT_TRUE(s.d_output.allFinite()) << n;
  }
}

TEST(Criterion, WmwOnASampleOfPairsIsCloseToAllPairs) {
  const Index n = 6600;  // 10.9 million pairs
  Fixture f{testing::random_matrix(n, 1, 1), {}};
  f.truth.targets.resize(n, 1);
  for (Index i = 0; i < n; ++i) {
    f.truth.targets(i, 0) = i % 2 ? 1.0 : -1.0;
    f.z(i, 0) += 0.3 * f.truth.targets(i, 0);
    f.truth.label.push_back(int(i % 2));
  }
  f.truth.classes = 2;
  f.truth.weights = Vector::Ones(n);
  const CriterionOptions steep{.gain = 1e4, .seed = 7};
  std::vector<bool> positive;
  for (const int k : f.truth.label) positive.push_back(k == 1);
  const double sampled = criterion_score(Criterion::wmw, f.z, f.truth, false, steep).value;
  EXPECT_NEAR(sampled, 1.0 - area_under_curve(f.z.col(0), positive, f.truth.weights), 1e-3);  // 3 / sqrt(10^7)
  EXPECT_EQ(sampled, criterion_score(Criterion::wmw, f.z, f.truth, false, steep).value);
}

TEST(Criterion, SuggestsTheNearestName) {
  try {
    parse_criterion("pres");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(e.what()).find("'press'"), std::string::npos);
  }
}

TEST(AreaUnderCurve, CountsTiesOneHalf) {
  Vector z(4), w = Vector::Ones(4);
  z << 1, 1, 2, 0;
  EXPECT_EQ(area_under_curve(z, {true, false, true, false}, w), (0.5 + 1 + 1 + 1) / 4.0);
}

}  // namespace criterion_test
}  // namespace lacuna

// A row of weight k is k copies of it in every curve, and a row of weight 0 is none.
#include <cmath>

#include "lacuna/curves/counted.hpp"
#include "lacuna/curves/coverage.hpp"
#include "lacuna/curves/cuts.hpp"
#include "lacuna/curves/learning.hpp"
#include "lacuna/curves/quantile_residuals.hpp"
#include "lacuna/curves/ranking.hpp"
#include "lacuna/curves/reliability.hpp"
#include "lacuna/curves/standard_errors.hpp"
#include "lacuna/curves/surface.hpp"
#include "tests/support/samples.hpp"

namespace lacuna {
namespace weights_test {

using testing::copied;
using testing::fitted;
using testing::weighted_sample;

struct Ranked {
  Vector p, weight;
  std::vector<bool> hit;
};

// With ties, and every row as often as it weighs.
Ranked some_rows() {
  Random random(3);
  Ranked out{Vector(90), Vector(90), {}};
  for (Index i = 0; i < 90; ++i) {
    out.p[i] = std::round(40.0 * random.uniform()) / 40.0;
    out.weight[i] = double(1 + i % 3);
    out.hit.push_back(random.uniform() < out.p[i]);
  }
  return out;
}
Ranked repeated(const Ranked& rows) {
  Ranked out;
  std::vector<double> p;
  for (Index i = 0; i < rows.p.size(); ++i)
    for (int k = 0; k < int(rows.weight[i]); ++k) {
      p.push_back(rows.p[i]);
      out.hit.push_back(rows.hit[std::size_t(i)]);
    }
  out.p = Eigen::Map<const Vector>(p.data(), Index(p.size()));
  return out;
}

void expect_equal(const std::vector<double>& a, const std::vector<double>& b, double tolerance = 1e-12) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], tolerance);
}

TEST(CurvesWeights, CurvesOfWeightsAreThoseOfCopies) {
  const Ranked one = some_rows(), many = repeated(one);
  const Reliability a = reliability(one.p, one.hit, one.weight), b = reliability(many.p, many.hit);
  expect_equal(a.p, b.p);
  expect_equal(a.share, b.share);
  ASSERT_EQ(a.bins.size(), b.bins.size());
  for (std::size_t k = 0; k < a.bins.size(); ++k) {
    EXPECT_NEAR(a.bins[k].rows, b.bins[k].rows, 1e-12);
    EXPECT_NEAR(a.bins[k].stated, b.bins[k].stated, 1e-12);
    EXPECT_NEAR(a.bins[k].was, b.bins[k].was, 1e-12);
    EXPECT_LT(a.bins[k].lower, b.bins[k].lower + 1e-12);  // fewer rows are less sure
  }
  const Ranking c = ranking(one.p, one.hit, one.weight), d = ranking(many.p, many.hit);
  EXPECT_NEAR(c.area, d.area, 1e-12);
  EXPECT_NEAR(c.share, d.share, 1e-12);
  expect_equal(c.roc.x, d.roc.x);
  expect_equal(c.roc.y, d.roc.y);
  expect_equal(c.precision.y, d.precision.y);
  const Cuts e = count_cuts(one.p, one.hit, one.weight), f = count_cuts(many.p, many.hit);
  for (const auto of : {&Cuts::tp, &Cuts::fp, &Cuts::fn, &Cuts::tn}) expect_equal(e.*of, f.*of);
}

TEST(CurvesWeights, TheUnitOfWeightsDoesNotMatter) {
  const Ranked one = some_rows();
  const Vector other = 1e-3 * one.weight;
  const Reliability a = reliability(one.p, one.hit, one.weight), b = reliability(one.p, one.hit, other);
  expect_equal(a.share, b.share);
  expect_equal(a.upper, b.upper);
  for (std::size_t k = 0; k < a.bins.size(); ++k) EXPECT_NEAR(a.bins[k].upper, b.bins[k].upper, 1e-12);
  EXPECT_NEAR(ranking(one.p, one.hit, one.weight).standard_error, ranking(one.p, one.hit, other).standard_error, 1e-12);
}

TEST(CurvesWeights, ModelsOfWeightsAndOfCopiesHeldOutTogetherHaveTheSameCurvesAndErrors) {
  for (const std::string target : {"value", "class", "letter", "count"}) {
    const Encoded weighted = weighted_sample(target, 60, true);
    const TrainOptions options{.kernel = rbf(0.2), .lambda = 0.3};
    const Model one = fitted(weighted, options), many = fitted(copied(weighted), options);
    ASSERT_TRUE(one.report.weighted);
    ASSERT_EQ(many.held_out.size(), 120);
    EXPECT_EQ(counted_rows(one).size(), 60);
    EXPECT_EQ(counted_rows(many).size(), 60);
    EXPECT_EQ(counted_rows(one).weight, counted_rows(many).weight);
    const NamedScores a = held_out_standard_errors(one), b = held_out_standard_errors(many);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_GE(a.size(), 2U) << target;
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].first, b[k].first);
      EXPECT_GT(a[k].second, 0.0) << target << a[k].first;
      EXPECT_NEAR(a[k].second, b[k].second, 1e-8) << target << a[k].first;
    }
    const auto levels = held_out_coverage(one, 0), same = held_out_coverage(many, 0);
    ASSERT_EQ(levels.size(), same.size());
    EXPECT_EQ(levels.empty(), target != "value");
    for (std::size_t k = 0; k < levels.size(); ++k) {
      EXPECT_NEAR(levels[k].inside, same[k].inside, 1e-12);
      EXPECT_NEAR(levels[k].upper, same[k].upper, 1e-12);
    }
    const QuantileResiduals q = quantile_residuals(one), r = quantile_residuals(many);
    EXPECT_EQ(q.residual.size(), target == "count" ? 60U : 0U);
    expect_equal(q.residual, r.residual, 1e-7);
    expect_equal(q.normal, r.normal, 1e-12);
    expect_equal(q.upper, r.upper, 1e-12);
  }
}

TEST(CurvesWeights, CoverageIsTheShareOfTheWeightInside) {
  const Model model = fitted(weighted_sample("value", 60, false), {.kernel = rbf(0.2), .lambda = 0.3});
  const auto levels = held_out_coverage(model, 0);
  ASSERT_GT(levels.size(), 10U);
  const CoverageLevel& at = levels[9];
  EXPECT_NEAR(at.level, 0.5, 1e-12);
  double inside = 0.0, all = 0.0;
  for (Index i = 0; i < 60; ++i) {
    const double w = double(1 + i % 3);
    all += w;
    if (std::abs(model.held_out.target(i, 0) - model.held_out.output(i, 0)) <= at.width) inside += w;
  }
  EXPECT_NEAR(at.inside, inside / all, 1e-12);
  EXPECT_GT(at.upper, 0.5);
}

TEST(CurvesWeights, RowsOfWeightZeroAreNotThere) {
  Encoded with = weighted_sample("class", 60, false);
  for (Index i = 0; i < 60; i += 4) with.data.weights[i] = 0.0;
  const Model model = fitted(with, {.kernel = rbf(0.2), .lambda = 0.3});
  EXPECT_EQ(counted_rows(model).size(), 45);
  EXPECT_GT(counted_rows(model).weight.minCoeff(), 0.0);
}

// Whatever decides what rows count: the machine fitted again has the criterion of the model.
TEST(CurvesWeights, AFitAgainCountsRowsAsTheModelDid) {
  for (const std::string target : {"value", "class", "count"})
    for (const char* what : {"weights", "groups", "training", "selection", "balanced"}) {
      const std::string how = what;
      Encoded of = weighted_sample(target, 60, how == "groups");
      TrainOptions options{.kernel = rbf(0.2), .lambda = 0.3};
      const Vector other = 0.5 * of.data.weights.reverse();
      if (how == "balanced") {
        if (target != "class") continue;
        of.data.weights = {};
        options.train_weights = Weighting::balanced;
      } else {
        of.data.weights *= 5.0;
      }
      if (how == "training") of.data.train_weights = other, options.train_weights = Weighting::column;
      if (how == "selection") of.data.select_weights = other, options.select.weights = Weighting::column;
      const Model model = fitted(of, options);
      const FitAgain again = fit_again(model, rows_of_model(model));
      ASSERT_EQ(again.missing, "") << target << how;
      const double is = train(again.data, again.options).report.criterion_value;
      EXPECT_NEAR(is, model.report.criterion_value, 2e-6 * std::abs(is)) << target << how;
      const CriterionSurface s = criterion_surface(model, again);
      const Index i = s.x.size() / 2, j = s.y.size() / 2;
      EXPECT_NEAR(s.value(i, j), is, 0.02 * std::abs(is)) << target << how;
    }
}

TEST(CurvesWeights, TheLearningCurveOfWeightsIsThatOfCopies) {
  for (const std::string target : {"value", "class"}) {
    const Encoded weighted = weighted_sample(target, 90, true);
    const TrainOptions options{.kernel = rbf(0.2), .lambda = 0.3};
    const Model one = fitted(weighted, options), many = fitted(copied(weighted), options);
    const LearningCurve a = learning_curve(one, fit_again(one, rows_of_model(one)), 0.0),
                        b = learning_curve(many, fit_again(many, rows_of_model(many)), 0.0);
    ASSERT_EQ(a.missing, "");
    ASSERT_EQ(a.sizes.size(), b.sizes.size());
    for (std::size_t k = 0; k < a.sizes.size(); ++k) {
      EXPECT_EQ(a.sizes[k].rows, b.sizes[k].rows);
      EXPECT_NEAR(a.sizes[k].loss, b.sizes[k].loss, 1e-5 * a.sizes[k].loss) << target << k;
    }
  }
}

}  // namespace weights_test
}  // namespace lacuna

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/curves/learning.hpp"
#include "lacuna/curves/quantile_residuals.hpp"
#include "lacuna/curves/standard_errors.hpp"
#include "lacuna/curves/surface.hpp"

namespace lacuna {
namespace of_models_test {

struct Data {
  RowMatrix X;
  std::vector<double> t;
  std::vector<std::string> labels;
};

Data some_data(Index n, std::uint64_t seed) {
  Random random(seed);
  Data out{RowMatrix(n, 2), {}, {}};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < 2; ++j) out.X(i, j) = random.normal();
    const double f = std::sin(out.X(i, 0)) + 0.5 * out.X(i, 1);
    out.t.push_back(f + 0.3 * random.normal());
    out.labels.emplace_back(f + random.normal() > 0.0 ? "b" : "a");
  }
  return out;
}

TEST(CurvesOfModels, AFitAgainIsTheModelItself) {
  const Data data = some_data(60, 1);
  for (const Model& model : {train(data.X, data.t), train(data.X, data.labels)}) {
    const FitAgain again = fit_again(model, rows_of_model(model));
    ASSERT_EQ(again.missing, "");
    const Model other = train(again.data, again.options);
    EXPECT_NEAR(other.report.criterion_value, model.report.criterion_value, 1e-6 * model.report.criterion_value);
    EXPECT_NEAR(value_of(other.report.held_out, main_score(model)), value_of(model.report.held_out, main_score(model)),
                1e-6);
  }
}

TEST(CurvesOfModels, TheSurfaceIsTheCriterionOfFitsAtItsPoints) {
  const Data data = some_data(50, 2);
  const Model model = train(data.X, data.t);
  const CriterionSurface s = criterion_surface(model, fit_again(model, rows_of_model(model)));
  ASSERT_EQ(s.missing, "");
  EXPECT_EQ(s.x_name, "lambda");
  EXPECT_EQ(s.y_name, "theta");
  for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {4, 4}, {8, 2}}) {
    TrainOptions options{.model = ls_svm(), .kernel = rbf(s.y[j]), .lambda = s.x[i]};
    EXPECT_NEAR(s.value(i, j), train(data.X, data.t, options).report.criterion_value, 1e-9);
  }
  EXPECT_GE(s.value.minCoeff(), model.report.criterion_value - 1e-9);  // the optimum is no worse than the grid
}

TEST(CurvesOfModels, TheChoiceIsAPointOfAnEvenGridThatReachesTheOtherOptima) {
  const Data data = some_data(50, 2);
  Model model = train(data.X, data.t);
  model.report.search.optima.push_back({{40.0 * model.lambda, 0.02 * kernel_parameters(model.kernel)[0]}, 1.0});
  const CriterionSurface s = criterion_surface(model, fit_again(model, rows_of_model(model)));
  const auto place = [](const Vector& grid, double value) { return std::ranges::find(grid, value) - grid.begin(); };
  const Index i = place(s.x, model.lambda), j = place(s.y, kernel_parameters(model.kernel)[0]);
  ASSERT_LT(i, s.x.size());
  ASSERT_LT(j, s.y.size());
  EXPECT_NEAR(s.value(i, j), model.report.criterion_value, 1e-9);
  for (const Vector& grid : {s.x, s.y})
    for (Index k = 2; k < grid.size(); ++k)
      EXPECT_NEAR(grid[k] / grid[k - 1], grid[1] / grid[0], 1e-9 * grid[1] / grid[0]);
  EXPECT_LE(s.x[0], model.lambda * std::pow(10.0, -2.5 + 1e-9));
  EXPECT_GE(s.x[s.x.size() - 1], 40.0 * model.lambda);
  EXPECT_LE(s.y[0], 0.02 * kernel_parameters(model.kernel)[0]);
}

TEST(CurvesOfModels, TheLearningCurveFallsAndEndsAtTheHeldOutScore) {
  const Data data = some_data(200, 3);
  const Model model = train(data.X, data.t);
  const LearningCurve c = learning_curve(model, fit_again(model, rows_of_model(model)), 0.01);
  ASSERT_EQ(c.missing, "");
  EXPECT_EQ(c.score, "rmse");
  ASSERT_EQ(c.sizes.size(), 5U);
  EXPECT_EQ(c.sizes[0].rows, 25);
  EXPECT_EQ(c.sizes.back().rows, 200);
  EXPECT_EQ(c.sizes.back().loss, value_of(model.report.held_out, "rmse"));
  EXPECT_GT(c.sizes.front().loss, c.sizes.back().loss);
}

// By fits of the test's own: half of the rows, the others judged in plain sums.
TEST(CurvesOfModels, APointOfTheLearningCurveIsTheMeanLossOfFitsOfSomeOfTheRows) {
  const Data data = some_data(64, 8);
  const Model model = train(data.X, data.t);
  const LearningCurve c = learning_curve(model, fit_again(model, rows_of_model(model)), 0.01, 5);
  ASSERT_EQ(c.missing, "");
  ASSERT_EQ(c.sizes[2].rows, 32);
  ASSERT_EQ(c.sizes[2].repeats, 8);
  const TrainOptions options{
      .model = ls_svm(), .kernel = parse_kernel(kernel_text(model.kernel)), .lambda = model.lambda};
  double mean = 0.0;
  for (std::uint64_t seed = 5; seed < 13; ++seed) {
    const Folds folds = k_folds(64, 8, {}, seed);
    std::vector<bool> seen(64, false);
    for (std::size_t f = 0; f < 4; ++f)
      for (const Index i : folds[f]) seen[std::size_t(i)] = true;
    std::vector<Index> some, rest;
    std::vector<double> t;
    for (Index i = 0; i < 64; ++i) {
      (seen[std::size_t(i)] ? some : rest).push_back(i);
      if (seen[std::size_t(i)]) t.push_back(data.t[std::size_t(i)]);
    }
    const Model half = train(RowMatrix(data.X(some, Eigen::all)), t, options);
    const Matrix said = outputs(half, RowMatrix(data.X(rest, Eigen::all)));
    double squares = 0.0;
    for (std::size_t k = 0; k < rest.size(); ++k)
      squares += std::pow(said(Index(k), 0) - data.t[std::size_t(rest[k])], 2);
    mean += std::sqrt(squares / 32.0) / 8.0;
  }
  EXPECT_NEAR(c.sizes[2].loss, mean, 1e-6);
}

// A gain is of rows that both have judged, and bars know how many there were.
TEST(CurvesOfModels, PointsOfTheLearningCurveAreAsSureAsTheRowsThatWereJudged) {
  const Data data = some_data(120, 8);
  const Model model = train(data.X, data.t);
  const LearningCurve c = learning_curve(model, fit_again(model, rows_of_model(model)), 0.01);
  ASSERT_EQ(c.missing, "");
  const Vector losses = held_out_loss(model);
  const double mean = losses.mean();
  const double over_rows = std::sqrt((losses.array() - mean).square().sum() / 119.0 / 120.0) / (2.0 * std::sqrt(mean));
  for (std::size_t k = 0; k + 1 < c.sizes.size(); ++k) EXPECT_GT(c.sizes[k].standard_error, 0.6 * over_rows) << k;
  ASSERT_TRUE(c.gain);
  EXPECT_EQ(c.sizes[c.gain->from].rows, 60);
  EXPECT_EQ(c.sizes[c.gain->to].rows, 120);
  EXPECT_NEAR(c.gain->value, c.sizes[c.gain->from].loss - c.sizes[c.gain->to].loss, 0.5 * over_rows);
  EXPECT_GT(c.gain->standard_error, 0.0);
  EXPECT_LT(c.gain->standard_error, c.sizes[c.gain->from].standard_error + over_rows);
}

// Folds are those of the model's own seed.
TEST(CurvesOfModels, ARepeatHasTheFoldsOfTheModel) {
  const Data data = some_data(60, 5);
  TrainOptions options;
  options.select.cv = parse_cross_validation("5x2");
  options.select.search_options.seed = 17;
  const Model model = train(data.X, data.t, options);
  const FitAgain again = fit_again(model, rows_of_model(model));
  EXPECT_NEAR(train(again.data, again.options).report.criterion_value, model.report.criterion_value,
              1e-6 * model.report.criterion_value);
}

TEST(CurvesOfModels, WhatIsMissingIsSaid) {
  const Data data = some_data(60, 4);
  TrainOptions on_basis{.kernel = rbf(0.5), .lambda = 0.1, .basis = BasisRequest{.size = 10}};
  on_basis.select.search = SearchMethod::none;
  const Model model = train(data.X, data.t, on_basis);
  EXPECT_NE(fit_again(model, rows_of_model(model)).missing, "");
  const Model few = train(RowMatrix(data.X.topRows(20)), std::vector<double>(data.t.begin(), data.t.begin() + 20));
  EXPECT_NE(learning_curve(few, fit_again(few, rows_of_model(few)), 0.0).missing, "");
}

TEST(CurvesOfModels, StandardErrorsAreThoseOfResampledRows) {
  const Data data = some_data(150, 5);
  const Model values = train(data.X, data.t), classes = train(data.X, data.labels);
  const auto resampled = [](const Vector& loss, const auto& score) {
    Random random(1);
    std::vector<double> seen;
    for (int r = 0; r < 2000; ++r) {
      Vector some(loss.size());
      for (Index i = 0; i < loss.size(); ++i) some[i] = loss[Index(random.below(std::uint64_t(loss.size())))];
      seen.push_back(score(some.mean()));
    }
    double mean = 0.0, squares = 0.0;
    for (const double v : seen) mean += v / double(seen.size());
    for (const double v : seen) squares += (v - mean) * (v - mean) / double(seen.size());
    return std::sqrt(squares);
  };
  const NamedScores of_values = held_out_standard_errors(values), of_classes = held_out_standard_errors(classes);
  const double rmse = resampled(held_out_loss(values), [](double m) { return std::sqrt(m); });
  EXPECT_NEAR(value_of(of_values, "rmse"), rmse, 0.1 * rmse);  // 2,000 resamples know it to some per cent
  const double xent = resampled(held_out_loss(classes), [](double m) { return m; });
  EXPECT_NEAR(value_of(of_classes, "xent"), xent, 0.1 * xent);
  const Predictions said = held_out_predictions(classes);
  Vector wrong(classes.held_out.size());
  for (Index i = 0; i < wrong.size(); ++i)
    wrong[i] = said.label[std::size_t(i)] != classes.held_out.label[std::size_t(i)] ? 1.0 : 0.0;
  const double error = resampled(wrong, [](double m) { return m; });
  EXPECT_NEAR(value_of(of_classes, "error"), error, 0.1 * error);
}

TEST(CurvesOfModels, QuantileResidualsOfPoissonCountsAreNormalAndOthersAreNot) {
  Random random(6);
  const Index n = 300;
  RowMatrix X(n, 1);
  std::vector<double> right, wrong;
  for (Index i = 0; i < n; ++i) {
    X(i, 0) = random.normal();
    const double mean = std::exp(1.0 + 0.5 * X(i, 0));
    right.push_back(random.poisson(mean));
    wrong.push_back(random.poisson(mean * (random.uniform() < 0.5 ? 0.2 : 1.8)));  // scatters more
  }
  TrainOptions options{.model = poisson_regression(), .kernel = linear()};
  const auto deviation = [&](const std::vector<double>& t) {
    const QuantileResiduals q =
        quantile_residuals(train(make_dataset(X, t, DataOptions::TaskRequest::counts), options));
    EXPECT_EQ(q.residual.size(), std::size_t(n));
    double squares = 0.0;
    for (const double r : q.residual) squares += r * r / double(n);
    for (std::size_t k = 0; k < q.normal.size(); ++k) {
      EXPECT_LE(q.lower[k], q.normal[k]);
      EXPECT_GE(q.upper[k], q.normal[k]);
    }
    return std::sqrt(squares);
  };
  EXPECT_NEAR(deviation(right), 1.0, 0.13);  // three standard errors of a deviation of 300 numbers
  EXPECT_GT(deviation(wrong), 1.3);
}

}  // namespace of_models_test
}  // namespace lacuna

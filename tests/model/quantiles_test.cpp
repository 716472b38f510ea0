// Quantiles and the standard deviation of new values: ends of intervals, the formula, coverage, files, refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/predictor.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/noisy_sinc.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace quantiles_test {

Predictions with_quantiles(const Model& model, const RowsView& X, const std::vector<double>& p) {
  return predict(model, X, {}, cpu_backend(), {.quantiles = p});
}

TEST(Quantiles, AreTheEndsOfIntervalsAndTheMiddleIsThePrediction) {
  for (const bool grows : {false, true}) {
    const Dataset data = sinc(120, 1, grows), fresh = sinc(20, 2, grows);
    const Model model = train(data, {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.3});
    ASSERT_EQ(model.intervals.noise.has_value(), grows);
    const Predictions said = with_quantiles(model, fresh.X, {0.95, 0.05, 0.5, 0.25, 0.75, 0.333});
    ASSERT_EQ(said.quantiles.size(), 6u);
    EXPECT_EQ(said.quantiles[0], said.upper);
    EXPECT_EQ(said.quantiles[1], said.lower);
    EXPECT_EQ(said.quantiles[2], said.value);
    const Matrix s = grows ? said.noise : Matrix(Matrix::Ones(20, 1));
    const double half = half_width_at(model.intervals, 0.5)[0], third = half_width_at(model.intervals, 0.334)[0];
    EXPECT_LT((said.quantiles[3] - (said.value - half * s)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((said.quantiles[4] - (said.value + half * s)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((said.quantiles[5] - (said.value - third * s)).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(Quantiles, TheDeviationIsTheRootMeanSquareOfHeldOutResidualsTimesTheNoise) {
  const Dataset data = sinc(120, 1, true), fresh = sinc(20, 2, true);
  const TrainOptions options{.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.3};
  const Model model = train(data, options);
  ASSERT_TRUE(model.intervals.noise);
  const Matrix r = data.targets - model.held_out.output;
  const Model gamma = machine_of_squares(data, r);
  const Vector s = (0.5 * gamma.held_out.output.col(0).array()).exp();
  const double rms = std::sqrt(r.col(0).cwiseQuotient(s).squaredNorm() / 120.0);
  const Matrix at = sizes_of_noise(gamma, data, fresh.X);
  EXPECT_LT((predict(model, fresh.X).deviation - rms * at).cwiseAbs().maxCoeff(), 1e-9);

  TrainOptions one_width = options;
  one_width.held_out.interval_method = IntervalMethod::constant;
  const Model constant = train(data, one_width);
  EXPECT_FALSE(constant.intervals.noise);
  EXPECT_NEAR(predict(constant, fresh.X).deviation(3, 0), std::sqrt(r.squaredNorm() / 120.0), 1e-12);
}

TEST(Quantiles, HaveTheShareOfNewValuesBelowThem) {
  const std::vector<double> p{0.05, 0.2, 0.5, 0.8, 0.95};
  Vector below = Vector::Zero(5);
  double squares = 0.0;
  constexpr int draws = 6;
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    const Dataset fresh = sinc(1000, 100 + seed, true);
    const Predictions said = with_quantiles(train(sinc(200, seed, true)), fresh.X, p);
    for (Index k = 0; k < 5; ++k)
      below[k] += (fresh.targets.array() <= said.quantiles[std::size_t(k)].array()).cast<double>().mean() / draws;
    squares += ((fresh.targets - said.value).array() / said.deviation.array()).square().mean() / draws;
  }
  // A draw of 200 rows gives a quantile to about 0.03 in its share; the mean of six to half of that.
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(below[k], p[std::size_t(k)], 0.04);
  EXPECT_NEAR(squares, 1.0, 0.15);
}

TEST(Quantiles, SurviveTheModelFile) {
  const Dataset data = sinc(60, 3, true);
  const Model model = train(data), back = model_from_bytes(model_to_bytes(model), "memory");
  const Predictions a = with_quantiles(model, data.X, {0.1, 0.9}), b = with_quantiles(back, data.X, {0.1, 0.9});
  EXPECT_EQ(a.quantiles, b.quantiles);
  EXPECT_EQ(a.deviation, b.deviation);
  EXPECT_GT(a.deviation.size(), 0);
}

TEST(Quantiles, PartsOfTheRowsJoinToAllOfThem) {
  const Dataset data = sinc(60, 3, true);
  const Model model = train(data);
  const Predictions whole = with_quantiles(model, data.X, {0.1, 0.5});
  std::vector<Predictions> parts;
  for (const Index first : {Index(0), Index(25), Index(50)})
    parts.push_back(
        with_quantiles(model, middle_rows(RowsView(data.X), first, std::min<Index>(25, 60 - first)), {0.1, 0.5}));
  const Predictions all = join_predictions(parts);
  EXPECT_TRUE(all.value.isApprox(whole.value, 1e-12));
  EXPECT_TRUE(all.upper.isApprox(whole.upper, 1e-12));
  EXPECT_TRUE(all.deviation.isApprox(whole.deviation, 1e-12));
  EXPECT_TRUE(all.quantiles[0].isApprox(whole.quantiles[0], 1e-12));
  EXPECT_EQ(all.probability.size(), 0);
}

TEST(Quantiles, AreRefusedWhereThereAreNone) {
  const auto why = [](const Model& model, const Dataset& data, const PredictOptions& wanted) {
    return test::refusal([&] { predict(model, data.X, {}, cpu_backend(), wanted); });
  };
  const Dataset data = sinc(30, 4, false);
  const Model model = train(data, {.kernel = rbf(0.3), .lambda = 0.3});
  EXPECT_EQ(why(model, data, {.quantiles = {0.1, 0.5}, .deviation = true}), "");
  for (const double p : {0.0, 1.0, -0.1, std::nan("")})
    EXPECT_NE(why(model, data, {.quantiles = {p}}).find("between 0 and 1"), std::string::npos) << p;
  EXPECT_NE(why(model, data, {.quantiles = {0.01}}).find("the level 0.98 is above 0.96"), std::string::npos);

  Dataset counts = data;
  counts.targets = data.targets.array().abs().ceil();
  counts.task = Task::counts;
  const Model poisson = train(counts, {.kernel = rbf(0.3), .lambda = 0.3});
  EXPECT_NE(why(poisson, counts, {.quantiles = {0.5}}).find("model poisson knows the mean"), std::string::npos);
  EXPECT_NE(why(poisson, counts, {.deviation = true}).find("standard deviations are of values"), std::string::npos);

  std::vector<std::string> labels;
  for (const double t : data.targets.col(0)) labels.push_back(t > 0.5 ? "yes" : "no");
  for (const Machine& machine : {klr(), gp_laplace_classifier()}) {
    const Model classes = train(data.X, labels, {.model = machine, .kernel = rbf(0.3), .lambda = 0.3});
    EXPECT_NE(why(classes, data, {.quantiles = {0.5}}).find("predicts classes"), std::string::npos);
  }
}

}  // namespace quantiles_test
}  // namespace lacuna

// Intervals that follow the noise: against the formula with a gamma machine of the test's own, coverage, files.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/noisy_sinc.hpp"

namespace lacuna {
namespace noise_test {

// The share of rows inside their intervals, of those with x from here on.
double covered(const Model& model, const Dataset& fresh, double from = -3.0) {
  const Predictions said = predict(model, fresh.X);
  double inside = 0.0, all = 0.0;
  for (Index i = 0; i < fresh.size(); ++i) {
    if (fresh.X.dense()(i, 0) < from) continue;
    all += 1.0;
    const double t = fresh.targets(i, 0);
    inside += said.lower(i, 0) <= t && t <= said.upper(i, 0) ? 1.0 : 0.0;
  }
  return inside / all;
}

TEST(Noise, IntervalsAreTheQuantileOfResidualsOverAGammaMachineOfTheirSquares) {
  const Dataset data = sinc(120, 1, true), fresh = sinc(20, 2, true);
  TrainOptions options{.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.3};  // nothing is chosen: plain residuals
  const Model model = train(data, options);
  ASSERT_TRUE(model.intervals.noise);
  const Matrix r = data.targets - model.held_out.output;
  const Model gamma = machine_of_squares(data, r);
  const Vector s = (0.5 * gamma.held_out.output.col(0).array()).exp();
  const Vector q = interval_half_width(r.cwiseQuotient(s), Vector::Ones(120));
  const Predictions said = predict(model, fresh.X);
  const Matrix at = sizes_of_noise(gamma, data, fresh.X);
  for (Index i = 0; i < fresh.size(); ++i) {
    EXPECT_NEAR(said.upper(i, 0), said.value(i, 0) + q[0] * at(i, 0), 1e-9);
    EXPECT_NEAR(said.lower(i, 0), said.value(i, 0) - q[0] * at(i, 0), 1e-9);
  }
}

// Beyond the data the gamma machine goes on in logarithms; intervals are no wider than the widest of a training row,
// whatever the file or a stack does with them, and those of training rows are what the machine says.
TEST(Noise, IntervalsOfRowsFarFromTheDataAreAsWideAsThoseOfTrainingRowsAtMost) {
  for (const Index rows : {120, 1500}) {
    SCOPED_TRACE(rows);
    const Dataset data = sinc(rows, 1, true);
    const Model model = train(data, {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.3});
    ASSERT_TRUE(model.intervals.noise);
    const Predictions own = predict(model, data.X);
    Noise free = *model.intervals.noise;
    free.least = free.largest = {};
    EXPECT_LE((noise_at(free, data.X) - own.noise).cwiseAbs().maxCoeff(), 1e-12);
    RowMatrix far(6, 1);
    far << -30.0, -6.0, -4.0, 4.0, 6.0, 30.0;
    const Model again = model_from_bytes(model_to_bytes(model), "again");
    const Predictions said = predict(model, far), read = predict(again, far);
    EXPECT_TRUE(said.upper == read.upper && said.lower == read.lower);
    for (Index i = 0; i < far.rows(); ++i) {
      EXPECT_LE(said.noise(i, 0), own.noise.maxCoeff() * (1.0 + 1e-12)) << far(i, 0);
      EXPECT_GE(said.noise(i, 0), own.noise.minCoeff() * (1.0 - 1e-12)) << far(i, 0);
      const double widest = (own.upper - own.lower).maxCoeff();
      EXPECT_LE(said.upper(i, 0) - said.lower(i, 0), widest * (1.0 + 1e-9)) << far(i, 0);
    }
  }
}

TEST(Noise, IntervalsHoldWhatTheySayAlsoWhereThereIsMuchNoise) {
  double all = 0.0, noisy = 0.0, noisy_constant = 0.0;
  constexpr int draws = 6;
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    const Dataset fresh = sinc(1000, 100 + seed, true);
    const Model model = train(sinc(150, seed, true));
    all += covered(model, fresh) / draws;
    noisy += covered(model, fresh, 1.0) / draws;
    Model constant = model;
    constant.intervals.noise.reset();  // as wide as the mean
    noisy_constant += covered(constant, fresh, 1.0) / draws;
  }
  EXPECT_NEAR(all, 0.9, 0.03);
  EXPECT_GT(noisy, 0.85);
  EXPECT_LT(noisy_constant, 0.8);
}

TEST(Noise, EqualNoiseKeepsOneWidth) {
  int varies = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Model model = train(sinc(100, seed, false));
    varies += model.intervals.noise.has_value();
    if (model.intervals.noise) continue;
    const Predictions said = predict(model, sinc(5, 77, false).X);
    EXPECT_TRUE(((said.upper - said.lower).array() - 2.0 * model.intervals.half_width[0]).abs().maxCoeff() < 1e-12);
  }
  EXPECT_LE(varies, 3);  // by chance, of ten
}

TEST(Noise, LevelSaysHowManyNewValuesIntervalsHold) {
  const Dataset data = sinc(200, 3, true), fresh = sinc(1000, 4, true);
  double before = 0.0;
  for (const double level : {0.3, 0.5, 0.8, 0.95}) {
    TrainOptions options;
    options.held_out.level = level;
    const Model model = train(data, options);
    EXPECT_EQ(model.intervals.level, level);
    EXPECT_NEAR(covered(model, fresh), level, 0.06);
    EXPECT_GT(model.intervals.half_width[0], before);
    before = model.intervals.half_width[0];
  }
  TrainOptions options;
  options.held_out.level = 0.999;
  EXPECT_EQ(train(data, options).intervals.half_width.size(), 0) << "200 rows do not know one in a thousand";
  for (const double level : {0.0, 1.0, -1.0, std::nan("")}) {
    options.held_out.level = level;
    EXPECT_THROW(train(data, options), Error);
  }
}

TEST(Noise, ServesSeveralTargetsManyRowsAndSparseOnes) {
  Dataset data = sinc(400, 5, true);
  Matrix both(400, 2);
  both << data.targets, -3.0 * data.targets;
  data.targets = both;
  data.target_names = {"t", "u"};
  const Model model = train(data);
  ASSERT_TRUE(model.intervals.noise);
  EXPECT_LE(model.intervals.noise->X.rows(), 150);
  // Fits that iterate are good to about 1e-6.
  EXPECT_NEAR(model.intervals.half_width[1], 3.0 * model.intervals.half_width[0], 1e-4 * model.intervals.half_width[1]);

  const Dataset dense = sinc(120, 1, true);
  SparseMatrix S;
  S.rows = 120;
  S.cols = 1;
  for (Index i = 0; i < 120; ++i) {
    S.column.push_back(0);
    S.value.push_back(dense.X.dense()(i, 0));
    S.row_start.push_back(i + 1);
  }
  Dataset sparse = dense;
  sparse.X = S;
  TrainOptions options{.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.3};
  const Model a = train(dense, options), b = train(sparse, options);
  ASSERT_TRUE(a.intervals.noise && b.intervals.noise);
  EXPECT_TRUE(predict(a, dense.X).upper.isApprox(predict(b, sparse.X).upper, 1e-7));
}

TEST(Noise, SurvivesTheModelFile) {
  const Dataset data = sinc(150, 1, true);
  TrainOptions options;
  options.held_out.level = 0.8;
  const Model model = train(data, options);
  ASSERT_TRUE(model.intervals.noise);
  const Model back = model_from_bytes(model_to_bytes(model), "m.lacuna");
  EXPECT_EQ(back.intervals.level, 0.8);
  EXPECT_EQ(predict(back, data.X).lower, predict(model, data.X).lower);
  EXPECT_EQ(predict(back, data.X).upper, predict(model, data.X).upper);
}

TEST(Noise, CountsRowsByTheirWeight) {
  Dataset weighted = sinc(150, 1, true);
  weighted.weights = Vector::Ones(150);
  std::vector<Index> kept;
  for (Index i = 0; i < 150; ++i)
    if (i % 4 == 0)
      weighted.weights[i] = 0.0;
    else
      kept.push_back(i);
  Dataset some = take_rows(weighted, kept);
  some.weights = {};
  const TrainOptions options{.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.3};
  const Model a = train(weighted, options), b = train(some, options);
  ASSERT_TRUE(a.intervals.noise && b.intervals.noise);
  EXPECT_TRUE(predict(a, some.X).upper.isApprox(predict(b, some.X).upper, 1e-9));
}

}  // namespace noise_test
}  // namespace lacuna

// Intervals of chosen and stacked models follow the noise: against the formula on their honest residuals, with rows
// that are centred, and seen another way; files.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "lacuna/base/random.hpp"
#include "lacuna/choose/choose.hpp"
#include "lacuna/model/file.hpp"
#include "tests/support/noisy_sinc.hpp"

namespace lacuna {
namespace noise_intervals_test {

// Noise grows from 0.1 to 0.7 with the first column, which begins at `from`.
Dataset growing(Index rows, std::uint64_t seed, double from, const std::function<double(double, int)>& mean) {
  Random random(seed);
  RowMatrix X(rows, 2);
  std::vector<double> t;
  for (Index i = 0; i < rows; ++i) {
    const double x = random.uniform(0.0, 6.0);
    const int code = int(random.uniform(0.0, 4.0));
    X(i, 0) = from + x;
    X(i, 1) = code;
    t.push_back(mean(x, code) + (0.1 + 0.1 * x) * random.normal());
  }
  return make_dataset(X, t, DataOptions::TaskRequest::regression);
}

double waves(double x, int) { return 2.0 * std::sin(x); }
double line(double x, int code) { return x - 0.5 * code; }
double by_code(double, int code) { return code == 1 ? 3.0 : code == 2 ? -3.0 : 0.0; }

// The gamma machine of squared honest residuals, which the model keeps.
void expect_the_formula(const Model& model, const Dataset& data, const Dataset& fresh) {
  ASSERT_TRUE(model.intervals.noise);
  const Index l = data.size();
  const Matrix r = data.targets - model.held_out.output;
  const Model gamma = machine_of_squares(data, r);
  const Vector s = (0.5 * gamma.held_out.output.col(0).array()).exp();
  const Vector q = interval_half_width(r.cwiseQuotient(s), Vector::Ones(l));
  const Predictions said = predict(model, fresh.X);
  const Matrix at = sizes_of_noise(gamma, data, fresh.X);
  for (Index i = 0; i < fresh.size(); ++i) {
    EXPECT_NEAR(said.upper(i, 0), said.value(i, 0) + q[0] * at(i, 0), 1e-9);
    EXPECT_NEAR(said.lower(i, 0), said.value(i, 0) - q[0] * at(i, 0), 1e-9);
  }
  const Model back = model_from_bytes(model_to_bytes(model), "memory");
  EXPECT_EQ(predict(back, fresh.X).lower, said.lower);
  EXPECT_EQ(predict(back, fresh.X).upper, said.upper);
}

TEST(NoiseOfChoices, WidthsOfAStackFollowItsHonestResiduals) {
  const Dataset data = growing(120, 1, -3.0, waves), fresh = growing(15, 2, -3.0, waves);
  const Model model = train(data, {}, {.effort = Effort::best});
  expect_the_formula(model, data, fresh);
}

// Whoever centres the rows for a linear kernel: the choice's data are as they are, those of one machine centred.
TEST(NoiseOfChoices, RowsThatAreCentredForTheMachineAreCentredForItsNoise) {
  const Dataset data = growing(120, 3, 50.0, line), fresh = growing(15, 4, 50.0, line);
  const Model model = train(data, {.kernel = linear(), .lambda = 1.0});
  ASSERT_GT(model.centre.size(), 0);
  ASSERT_TRUE(model.intervals.noise);
  EXPECT_EQ(model.intervals.noise->centre, model.centre);
  expect_the_formula(model, data, fresh);
}

TEST(NoiseOfChoices, RowsSeenAsCodesHaveTheNoiseOfTheRowsAsTheyAre) {
  const Dataset data = growing(150, 5, -3.0, by_code), fresh = growing(15, 6, -3.0, by_code);
  const Model model = train(data, {}, {.effort = Effort::normal});
  EXPECT_FALSE(model.representation.empty());
  expect_the_formula(model, data, fresh);
}

TEST(NoiseOfChoices, EndsWithATimeLimit) {
  TrainOptions options;
  options.select.search_options.seconds = 1e-3;
  const Model model = train(growing(60, 7, -3.0, waves), options, {.effort = Effort::normal});
  EXPECT_EQ(model.intervals.half_width.size(), 1);
  EXPECT_FALSE(model.intervals.noise) << "there was no time to learn it";
}

}  // namespace noise_intervals_test
}  // namespace lacuna

// How counts scatter about what a model expects: against plain sums, generalised linear models, and draws of counts
// whose distribution is known.
#include "lacuna/model/count_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/model/tally.hpp"
#include "tests/support/excess_counts.hpp"

namespace lacuna {
namespace count_check_test {

using testing::excess_counts;

// From the textbook: products and factorials, no logarithms of gammas.
double probability(int k, double m, double a) {
  double p = a > 0.0 ? std::pow(1.0 + a * m, -1.0 / a) : std::exp(-m);
  for (int j = 0; j < k; ++j) p *= (a > 0.0 ? (1.0 + a * j) * m / (1.0 + a * m) : m) / (j + 1.0);
  return p;
}

Vector held_out_means(const Model& model) { return held_out_predictions(model).value.col(0); }

TEST(CountCheck, HeldOutFiguresArePlainSums) {
  constexpr double rounded = 1e-9;  // weights are, to ten digits
  for (const double a : {0.0, 0.8}) {
    Dataset data = excess_counts(80, 0.5, 3);
    data.weights = testing::random_weights(80, 4, 0);
    data.offset = 0.2 * testing::random_matrix(80, 1, 5).col(0);
    const Machine machine = a > 0.0 ? negative_binomial_regression(a) : poisson_regression();
    const Model model = train(data, {.model = machine, .kernel = rbf(0.3), .lambda = 0.5});
    ASSERT_TRUE(model.report.counts);
    const FitReport::Counts& c = *model.report.counts;
    const Vector m = held_out_means(model), w = data.weights, t = data.targets.col(0);
    const double all = w.sum(), one_row = w.squaredNorm() / all;
    double pearson = 0.0, nll = 0.0, zeros = 0.0, expected = 0.0;
    for (Index i = 0; i < 80; ++i) {
      pearson += w[i] * std::pow(t[i] - m[i], 2) / (m[i] + a * m[i] * m[i]) / all;
      nll -= w[i] * std::log(probability(int(t[i]), m[i], a)) / all;
      if (t[i] == 0.0) zeros += w[i] / all;
      expected += w[i] * probability(0, m[i], a) / all;
    }
    EXPECT_NEAR(c.dispersion, pearson, rounded * pearson);
    EXPECT_NEAR(c.zeros, zeros, rounded);
    EXPECT_NEAR(c.zeros_expected, expected, rounded);
    EXPECT_NEAR(value_of(model.report.held_out, "nll"), nll, rounded);
    double twos = 0.0, expected_twos = 0.0, beyond = 0.0;
    const Matrix scores = standard_scores(model);
    for (Index i = 0; i < 80; ++i) {
      twos += t[i] == 2.0 ? w[i] / one_row : 0.0;
      expected_twos += w[i] / one_row * probability(2, m[i], a);
      EXPECT_NEAR(scores(i, 0), (t[i] - m[i]) / std::sqrt(pearson * (m[i] + a * m[i] * m[i])), 1e-8);
      beyond += std::abs(scores(i, 0)) > 2.0 ? w[i] / all : 0.0;
    }
    EXPECT_NEAR(c.observed[2], twos, 1e-8);
    EXPECT_NEAR(c.expected[2], expected_twos, 1e-8);
    EXPECT_NEAR(c.beyond_two, beyond, rounded);
    double observed_rows = 0.0, expected_rows = 0.0;
    for (std::size_t k = 0; k < c.observed.size(); ++k) observed_rows += c.observed[k], expected_rows += c.expected[k];
    EXPECT_NEAR(observed_rows, all / one_row, 1e-7);
    EXPECT_NEAR(expected_rows, all / one_row, 1e-7);
  }
}

// With the linear kernel and next to no penalty the fit has one degree of freedom for each column and one for the bias.
TEST(CountCheck, DegreesOfFreedomOfALinearModelAreItsCoefficients) {
  const Dataset data = excess_counts(100, 0.0, 8);
  const Model model = train(data, {.model = poisson_regression(), .kernel = linear(), .lambda = 1e-7});
  const FitReport::Counts& c = *model.report.counts;
  EXPECT_NEAR(c.degrees, 3.0, 1e-6);
  double pearson = 0.0, excess = 0.0, squares = 0.0;
  for (Index i = 0; i < 100; ++i) {
    const double t = data.targets(i, 0), m = std::exp(model.held_out.fitted(i, 0));
    pearson += (t - m) * (t - m) / m;
    excess += (t - m) * (t - m) - t;
    squares += 2.0 * m * m;
  }
  EXPECT_NEAR(c.fitted_dispersion, pearson / 97.0, 1e-6);
  EXPECT_NEAR(c.excess, excess / std::sqrt(squares), 1e-9);
}

bool warned(const Model& model) {
  for (const Warning& w : model.report.warnings)
    if (w.code == Warning::Code::overdispersed) return true;
  return false;
}

// Everything is selected, as a user would have it. At the level of 1 % six alarms or more among a hundred tables of
// Poisson counts have a chance of 5e-4.
TEST(CountCheck, IsSilentAboutPoissonCountsAndSpeaksOfOthers) {
  int alarms = 0, found = 0;
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    TrainOptions options{.kernel = rbf(0.2)};
    alarms += warned(train(excess_counts(100, 0.0, 100 + draw), options));
    if (draw < 20) found += warned(train(excess_counts(100, 1.0, 500 + draw), options));
  }
  RecordProperty("alarms", alarms);
  RecordProperty("found", found);
  EXPECT_LE(alarms, 5);
  EXPECT_GE(found, 18);
}

// Fitted outputs are not kept: the test is of held-out rows, less what a basis can have fitted.
TEST(CountCheck, RowsThatAreNotKeptAreTestedToo) {
  TrainOptions options{.kernel = rbf(0.2), .lambda = 1.0, .basis = parse_basis("random:20")};
  options.held_out.keep = false;
  EXPECT_TRUE(warned(train(excess_counts(600, 1.0, 7), options)));
  EXPECT_FALSE(warned(train(excess_counts(600, 0.0, 7), options)));
}

// 100 rows of weight 2 are 100 rows.
TEST(CountCheck, UnitsOfWeightsDoNotMatter) {
  Dataset data = excess_counts(100, 0.6, 21);
  const TrainOptions fixed{.kernel = rbf(0.3), .lambda = 1.0};
  const FitReport::Counts plain = *train(data, fixed).report.counts;
  data.weights = Vector::Constant(100, 2.0);
  const FitReport::Counts twice = *train(data, {.kernel = rbf(0.3), .lambda = 2.0}).report.counts;
  EXPECT_NEAR(twice.excess, plain.excess, 1e-9);
  EXPECT_NEAR(twice.fitted_dispersion, plain.fitted_dispersion, 1e-9);
  EXPECT_NEAR(twice.observed[1], plain.observed[1], 1e-9);
}

TEST(CountCheck, NumbersThatAreNotWholeHaveADispersionOnly) {
  Dataset data = excess_counts(60, 0.0, 22);
  data.targets.array() += 0.5;
  const FitReport::Counts c = *train(data, {.kernel = rbf(0.3), .lambda = 1.0}).report.counts;
  EXPECT_TRUE(std::isfinite(c.dispersion));
  EXPECT_TRUE(std::isnan(c.zeros));
  EXPECT_TRUE(std::isnan(c.excess));
  EXPECT_TRUE(c.observed.empty());
}

TEST(CountCheck, OtherModelsHaveNone) {
  Dataset data = excess_counts(40, 0.0, 23);
  data.targets.array() += 1.0;
  data.task = Task::regression;
  for (const Machine& machine : {gamma_regression(), ls_svm()})
    EXPECT_FALSE(train(data, {.model = machine, .kernel = rbf(0.3), .lambda = 1.0}).report.counts);
}

}  // namespace count_check_test
}  // namespace lacuna

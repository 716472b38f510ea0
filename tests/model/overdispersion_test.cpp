// The overdispersion of a negative binomial: the likeliest one, its standard error, and how train() chooses it.
#include "lacuna/model/overdispersion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/excess_counts.hpp"

namespace lacuna {
namespace overdispersion_test {

using testing::excess_count;
using testing::excess_counts;

double chosen(const Model& model) { return std::get<losses::NegativeBinomial>(model.loss).overdispersion; }

double scored(const Model& model, std::string_view score) {
  for (const auto& [name, value] : model.report.held_out)
    if (name == score) return value;
  return std::nan("");
}

// Counts of known means; the likelihood from factors alone.
struct Sample {
  Truth truth;
  Matrix z;
};
Sample sample(Index rows, double a, std::uint64_t seed) {
  Random random(seed);
  Sample out{.truth = {}, .z = Matrix(rows, 1)};
  out.truth.targets.resize(rows, 1);
  out.truth.weights = Vector::Ones(rows);
  for (Index i = 0; i < rows; ++i) {
    out.z(i, 0) = random.uniform(-1.0, 2.0);
    out.truth.targets(i, 0) = excess_count(random, std::exp(out.z(i, 0)), a);
  }
  return out;
}
double log_likelihood(const Sample& s, double a) {
  double sum = 0.0;
  for (Index i = 0; i < s.z.rows(); ++i) {
    const double m = std::exp(s.z(i, 0)), t = s.truth.targets(i, 0);
    sum -= (t + 1.0 / a) * std::log1p(a * m);
    for (int j = 0; j < int(t); ++j) sum += std::log((1.0 + a * j) * m / (j + 1.0));
  }
  return sum;
}

TEST(Overdispersion, IsTheLikeliest) {
  for (const double a : {0.1, 0.6, 3.0}) {
    const Sample s = sample(400, a, 5);
    const Overdispersion found = likeliest_overdispersion(s.truth, s.z);
    // Five digits of log a were asked for, and the likelihood is flat there.
    for (const double factor : {0.999, 1.001})
      EXPECT_GT(log_likelihood(s, found.value), log_likelihood(s, factor * found.value));
    const double h = 1e-3 * found.value;
    const double bend = (log_likelihood(s, found.value + h) - 2.0 * log_likelihood(s, found.value) +
                         log_likelihood(s, found.value - h)) /
                        (h * h);
    EXPECT_NEAR(found.standard_error, 1.0 / std::sqrt(-bend), 1e-3 * found.standard_error);
  }
}

TEST(Overdispersion, IsTheDeviationOverDraws) {
  constexpr int draws = 200;
  double sum = 0.0, squares = 0.0, said = 0.0;
  for (int k = 0; k < draws; ++k) {
    const Sample s = sample(300, 0.5, 1000 + std::uint64_t(k));
    const Overdispersion found = likeliest_overdispersion(s.truth, s.z);
    sum += found.value;
    squares += found.value * found.value;
    said += found.standard_error / draws;
  }
  const double deviation = std::sqrt(squares / draws - std::pow(sum / draws, 2));
  EXPECT_NEAR(said / deviation, 1.0, 0.2);  // a deviation over 200 draws is good to 5 %
  EXPECT_NEAR(sum / draws, 0.5, 3.0 * deviation / std::sqrt(double(draws)) + 0.02);
}

TEST(Overdispersion, WeightsCountRowsAndExposuresAreMeans) {
  Sample s = sample(200, 0.7, 9);
  const Overdispersion once = likeliest_overdispersion(s.truth, s.z);
  s.truth.weights *= 3.0;
  const Overdispersion thrice = likeliest_overdispersion(s.truth, s.z);
  EXPECT_NEAR(thrice.value, once.value, 1e-4 * once.value);
  EXPECT_NEAR(thrice.standard_error, once.standard_error, 1e-3 * once.standard_error);
  s.truth.offset = Vector::Constant(200, 0.4);
  s.z.array() -= 0.4;
  EXPECT_NEAR(likeliest_overdispersion(s.truth, s.z).value, once.value, 1e-4 * once.value);
}

// Means are learned, too: what is found is the truth within its standard error, as often as that should be.
TEST(Overdispersion, TrainingRecoversAKnownOne) {
  constexpr double truth = 0.6;
  constexpr int draws = 12;
  double mean = 0.0, error = 0.0, squares = 0.0;
  int within_two = 0;
  for (int k = 0; k < draws; ++k) {
    const Model model =
        train(excess_counts(300, truth, 40 + std::uint64_t(k)), {.model = negative_binomial_regression()});
    const double its = model.report.counts->overdispersion_error;
    ASSERT_TRUE(std::isfinite(its));
    mean += chosen(model) / draws;
    error += its / draws;
    squares += std::pow((chosen(model) - truth) / its, 2) / draws;
    within_two += std::abs(chosen(model) - truth) < 2.0 * its;
  }
  RecordProperty("mean", std::to_string(mean));
  RecordProperty("standard_error", std::to_string(error));
  EXPECT_LT(std::abs(mean - truth), error);
  EXPECT_LT(std::sqrt(squares), 1.6);
  EXPECT_GE(within_two, draws - 2);
}

// No other value, with everything else selected for it, makes held-out counts likelier by what matters.
TEST(Overdispersion, IsTheBestOfThoseThatCouldBeGiven) {
  const Dataset data = excess_counts(200, 0.6, 77);
  const Model model = train(data, {.model = negative_binomial_regression()});
  const double a = chosen(model), step = model.report.counts->overdispersion_error;
  const double best = scored(model, "nll");
  for (const double other : {a - 1.5 * step, a - 0.7 * step, a + 0.7 * step, a + 1.5 * step})
    EXPECT_LT(best, scored(train(data, {.model = negative_binomial_regression(other)}), "nll") + 1e-4);
  EXPECT_LT(best, scored(train(data, {.model = poisson_regression()}), "nll"));
}

TEST(Overdispersion, PoissonCountsHaveNoneAndThatIsSaid) {
  Dataset data = excess_counts(120, 0.0, 31);
  data.targets = data.targets.array().min(3.0);  // less variance than Poisson's
  const Model model = train(data, {.model = negative_binomial_regression(), .kernel = rbf(0.3)});
  EXPECT_LT(chosen(model) * data.targets.mean(), 1.1e-4);
  bool said = false;
  for (const Warning& w : model.report.warnings) said = said || w.code == Warning::Code::at_bound;
  EXPECT_TRUE(said);
  const Model poisson = train(data, {.model = poisson_regression(), .kernel = rbf(0.3)});
  EXPECT_NEAR(scored(model, "nll"), scored(poisson, "nll"), 1e-3);
}

TEST(Overdispersion, UnitsOfWeightsDoNotMatter) {
  Dataset data = excess_counts(100, 0.6, 51);
  const Model once = train(data, {.model = negative_binomial_regression()});
  data.weights = Vector::Constant(100, 5.0);
  const Model heavier = train(data, {.model = negative_binomial_regression()});
  EXPECT_NEAR(chosen(heavier), chosen(once), 1e-6 * chosen(once));
  EXPECT_NEAR(heavier.lambda, 5.0 * once.lambda, 1e-6 * heavier.lambda);
}

TEST(Overdispersion, IsChosenOnABasisAndByFoldsToo) {
  const Dataset data = excess_counts(300, 0.6, 61);
  TrainOptions options{.model = negative_binomial_regression(), .basis = parse_basis("random:40")};
  const Model on_basis = train(data, options);
  EXPECT_NEAR(chosen(on_basis), 0.6, 3.0 * on_basis.report.counts->overdispersion_error);
  options.basis = {};
  options.select.cv = parse_cross_validation("5x2");
  const Model by_folds = train(data, options);
  EXPECT_NEAR(chosen(by_folds), 0.6, 3.0 * by_folds.report.counts->overdispersion_error);
}

}  // namespace overdispersion_test
}  // namespace lacuna

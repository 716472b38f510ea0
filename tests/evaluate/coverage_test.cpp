// The standard error of an evaluation says how far its figure is from the truth: two of them either way cover the
// performance that models fitted to as many rows have on fresh data, over draws of the data.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "experiment/generate.hpp"
#include "lacuna/evaluate/summary.hpp"

namespace lacuna {
namespace coverage_test {

struct Study {
  const char* generator;
  const char* target;
  Machine machine;
  const char* kernel;
  double lambda;
  std::vector<std::string> scores;
};

Contender contender(const Study& study) {
  Contender c{"one", "one"};
  c.data.targets = {study.target};
  c.train.model = study.machine;
  c.train.kernel = parse_kernel(study.kernel);
  c.train.lambda = study.lambda;
  c.train.run.threads = 1;
  return c;
}

// The mean over models fitted to `rows` fresh rows each, of their scores on many rows.
std::map<std::string, double> truth(const Study& study, Index rows) {
  const Contender c = contender(study);
  const Table fresh = generate(study.generator, 4000, 987654);
  std::vector<SplitResult> results;
  for (std::uint64_t draw = 0; draw < 60; ++draw) {
    const Encoded training = encode(generate(study.generator, rows, 5000 + draw), c.data);
    const Dataset all = encode(fresh, c.data).data;
    TestTruth is{.classes = all.classes, .label = all.label, .targets = all.targets};
    is.weights = Vector::Ones(all.size());
    results.push_back(fit_and_judge(training.data, c.train, prepare(fresh, training.encoding).X, {}, is));
  }
  std::map<std::string, double> out;
  const PooledScores pooled(results);
  for (const std::string& score : study.scores) out[score] = pooled.value(score);
  return out;
}

// The share of draws whose truth is within two standard errors.
void expect_coverage(const Study& study, Index rows, const std::string& splits, double share_trained) {
  constexpr int draws = 40;
  const auto is = truth(study, Index(std::llround(share_trained * double(rows))));
  std::map<std::string, int> covered, by_plain_error;
  for (std::uint64_t draw = 1; draw <= draws; ++draw) {
    EvaluateOptions options;
    options.plan = parse_split_plan(splits);
    options.plan.seed = draw;
    options.contenders = {contender(study)};
    options.threads = 1;
    Journal journal;
    const NestedValidation e = evaluate(generate(study.generator, rows, draw), options, journal);
    const PooledScores pooled(e.contenders[0].splits);
    for (const std::string& score : study.scores) {
      const Estimate estimate = pooled.estimate(score, e.tested_to_trained);
      covered[score] += std::abs(estimate.value - is.at(score)) <= 2.0 * estimate.se;
      by_plain_error[score] += std::abs(estimate.value - is.at(score)) <= 2.0 * mean_of(pooled.parts(score)).se;
    }
  }
  for (const std::string& score : study.scores) {
    EXPECT_GE(covered[score], draws * 9 / 10) << study.generator << ' ' << splits << ' ' << score;
    ::testing::Test::RecordProperty(std::string(study.generator) + " " + splits + " " + score,
                                    std::to_string(covered[score]) + " of " + std::to_string(draws) +
                                        ", by the plain error " + std::to_string(by_plain_error[score]));
  }
}

const Study two_classes{"ripley", "label", klr(), "rbf:theta=1", 0.1, {"error", "bits"}};
const Study values{"sinc", "y", ls_svm(), "rbf:theta=3", 0.05, {"rmse"}};

TEST(Coverage, OfRandomSplits) {
  expect_coverage(two_classes, 100, "40:0.1", 0.9);
  expect_coverage(values, 100, "40:0.1", 0.9);
}

TEST(Coverage, OfFoldsOnceAndRepeated) {
  expect_coverage(two_classes, 120, "folds:10x3", 0.9);
  expect_coverage(values, 120, "folds:10x3", 0.9);
  expect_coverage(two_classes, 120, "folds:10", 0.9);
}

}  // namespace coverage_test
}  // namespace lacuna

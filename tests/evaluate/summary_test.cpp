#include "lacuna/evaluate/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "experiment/generate.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/criterion/auc.hpp"
#include "lacuna/model/probability.hpp"

namespace lacuna {
namespace summary_test {

NestedValidation run(const Table& table, const std::string& target, Machine machine, const std::string& splits,
                     double lambda = 0.1) {
  EvaluateOptions options;
  options.plan = parse_split_plan(splits);
  Contender c{"one", "one"};
  c.data.targets = {target};
  c.train.model = machine;
  c.train.kernel = parse_kernel("rbf:theta=0.2");
  c.train.lambda = lambda;
  options.contenders = {c};
  options.threads = 1;
  Journal journal;
  return evaluate(table, options, journal);
}

// All test rows of all splits, predicted by hand.
struct Pool {
  std::vector<int> label{}, said{};
  Matrix probability{}, target{}, value{};
  Vector training_mean{};
  double won = 0.0, pairs = 0.0;  // of two classes
};

Pool by_hand(const Table& table, const std::string& target, Machine machine, const std::string& splits) {
  const Dataset all = encode(table, {.targets = {target}}).data;
  Pool out;
  for (const TrainTest& split : make_splits(parse_split_plan(splits), 0, all.size(), all.label, {})) {
    const Encoded training = encode(take_rows(table, split.train), {.targets = {target}});
    const Model model =
        train(training.data, {.model = machine, .kernel = rbf(0.2), .lambda = 0.1, .run = {.threads = 1}});
    const Predictions p = predict(model, prepare(take_rows(table, split.test), training.encoding).X);
    std::vector<bool> positive;
    for (std::size_t k = 0; k < split.test.size(); ++k) {
      const Index at = out.target.rows();
      if (!all.label.empty()) {
        out.label.push_back(all.label[std::size_t(split.test[k])]);
        out.said.push_back(p.label[k]);
        positive.push_back(out.label.back() == 1);
        out.probability.conservativeResize(Index(out.label.size()), p.probability.cols());
        out.probability.bottomRows(1) = p.probability.row(Index(k));
        continue;
      }
      out.target.conservativeResize(at + 1, 1);
      out.value.conservativeResize(at + 1, 1);
      out.training_mean.conservativeResize(at + 1);
      out.target(at, 0) = all.targets(split.test[k], 0);
      out.value(at, 0) = p.value(Index(k), 0);
      out.training_mean[at] = training.data.targets.mean();
    }
    if (positive.empty()) continue;
    for (std::size_t a = 0; a < positive.size(); ++a)
      for (std::size_t b = 0; b < positive.size(); ++b) {
        if (!positive[a] || positive[b]) continue;
        const double x = p.output(Index(a), 0), y = p.output(Index(b), 0);
        out.pairs += 1.0;
        out.won += x > y ? 1.0 : x == y ? 0.5 : 0.0;
      }
  }
  return out;
}

// Parts of five rows, some of them without a row of the rarer class: the mean over parts would be something else.
// Mean distance between stated probability and share of hits, over ten bins of the predicted class's probability.
double calibration_of(const Matrix& probability, const std::vector<int>& label) {
  std::vector<double> off(10, 0.0);
  for (Index i = 0; i < probability.rows(); ++i) {
    Index predicted = 0;
    const double p = probability.row(i).maxCoeff(&predicted);
    off[std::size_t(std::min(9, int(p * 10.0)))] += p - (predicted == label[std::size_t(i)] ? 1.0 : 0.0);
  }
  double sum = 0.0;
  for (const double o : off) sum += std::abs(o);
  return sum / double(probability.rows());
}

TEST(PooledScores, AreThoseOfAllTestRowsTogether) {
  const Table table = generate("ripley", 90, 3);
  const NestedValidation e = run(table, "label", klr(), "folds:18x2");
  const PooledScores pooled(e.contenders[0].splits);
  const Pool rows = by_hand(table, "label", klr(), "folds:18x2");
  ASSERT_EQ(rows.label.size(), 180u);
  double wrong[2] = {}, of[2] = {}, loss = 0.0;
  for (std::size_t i = 0; i < rows.label.size(); ++i) {
    of[rows.label[i]] += 1.0;
    wrong[rows.label[i]] += rows.said[i] != rows.label[i];
    loss -= std::log(rows.probability(Index(i), rows.label[i])) / 180.0;
  }
  EXPECT_NEAR(pooled.value("error"), (wrong[0] + wrong[1]) / 180.0, 1e-12);
  EXPECT_NEAR(pooled.value("ber"), 0.5 * (wrong[0] / of[0] + wrong[1] / of[1]), 1e-12);
  EXPECT_NEAR(pooled.value("auc"), rows.won / rows.pairs, 1e-12);
  EXPECT_NEAR(pooled.value("xent"), loss, 1e-12);
  EXPECT_NEAR(pooled.value("bits"), 1.0 - loss / std::numbers::ln2, 1e-12);
  EXPECT_NEAR(pooled.value("calibration"), calibration_of(rows.probability, rows.label), 1e-12);
  EXPECT_GT(std::abs(pooled.value("calibration") - mean_of(values_of(e.contenders[0].splits, "calibration")).mean),
            0.05);
}

TEST(PooledScores, OfValuesAreRootsAndSharesOfSumsOverAllRows) {
  const Table table = generate("sinc", 60, 3);
  const PooledScores pooled(run(table, "y", ls_svm(), "folds:20").contenders[0].splits);
  const Pool rows = by_hand(table, "y", ls_svm(), "folds:20");
  const double squares = (rows.target - rows.value).squaredNorm();
  EXPECT_NEAR(pooled.value("rmse"), std::sqrt(squares / 60.0), 1e-12);
  EXPECT_NEAR(pooled.value("r2"), 1.0 - squares / (rows.target.col(0) - rows.training_mean).squaredNorm(), 1e-12);
}

// Labels drawn with the probabilities that are stated: a score of 0 but for chance. Parts of 20 rows score 0.1 and
// more.
TEST(PooledScores, PerfectProbabilitiesAreNearlyPerfectlyCalibrated) {
  Random random(5);
  std::vector<SplitResult> splits(50);
  for (SplitResult& r : splits) {
    TestTruth truth{.classes = {"a", "b"}};
    truth.weights = Vector::Ones(20);
    Model model;
    model.classes = {"a", "b"};
    model.task = Task::binary;
    Predictions said;
    said.output.resize(20, 1);
    said.probability.resize(20, 2);
    for (Index i = 0; i < 20; ++i) {
      const double p = random.uniform();
      said.probability.row(i) << 1.0 - p, p;
      said.output(i, 0) = p - 0.5;
      said.label.push_back(p > 0.5);
      truth.label.push_back(random.uniform() < p);
    }
    r.test = judge_predictions(model, said, truth);
  }
  EXPECT_GT(mean_of(values_of(splits, "calibration")).mean, 0.10);
  EXPECT_LT(PooledScores(splits).value("calibration"), 0.03);  // 1000 rows: 0.015 in the mean
}

TEST(PooledScores, TheStandardErrorOfEqualPartsIsThatOfTheirMeanCorrectedForSharedRows) {
  const NestedValidation e = run(generate("ripley", 80, 4), "label", klr(), "12:0.25");
  const PooledScores pooled(e.contenders[0].splits);
  const std::vector<double> values = values_of(e.contenders[0].splits, "error");
  const SampleMean m = mean_of(values);
  EXPECT_NEAR(e.tested_to_trained, 20.0 / 60.0, 1e-12);
  const Estimate estimate = pooled.estimate("error", e.tested_to_trained);
  EXPECT_NEAR(estimate.value, m.mean, 1e-12);
  EXPECT_NEAR(estimate.se, m.se * std::sqrt(12.0) * std::sqrt(1.0 / 12.0 + 20.0 / 60.0), 1e-10);
  const std::vector<double> parts = pooled.parts("error");
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(parts[k], values[k], 1e-10);
}

TEST(PooledScores, SplitsThatFailedDoNotCount) {
  NestedValidation e = run(generate("ripley", 60, 4), "label", klr(), "6:0.25");
  auto& splits = e.contenders[0].splits;
  std::vector<SplitResult> rest(splits.begin() + 1, splits.end());
  splits[0].failure = "no";
  for (const char* score : {"error", "auc", "bits", "calibration"}) {
    EXPECT_EQ(PooledScores(splits).value(score), PooledScores(rest).value(score));
    EXPECT_EQ(PooledScores(splits).estimate(score, 0.3).se, PooledScores(rest).estimate(score, 0.3).se);
  }
}

TEST(GapWarning, IsForTestRowsThatFareWorseThanChanceAllows) {
  NestedValidation e = run(generate("ripley", 120, 4), "label", klr(), "20:0.2");
  auto& of = e.contenders[0];
  EXPECT_GT(e.tested, 110);
  EXPECT_EQ(gap_warning(e, of), "");
  const double error = PooledScores(of.splits).value("error"), n = double(e.tested);
  const auto said = [&](double inside) {
    for (SplitResult& r : of.splits)
      for (auto& [name, value] : r.held_out)
        if (name == "error") value = inside;
    return gap_warning(e, of);
  };
  // Just short of 3.5 binomial standard errors, and just beyond.
  const double se = std::sqrt(error * (1.0 - error) / n);
  ASSERT_GT(error, 3.6 * se);
  EXPECT_EQ(said(error - 3.4 * se), "");
  EXPECT_NE(said(error - 3.6 * se).find("a gap beyond chance (3.6 standard errors)"), std::string::npos);
  EXPECT_NE(said(error - 3.6 * se).find("`group=COL`"), std::string::npos);
  EXPECT_EQ(said(error + 3.6 * se), "");  // better than said is no reason to worry
  // With groups the splits say how sure the figure is: corrected, and wider.
  e.group = "g";
  const double by_splits = PooledScores(of.splits).estimate("error", e.tested_to_trained).se;
  EXPECT_EQ(said(error - 3.4 * by_splits), "");
  EXPECT_NE(said(error - 3.6 * by_splits), "");
}

// How sure each score is, by the rows themselves: counts have two, whose losses are of different size.
TEST(GapWarning, MeasuresEveryScoreOfCountsByTheSpreadOfItsOwnLosses) {
  const Table table = generate("counts", 150, 9);
  NestedValidation e = run(table, "count", poisson_regression(), "folds:5");
  auto& of = e.contenders[0];
  EXPECT_EQ(gap_warning(e, of), "");
  const Pool rows = by_hand(table, "count", poisson_regression(), "folds:5");
  const Vector squares = (rows.target - rows.value).col(0).array().square();
  const double rmse = std::sqrt(squares.mean());
  const double se = std::sqrt((squares.array() - squares.mean()).square().mean() / 150.0);  // of the mean square
  const auto said = [&](double inside) {
    for (SplitResult& r : of.splits)
      for (auto& [name, value] : r.held_out) {
        if (name == "deviance") value = PooledScores(of.splits).value("deviance");
        if (name == "rmse") value = inside;
      }
    return gap_warning(e, of);
  };
  ASSERT_GT(rmse * rmse, 3.6 * se);
  EXPECT_EQ(said(std::sqrt(rmse * rmse - 3.4 * se)), "");
  EXPECT_NE(said(std::sqrt(rmse * rmse - 3.6 * se)).find("(3.6 standard errors)"), std::string::npos);
}

// Losses without spread have no standard error, and what has none is no evidence.
TEST(GapWarning, IsNeverGivenWhereNoStandardErrorIsKnown) {
  NestedValidation e = run(generate("sinc", 60, 3), "y", ls_svm(), "folds:5");
  auto& of = e.contenders[0];
  for (SplitResult& r : of.splits) {
    r.test.tally.squares.setConstant(4.0 * r.test.tally.weight);
    r.test.tally.square_squares = 16.0 * r.test.tally.weight;
    for (auto& [name, value] : r.held_out) value = 1.0;
  }
  EXPECT_EQ(gap_warning(e, of), "");
  for (SplitResult& r : of.splits) r.test.tally.square_squares = 0.0;
  EXPECT_EQ(gap_warning(e, of), "");
}

}  // namespace summary_test
}  // namespace lacuna

// What an evaluation says of its test rows besides their scores, against computations from the rows themselves; and
// fits that contenders share, against fits of their own.
#include "lacuna/evaluate/test_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "experiment/generate.hpp"
#include "lacuna/evaluate/constant.hpp"
#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/model/redecide.hpp"
#include "lacuna/report/evaluation.hpp"
#include "lacuna/report/test_rows.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace test_rows_test {

using Json = nlohmann::ordered_json;

Contender contender(const std::string& target, const std::string& kernel = "rbf:theta=1") {
  Contender c{"plain", "plain"};
  c.data.targets = {target};
  c.train.kernel = parse_kernel(kernel);
  return c;
}

NestedValidation run(const Table& table, const std::vector<Contender>& contenders, const std::string& splits,
                     const EvaluateOptions& like = {}) {
  EvaluateOptions o = like;
  o.plan = parse_split_plan(splits);
  o.contenders = contenders;
  o.threads = 1;
  Journal journal;
  return evaluate(table, o, journal);
}

// Numbers of two outcomes, and of three.
Dataset classes(int count) {
  const RowMatrix X = testing::random_rows(90, 2, 3);
  std::vector<std::string> label;
  Random random(4);
  for (Index i = 0; i < 90; ++i) {
    const double s = X(i, 0) + 0.7 * random.normal();
    label.push_back(s > 0.6 ? "c" : s > -0.2 && count == 3 ? "b" : "a");
  }
  return make_dataset(X, label);
}

void expect_equal(const Model& a, const Model& b) {
  EXPECT_EQ(a.threshold, b.threshold);
  EXPECT_EQ(a.threshold_rule.has_value(), b.threshold_rule.has_value());
  EXPECT_EQ(a.costs, b.costs);
  ASSERT_EQ(a.report.held_out.size(), b.report.held_out.size());
  for (std::size_t k = 0; k < a.report.held_out.size(); ++k) {
    EXPECT_EQ(a.report.held_out[k].first, b.report.held_out[k].first);
    EXPECT_NEAR(a.report.held_out[k].second, b.report.held_out[k].second, 1e-12) << a.report.held_out[k].first;
  }
  EXPECT_LE((a.report.confusion - b.report.confusion).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(a.report.cheapest, b.report.cheapest);
}

TEST(Redecide, GivesTheModelThatFittingWithTheDecisionsGives) {
  for (const std::string cv : {"loo", "4", "4x2"})
    for (const Machine& machine : {klr(), ls_svm(), gp_laplace_classifier()})
      for (const bool weighted : {false, true}) {
        SCOPED_TRACE(machine.name + " " + cv + (weighted ? " weighted" : ""));
        Dataset data = classes(2);
        if (weighted && machine.inference) continue;  // the evidence takes no weights
        if (weighted) data.weights = testing::random_weights(90, 7, 3);
        TrainOptions plain{.model = machine, .kernel = rbf(0.5), .lambda = 0.5};
        plain.select.cv = parse_cross_validation(cv);
        plain.held_out.recalibrate = !machine.inference;
        const Model fitted = train(data, plain);
        for (const char* rule : {"cost:1,5", "ber", "error", "0.3"}) {
          TrainOptions other = plain;
          other.held_out.threshold = parse_threshold(rule);
          expect_equal(with_decisions(fitted, data, other), train(data, other));
        }
        TrainOptions priced = plain;
        priced.held_out.costs = parse_costs("1,4");
        expect_equal(with_decisions(fitted, data, priced), train(data, priced));
      }
  TrainOptions options{.kernel = rbf(0.5), .lambda = 0.5};
  const Dataset three = classes(3);
  const Model fitted = train(three, options);
  options.held_out.costs = parse_costs("0,1,5;1,0,1;9,9,0");
  expect_equal(with_decisions(fitted, three, options), train(three, options));
}

TEST(TestRows, ContendersOfOneFitScoreAsContendersOfTheirOwn) {
  const Table table = generate("ripley", 100, 3);
  std::vector<Contender> all(3, contender("label"));
  all[1].name = all[1].key = "cost", all[1].train.held_out.costs = parse_costs("1,5");
  all[2].name = all[2].key = "ber", all[2].train.held_out.threshold = parse_threshold("ber");
  const NestedValidation apart = run(table, all, "folds:4");
  for (Contender& c : all) c.fit = "one";
  const NestedValidation together = run(table, all, "folds:4");
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < 4; ++k) {
      const SplitResult &a = apart.contenders[c].splits[k], &b = together.contenders[c].splits[k];
      EXPECT_EQ(a.test.scores, b.test.scores);
      EXPECT_EQ(a.test.tally.confusion, b.test.tally.confusion);
      EXPECT_EQ(a.values, b.values);
      ASSERT_EQ(a.held_out.size(), b.held_out.size());
      for (std::size_t s = 0; s < a.held_out.size(); ++s)
        EXPECT_NEAR(a.held_out[s].second, b.held_out[s].second, 1e-12);
    }
  // A third of the fits: the searches are those of one contender.
  EXPECT_EQ(together.contenders[0].splits[0].seconds, together.contenders[2].splits[0].seconds);
  // One that joins later finds the results of the others.
  Journal journal;
  EvaluateOptions o;
  o.plan = parse_split_plan("folds:4");
  o.threads = 1;
  o.contenders = {all[0]};
  evaluate(table, o, journal);
  EXPECT_EQ(journal.size(), 4u);
  o.contenders = all;
  evaluate(table, o, journal);
  EXPECT_EQ(journal.size(), 12u);
}

TEST(TestRows, PredictionsGiveTheScoresAgain) {
  const Table table = generate("ripley", 80, 5);
  const NestedValidation e = run(table, {contender("label")}, "folds:4", {.keep_rows = true});
  std::vector<bool> seen(80);
  for (const SplitResult& r : e.contenders[0].splits) {
    double wrong = 0.0, loss = 0.0;
    for (Index i = 0; i < r.rows.size(); ++i) {
      const auto k = std::size_t(i);
      wrong += r.rows.label[k] != r.rows.decided[k];
      loss -= std::log(r.rows.probability(i, r.rows.label[k]));
      EXPECT_FALSE(seen[std::size_t(r.rows.row[k] - 1)]);
      seen[std::size_t(r.rows.row[k] - 1)] = true;
    }
    EXPECT_NEAR(value_of(r.test.scores, "error"), wrong / double(r.rows.size()), 1e-12);
    EXPECT_NEAR(value_of(r.test.scores, "xent"), loss / double(r.rows.size()), 1e-12);
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 80);
  std::ostringstream csv;
  write_test_predictions(e, csv);
  const std::string text = csv.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 81);
  EXPECT_TRUE(text.starts_with("split,row,target,prediction,output,probability:"));
}

TEST(TestRows, CoverageCountsTheValuesInsideTheIntervals) {
  const Table table = generate("sinc", 120, 6);
  const std::string target = table.columns.back().name;
  const NestedValidation e = run(table, {contender(target)}, "folds:3", {.keep_rows = true, .intervals = true});
  double inside = 0.0, all = 0.0, width = 0.0;
  for (const SplitResult& r : e.contenders[0].splits)
    for (Index i = 0; i < r.rows.size(); ++i) {
      const double t = r.rows.target(i, 0), low = r.rows.lower(i, 0), high = r.rows.upper(i, 0);
      inside += t >= low && t <= high;
      width += high - low;
      ++all;
    }
  const Json coverage = evaluation_json(e)["models"][0]["coverage"];
  EXPECT_NEAR(coverage["inside"], inside / all, 1e-12);
  EXPECT_NEAR(coverage["width"], width / all, 1e-12);
  EXPECT_GT(inside / all, 0.8);  // 0.9 is promised, of 120 rows
  EXPECT_NE(evaluation_text(e).find("of the test values lie in their 90 % intervals"), std::string::npos);
  EXPECT_FALSE(evaluation_json(run(table, {contender(target)}, "folds:3"))["models"][0].contains("coverage"));
}

TEST(TestRows, LevelsOfAColumnHaveTheScoresOfTheirRows) {
  // A side of each row, by its first feature.
  Table table = generate("ripley", 120, 8);
  Column side;
  side.name = "side";
  side.levels = {"left", "right"};
  for (Index i = 0; i < 120; ++i) side.code.push_back(table.columns[0].number[std::size_t(i)] < 0.0 ? 0 : 1);
  side.is_text = true;
  table.columns.push_back(side);
  Contender c = contender("label");
  c.data.ignore = {"side"};
  const NestedValidation e = run(table, {c}, "folds:4", {.keep_rows = true, .by = "side"});
  const Json by = evaluation_json(e)["models"][0]["by"];
  EXPECT_EQ(by["column"], "side");
  double rows = 0.0;
  for (const Json& level : by["levels"]) {
    double wrong = 0.0, count = 0.0;
    for (const SplitResult& r : e.contenders[0].splits)
      for (Index i = 0; i < r.rows.size(); ++i) {
        if ((side.code[std::size_t(r.rows.row[std::size_t(i)] - 1)] == 0) != (level["level"] == "left")) continue;
        wrong += r.rows.label[std::size_t(i)] != r.rows.decided[std::size_t(i)];
        ++count;
      }
    EXPECT_EQ(level["rows"], count);
    EXPECT_NEAR(level["scores"]["error"]["mean"], wrong / count, 1e-12);
    rows += count;
  }
  EXPECT_EQ(rows, 120.0);
  EXPECT_NE(evaluation_text(e).find("by side"), std::string::npos);
}

TEST(TestRows, AConstantAnswerScoresAsTheBaselineOfItsTrainingRows) {
  Contender constant = contender("label");
  constant.name = constant.key = "constant";
  constant.constant = true;
  const Table table = generate("ripley", 100, 9);
  const NestedValidation e = run(table, {contender("label"), constant}, "folds:5");
  const Tally all = pooled_tally(e.contenders[1].splits);
  // Folds are stratified, so that the shares of the training rows are those of the test rows.
  EXPECT_NEAR(value_of(scores_of(all), "error"), value_of(baseline_of(all), "error"), 1e-12);
  EXPECT_NEAR(value_of(scores_of(all), "xent"), value_of(baseline_of(all), "xent"), 1e-3);
  const Json json = evaluation_json(e);
  EXPECT_LT(json["comparisons"][0]["differences"]["error"]["mean"], 0.0);
  EXPECT_NE(evaluation_text(e).find("constant"), std::string::npos);

  Contender mean = contender("y");
  mean.constant = true;
  const NestedValidation values = run(generate("sinc", 60, 1), {mean}, "folds:6");
  EXPECT_NEAR(value_of(scores_of(pooled_tally(values.contenders[0].splits)), "r2"), 0.0, 1e-9);
}

}  // namespace test_rows_test
}  // namespace lacuna

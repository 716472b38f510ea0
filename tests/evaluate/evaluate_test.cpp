#include "lacuna/evaluate/evaluate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "experiment/generate.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/criterion/auc.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/evaluate/tasks.hpp"
#include "lacuna/report/evaluation.hpp"
#include "tests/data/refusal.hpp"
#include "tests/evaluate/runs.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace evaluate_test {

using test::any_says;
using testing::contender, testing::options_for, testing::run;

// Everything but times.
void expect_same(const NestedValidation& a, const NestedValidation& b) {
  ASSERT_EQ(a.contenders.size(), b.contenders.size());
  for (std::size_t c = 0; c < a.contenders.size(); ++c) {
    ASSERT_EQ(a.contenders[c].splits.size(), b.contenders[c].splits.size());
    for (std::size_t k = 0; k < a.contenders[c].splits.size(); ++k) {
      const SplitResult &x = a.contenders[c].splits[k], &y = b.contenders[c].splits[k];
      EXPECT_EQ(x.test.scores, y.test.scores);
      EXPECT_EQ(x.values, y.values);
      EXPECT_EQ(x.criterion_value, y.criterion_value);
      EXPECT_EQ(x.test.tally.confusion, y.test.tally.confusion);
    }
  }
}

TEST(Evaluate, EqualsALoopWrittenByHand) {
  const Table table = generate("ripley", 120, 3);
  const EvaluateOptions options = options_for({contender("label", klr())}, "4:0.25");
  const NestedValidation e = run(table, options);
  const Dataset all = encode(table, {.targets = {"label"}}).data;
  const auto splits = make_splits(options.plan, 4, 120, all.label, {});
  for (std::size_t k = 0; k < 4; ++k) {
    const Encoded training = encode(take_rows(table, splits[k].train), {.targets = {"label"}});
    const Model model = train(training.data, {.model = klr(), .run = {.threads = 1}});
    const Predictions said = predict(model, prepare(take_rows(table, splits[k].test), training.encoding).X);
    double wrong = 0.0, loss = 0.0;
    for (std::size_t i = 0; i < splits[k].test.size(); ++i) {
      const int label = all.label[std::size_t(splits[k].test[i])];
      wrong += said.label[i] != label;
      loss -= std::log(said.probability(Index(i), label));
    }
    const auto n = double(splits[k].test.size());
    const SplitResult& r = e.contenders[0].splits[k];
    EXPECT_NEAR(value_of(r.test.scores, "error"), wrong / n, 1e-14);
    EXPECT_NEAR(value_of(r.test.scores, "bits"), 1.0 - loss / n / std::numbers::ln2, 1e-12);
    EXPECT_EQ(r.values[0], model.lambda);
    EXPECT_EQ(r.criterion_value, model.report.criterion_value);
    EXPECT_TRUE(r.optimistic);
  }
}

TEST(Evaluate, GivesTheSameBitsOnAnyNumberOfThreadsAndThroughTheJournal) {
  const Table table = generate("twonorm", 60, 4);
  const std::vector<Contender> two{contender("label", klr()), contender("label", ls_svm(), "linear")};
  const NestedValidation alone = run(table, options_for(two, "6"));
  expect_same(alone, run(table, options_for(two, "6", 3)));
  EvaluateOptions impatient = options_for(two, "6");
  int calls = 0;
  impatient.observer = [&](const Progress& p) { return p.done < 5 || calls++ < 3; };
  Journal journal;
  EXPECT_TRUE(evaluate(table, impatient, journal).interrupted);
  EXPECT_GE(journal.size(), 5u);
  EXPECT_LT(journal.size(), 12u);
  expect_same(alone, evaluate(table, options_for(two, "6"), journal));
}

TEST(Evaluate, MoreSplitsAndContendersGoOnFromFewer) {
  const Table table = generate("twonorm", 60, 4);
  const Contender a = contender("label", ls_svm(), "linear"), b = contender("label", kfd(), "linear");
  Journal journal;
  evaluate(table, options_for({a}, "3"), journal);
  EXPECT_EQ(journal.size(), 3u);
  expect_same(run(table, options_for({a, b}, "5")), evaluate(table, options_for({a, b}, "5"), journal));
  EXPECT_EQ(journal.size(), 10u);
}

// Over draws of the data: on one draw, test and training parts of the same rows pull in opposite directions.
TEST(Evaluate, RandomLabelsAreAsGoodAsGuessing) {
  std::vector<double> error, auc;
  for (std::uint64_t draw = 1; draw <= 10; ++draw) {
    std::string text = "x,y,label\n";
    Random random(draw);
    for (int i = 0; i < 80; ++i)
      text += fmt::format("{},{},{}\n", random.normal(), random.normal(), random.uniform() < 0.5 ? "a" : "b");
    const NestedValidation e = run(parse_table(text, "t"), options_for({contender("label", klr())}, "5:0.25", 2));
    error.push_back(mean_of(values_of(e.contenders[0].splits, "error")).mean);
    auc.push_back(mean_of(values_of(e.contenders[0].splits, "auc")).mean);
    for (const SplitResult& r : e.contenders[0].splits) EXPECT_TRUE(r.optimistic);
  }
  const SampleMean m = mean_of(error);
  EXPECT_NEAR(m.mean, 0.5, 3.0 * m.se);
  EXPECT_LT(m.se, 0.04);
  EXPECT_NEAR(mean_of(auc).mean, 0.5, 3.0 * mean_of(auc).se);
}

TEST(Evaluate, ClassesThatTrainingNeverSawAreErrors) {
  std::string text = "x,kind,g\n";
  for (int i = 0; i < 36; ++i)
    text += std::to_string((i % 3) * 3 + 0.01 * i) + "," + "abc"[i % 3] + "," +
            (i % 3 == 2 ? "1"
             : i % 2    ? "2"
                        : "3") +
            "\n";
  EvaluateOptions options = options_for({contender("kind", klr())}, "groups");
  options.contenders[0].data.group = "g";
  const NestedValidation e = run(parse_table(text, "t"), options);
  ASSERT_EQ(e.contenders[0].splits.size(), 3u);
  const SplitResult& r = e.contenders[0].splits[0];  // all rows of c
  EXPECT_EQ(r.test.unseen, 12);
  EXPECT_EQ(value_of(r.test.scores, "error"), 1.0);
  EXPECT_TRUE(std::isnan(value_of(r.test.scores, "xent")));
  EXPECT_EQ(r.test.tally.confusion.row(2).sum(), 12.0);
}

TEST(Evaluate, ASplitThatCannotBeFittedIsReportedAndDoesNotCount) {
  std::string text = "x,label,g\n";
  for (int i = 0; i < 24; ++i)
    text += std::to_string(i) + "," + (i < 8 ? "b" : "a") + "," + (i < 8 ? "1" : i < 16 ? "2" : "3") + "\n";
  EvaluateOptions options = options_for({contender("label", klr())}, "groups");
  options.contenders[0].data.group = "g";
  const NestedValidation e = run(parse_table(text, "t"), options);
  EXPECT_NE(e.contenders[0].splits[0].failure, "");
  EXPECT_EQ(mean_of(values_of(e.contenders[0].splits, "error")).count, 2);
  EXPECT_TRUE(any_says(e.notes, "could not be fitted in 1 of 3 splits"));
  EXPECT_TRUE(any_says(e.notes, "no test part has a row of class b"));
}

TEST(Evaluate, OneContenderThatNeverWorksDoesNotTakeTheOthersWithIt) {
  Contender good = contender("label", klr()), bad = contender("label", klr());
  bad.key = bad.name = "bad";
  bad.train.run.memory_bytes = 10.0;  // never enough
  const NestedValidation e = run(generate("ripley", 60, 1), options_for({good, bad}, "3"));
  EXPECT_EQ(mean_of(values_of(e.contenders[0].splits, "error")).count, 3);
  EXPECT_TRUE(any_says(e.notes, "bad could not be fitted in 3 of 3 splits"));
  EXPECT_NE(evaluation_text(e).find("could not be fitted in any split"), std::string::npos);
  EXPECT_EQ(evaluation_json(e)["models"][1]["failures"].size(), 3u);
  EXPECT_THROW(run(generate("ripley", 60, 1), options_for({bad}, "3")), Error);
}

// Cells are missing in a column that one contender does not look at, and one drops such rows.
TEST(Evaluate, ContendersAreJudgedOnTheRowsThatAllKeep) {
  std::string text = "a,b,label\n";
  Random random(4);
  for (int i = 0; i < 60; ++i) {
    const double a = random.normal(), b = random.normal();
    text += number_text(a) + "," + (i % 5 == 0 ? "" : number_text(b)) + "," + (a + b > 0.0 ? "u" : "v") + "\n";
  }
  Contender mean = contender("label", ls_svm()), drop = mean, blind = mean;
  mean.data.missing = Missing::mean;
  drop.data.missing = Missing::drop;
  blind.data.ignore = {"b"};
  drop.key = drop.name = "drop";
  blind.key = blind.name = "blind";
  const Table table = parse_table(text, "t");
  for (const auto& order :
       {std::vector{mean, drop, blind}, std::vector{drop, blind, mean}, std::vector{blind, mean, drop}}) {
    const NestedValidation e = run(table, options_for(order, "4:0.25"));
    EXPECT_EQ(e.rows, 48);
    for (const auto& of : e.contenders)
      for (const SplitResult& r : of.splits) {
        EXPECT_EQ(r.failure, "");
        EXPECT_EQ(r.tested, 12);
      }
  }
  // With other rows the splits are others, and a journal is not taken for what it is not.
  Journal journal;
  evaluate(table, options_for({drop, mean}, "4:0.25"), journal);
  expect_same(run(table, options_for({mean}, "4:0.25")), evaluate(table, options_for({mean}, "4:0.25"), journal));
}

TEST(Evaluate, ClassesThatTrainingNeverSawAreSaidAndHideNoScore) {
  std::string text = "x,label,g\n";
  for (int i = 0; i < 30; ++i)
    text += std::to_string(i % 10) + "," + "abc"[i / 10] + "," + std::to_string(i < 10 ? 0 : 1 + i % 2) + "\n";
  EvaluateOptions options = options_for({contender("label", klr())}, "groups");
  options.contenders[0].data.group = "g";
  const NestedValidation e = run(parse_table(text, "t"), options);
  EXPECT_EQ(score_names(e.contenders[0]).size(), 6u);
  EXPECT_TRUE(any_says(e.notes, "10 test rows are of a class that the training part did not have"));
}

TEST(Evaluate, TwinsThatMayBePartedAreSaid) {
  std::string text = "x,label,g\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i / 2) + (i % 4 < 2 ? ",a," : ",b,") + std::to_string(i / 2) + "\n";
  Contender c = contender("label", ls_svm());
  c.data.ignore = {"g"};
  EXPECT_TRUE(
      any_says(run(parse_table(text, "t"), options_for({c}, "3")).notes, "20 of 40 rows repeat an earlier row"));
  c.data.ignore = {};
  c.data.group = "g";
  EXPECT_FALSE(any_says(run(parse_table(text, "t"), options_for({c}, "3")).notes, "repeat an earlier row"));
}

TEST(Evaluate, CountsAreJudgedByDevianceAgainstTheTrainingRate) {
  EvaluateOptions options = options_for({contender("count", poisson_regression())}, "3:0.3");
  options.contenders[0].data.exposure = "exposure";
  options.contenders[0].data.task = DataOptions::TaskRequest::counts;
  const NestedValidation e = run(generate("counts", 150, 2), options);
  for (const SplitResult& r : e.contenders[0].splits) {
    EXPECT_GT(value_of(r.test.scores, "deviance"), 0.0);
    EXPECT_GT(value_of(r.test.scores, "d2"), 0.05);
  }
}

TEST(Evaluate, GaussianProcessesAreRankedByTheirProbabilities) {
  const Table table = generate("ripley", 80, 6);
  Contender c = contender("label", gp_laplace_classifier(), "rbf:theta=3");
  c.train.lambda = 0.02;
  const NestedValidation e = run(table, options_for({c}, "5:0.4"));
  const Dataset all = encode(table, {.targets = {"label"}}).data;
  const auto splits = make_splits(parse_split_plan("5:0.4"), 5, 80, all.label, {});
  bool differs = false;
  for (std::size_t k = 0; k < 5; ++k) {
    const Encoded training = encode(take_rows(table, splits[k].train), {.targets = {"label"}});
    TrainOptions options = c.train;
    const Model model = train(training.data, options);
    const Predictions said = predict(model, prepare(take_rows(table, splits[k].test), training.encoding).X);
    std::vector<bool> positive;
    for (const Index i : splits[k].test) positive.push_back(all.label[std::size_t(i)] == 1);
    const Vector ones = Vector::Ones(said.output.rows());
    EXPECT_NEAR(value_of(e.contenders[0].splits[k].test.scores, "auc"),
                area_under_curve(said.probability.col(1), positive, ones), 1e-12);
    differs = differs || area_under_curve(said.output.col(0), positive, ones) !=
                             area_under_curve(said.probability.col(1), positive, ones);
  }
  EXPECT_TRUE(differs);  // else this says nothing
}

}  // namespace evaluate_test
}  // namespace lacuna

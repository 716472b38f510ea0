// Groups and weights in evaluate: selection inside the splits keeps groups together, gaps beyond chance are said, and
// weights are copies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/report/evaluation.hpp"
#include "tests/data/refusal.hpp"
#include "tests/evaluate/runs.hpp"

namespace lacuna {
namespace groups_test {

using test::any_says;
using testing::contender, testing::options_for, testing::run;

// Rows that repeat in groups, with labels that have nothing to do with where they are.
TEST(Evaluate, GroupsHoldInTheSelectionInsideTheSplitsToo) {
  std::string text = "x,y,label,g\n";
  Random random(3);
  for (int g = 0; g < 15; ++g) {
    const double x = random.normal(), y = random.normal();
    const bool label = random.uniform() < 0.5;
    for (int k = 0; k < 4; ++k)
      text +=
          fmt::format("{},{},{},{}\n", x + 0.01 * random.normal(), y + 0.01 * random.normal(), label ? "b" : "a", g);
  }
  const Table table = parse_table(text, "t");
  EvaluateOptions options = options_for({contender("label", ls_svm())}, "groups");
  options.contenders[0].data.group = "g";
  const NestedValidation e = run(table, options);
  EXPECT_EQ(e.group, "g");
  const double inside = mean_of(held_out_values(e.contenders[0].splits, "error")).mean;
  const double outside = PooledScores(e.contenders[0].splits).value("error");
  EXPECT_GT(inside, 0.25);
  EXPECT_NEAR(inside, outside, 0.25);
  EXPECT_FALSE(any_says(e.notes, "beyond chance"));
  // A contender that says nothing of groups is held to them as well; one that would part them is refused.
  Contender other = contender("label", klr());
  options.contenders.push_back(other);
  for (const auto& of : run(table, options).contenders)
    EXPECT_GT(mean_of(held_out_values(of.splits, "error")).mean, 0.25) << of.name;
  options.contenders[1].train.select.cv = parse_cross_validation("loo");
  EXPECT_THROW(run(table, options), Error);
  options.contenders[1].train.select.cv = {};
  options.contenders[1].data.group = "x";
  EXPECT_THROW(run(table, options), Error);
}

TEST(Evaluate, WeightsAreCopiesInStandardErrorsToo) {
  std::string weighted = "x,label,g,w\n", copies = "x,label,g,w\n";
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    const double x = random.normal();
    const int weight = 1 + int(3.0 * random.uniform());
    const std::string row = fmt::format("{},{},{},", x, x + random.normal() > 0.0 ? "b" : "a", i / 4);
    weighted += row + fmt::format("{}\n", weight);
    for (int k = 0; k < weight; ++k) copies += row + "1\n";
  }
  EvaluateOptions options = options_for({contender("label", ls_svm(), "rbf:theta=0.5")}, "groups");
  options.contenders[0].train.lambda = 1.0;
  options.contenders[0].data.group = "g";
  options.contenders[0].data.weights = "w";
  const NestedValidation a = run(parse_table(weighted, "a"), options), b = run(parse_table(copies, "b"), options);
  EXPECT_NEAR(a.tested_to_trained, b.tested_to_trained, 1e-12);
  for (const char* score : {"error", "ber"}) {
    const Estimate of_a = PooledScores(a.contenders[0].splits).estimate(score, a.tested_to_trained);
    const Estimate of_b = PooledScores(b.contenders[0].splits).estimate(score, b.tested_to_trained);
    EXPECT_NEAR(of_a.value, of_b.value, 1e-9) << score;
    EXPECT_NEAR(of_a.se, of_b.se, 1e-9) << score;
  }
}

// The same rows without their groups, in splits that keep them apart: what is held out inside is not what is tested.
TEST(Evaluate, AGapBetweenInsideAndOutsideIsSaid) {
  std::string text = "x,y,label\n", train_rows, test_rows;
  Random random(3);
  for (int g = 0; g < 20; ++g) {
    const double x = random.normal(), y = random.normal();
    const bool label = random.uniform() < 0.5;
    for (int k = 0; k < 4; ++k)
      text += fmt::format("{},{},{}\n", x + 0.01 * random.normal(), y + 0.01 * random.normal(), label ? "b" : "a");
  }
  for (int split = 1; split <= 10; ++split) {
    train_rows += std::to_string(split);
    test_rows += std::to_string(split);
    for (int i = 0; i < 80; ++i) (i / 8 == split - 1 ? test_rows : train_rows) += "," + std::to_string(i);
    train_rows += "\n";
    test_rows += "\n";
  }
  const std::string stem = ::testing::TempDir() + "gap";
  std::ofstream(stem + ".train.csv") << train_rows;
  std::ofstream(stem + ".test.csv") << test_rows;
  const NestedValidation e = run(parse_table(text, "t"), options_for({contender("label", ls_svm())}, "files:" + stem));
  EXPECT_LT(mean_of(held_out_values(e.contenders[0].splits, "error")).mean, 0.05);
  EXPECT_GT(PooledScores(e.contenders[0].splits).value("error"), 0.25);
  EXPECT_TRUE(any_says(e.notes, "a gap beyond chance"));
  EXPECT_TRUE(any_says(evaluation_json(e)["warnings"].get<std::vector<std::string>>(), "--group COL"));
}

// Fit and evaluate rank the rows of a Gaussian process by the same outputs: those that its decisions are made of.

}  // namespace groups_test
}  // namespace lacuna

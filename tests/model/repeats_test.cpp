// Folds that are repeated: scores are means over the repeats, and the rows that are kept say the same.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "experiment/generate.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace repeats_test {

double score(const Model& model, const std::string& which) {
  for (const auto& [name, value] : model.report.held_out)
    if (name == which) return value;
  return std::nan("");
}

TEST(Repeats, RowsKeptHaveTheScoresOfTheReport) {
  const Dataset data = encode(generate("ripley", 60, 2), {.targets = {"label"}}).data;
  for (const Machine& machine : {klr(), gp_laplace_classifier()}) {
    const Model model = train(
        data, {.model = machine, .kernel = rbf(1.0), .lambda = 0.2, .select = {.cv = parse_cross_validation("4x3")}});
    ASSERT_EQ(model.held_out.size(), 180);
    EXPECT_EQ(model.held_out.repeats(), 3);
    const Predictions said = held_out_predictions(model);
    double wrong = 0.0;
    for (std::size_t i = 0; i < 180; ++i) {
      EXPECT_EQ(model.held_out.row[i], std::int64_t(i % 60) + 1);
      wrong += said.label[i] != data.label[i % 60];
    }
    EXPECT_NEAR(score(model, "error"), wrong / 180.0, 1e-14) << machine.name;
    EXPECT_NEAR(score(model, "xent"), held_out_loss(model).mean(), 1e-12) << machine.name;
  }
}

TEST(Repeats, RootMeanSquaresToo) {
  const Dataset data = encode(generate("sinc", 50, 2), {.targets = {"y"}}).data;
  const Model model = train(
      data, {.model = ls_svm(), .kernel = rbf(2.0), .lambda = 0.1, .select = {.cv = parse_cross_validation("5x2")}});
  EXPECT_NEAR(score(model, "rmse"), std::sqrt(held_out_loss(model).mean()), 1e-12);
  std::ostringstream csv;
  write_held_out_csv(model, csv);
  std::istringstream lines(csv.str());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line.substr(0, 18), "row,repeat,target,");
  int count = 0;
  while (std::getline(lines, line)) ++count;
  EXPECT_EQ(count, 100);
  EXPECT_EQ(inspect_text(model).find("held-out outputs of 100 rows"), std::string::npos);
  EXPECT_NE(inspect_text(model).find("held-out outputs of 50 rows"), std::string::npos);
}

// The decision is made on every repeat's outputs, as the scores are.
TEST(Repeats, TheThresholdIsTheBestForTheOutputsOfAllRepeats) {
  const Dataset data = encode(generate("ripley", 60, 5), {.targets = {"label"}}).data;
  TrainOptions options{
      .model = klr(), .kernel = rbf(1.0), .lambda = 0.2, .select = {.cv = parse_cross_validation("4x3")}};
  options.held_out.threshold = parse_threshold("cost:1,4");
  const Model model = train(data, options);
  std::vector<int> label;
  for (int r = 0; r < 3; ++r) label.insert(label.end(), data.label.begin(), data.label.end());
  const double natural = output_with_odds(model.loss, model.calibration, std::log(0.25));
  EXPECT_EQ(model.threshold, choose_threshold(*options.held_out.threshold, model.held_out.output.col(0), label,
                                              Vector::Constant(180, 1.0 / 3.0), natural));
}

}  // namespace repeats_test
}  // namespace lacuna

// Jackknife+ intervals: the machines without each row against refits, the ends against their definition, files,
// refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/jackknife.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace jackknife_test {

Dataset smooth(Index rows, std::uint64_t seed, Index targets = 1) {
  Random random(seed);
  RowMatrix X(rows, 2);
  Matrix t(rows, targets);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < 2; ++k) X(i, k) = random.uniform(-2.0, 2.0);
    for (Index c = 0; c < targets; ++c)
      t(i, c) = std::sin((1.0 + double(c)) * X(i, 0)) + 0.5 * X(i, 1) + 0.2 * random.normal();
  }
  Dataset out =
      make_dataset(X, std::vector<double>(t.col(0).begin(), t.col(0).end()), DataOptions::TaskRequest::regression);
  out.targets = t;
  out.target_names.clear();
  for (Index c = 0; c < targets; ++c) out.target_names.push_back("t" + std::to_string(c));
  return out;
}

TrainOptions by_jackknife(TrainOptions options, double level = 0.9) {
  options.held_out.level = level;
  options.held_out.interval_method = IntervalMethod::jackknife_plus;
  return options;
}

std::vector<Index> all_but_one(Index rows, Index i) { return all_but(rows, {i}); }

// What n refits, each without a row, say about new rows, and their residuals.
struct Refitted {
  std::vector<Matrix> at;  // for each row left out: outputs of new rows
  Matrix residual;
};
Refitted refits(const Dataset& data, TrainOptions options, const RowsView& fresh) {
  options.held_out = {.intervals = false};
  Refitted out{{}, Matrix(data.size(), data.targets.cols())};
  for (Index i = 0; i < data.size(); ++i) {
    const Model without = train(take_rows(data, all_but_one(data.size(), i)), options);
    out.at.push_back(outputs(without, fresh));
    out.residual.row(i) =
        (data.targets.row(i) - outputs(without, middle_rows(RowsView(data.X), i, 1)).row(0)).cwiseAbs();
  }
  return out;
}

// The definition, for equal weights.
IntervalEnds ends_of(const Refitted& r, Index row, Index target, double level) {
  std::vector<double> below, above;
  for (std::size_t i = 0; i < r.at.size(); ++i) {
    below.push_back(r.at[i](row, target) - r.residual(Index(i), target));
    above.push_back(r.at[i](row, target) + r.residual(Index(i), target));
  }
  std::ranges::sort(below);
  std::ranges::sort(above);
  const double n = double(r.at.size()), rank = std::ceil(level * (n + 1.0) - 1e-9);
  return {below[std::size_t(n - rank)], above[std::size_t(rank) - 1]};
}

void expect_the_definition(const Dataset& data, const TrainOptions& options, double level) {
  const Dataset fresh = smooth(12, 99, data.targets.cols());
  const Model model = train(data, by_jackknife(options, level));
  ASSERT_TRUE(model.intervals.jackknife);
  ASSERT_FALSE(model.intervals.noise) << "the definition below is of equal noise";
  const Refitted r = refits(data, options, fresh.X);
  EXPECT_LT((model.intervals.jackknife->residual - r.residual).cwiseAbs().maxCoeff(), 1e-10);
  const LeftOutMachines machines(model, cpu_backend());
  const Rows rows = model.centre.size() > 0 ? about(RowsView(fresh.X), model.centre) : fresh.X;
  const double other = 0.6;
  const Predictions said =
      predict(model, fresh.X, {}, cpu_backend(), {.quantiles = {0.5 - 0.5 * other, 0.5, 0.5 + 0.5 * other}});
  for (Index c = 0; c < data.targets.cols(); ++c) {
    const Matrix f = machines.outputs(rows, c);
    for (Index k = 0; k < fresh.size(); ++k) {
      for (Index i = 0; i < data.size(); ++i) EXPECT_NEAR(f(k, i), r.at[std::size_t(i)](k, c), 1e-10);
      const IntervalEnds own = ends_of(r, k, c, level), inner = ends_of(r, k, c, other);
      EXPECT_NEAR(said.lower(k, c), std::min(own.lower, said.value(k, c)), 1e-10);
      EXPECT_NEAR(said.upper(k, c), std::max(own.upper, said.value(k, c)), 1e-10);
      EXPECT_NEAR(said.quantiles[0](k, c), std::min(inner.lower, said.value(k, c)), 1e-10);
      EXPECT_EQ(said.quantiles[1](k, c), said.value(k, c));
      EXPECT_NEAR(said.quantiles[2](k, c), std::max(inner.upper, said.value(k, c)), 1e-10);
    }
  }
}

TEST(Jackknife, EndsAreThoseOfRefitsWithoutEachRow) {
  expect_the_definition(smooth(25, 1), {.model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.2}, 0.9);
  expect_the_definition(smooth(19, 2), {.model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.01}, 0.8);
}

TEST(Jackknife, ServesSeveralTargetsAndRowsThatAreCentred) {
  Dataset data = smooth(20, 3, 2);
  expect_the_definition(data, {.model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.2}, 0.9);
  expect_the_definition(data, {.model = ls_svm(), .kernel = linear(), .lambda = 0.2}, 0.9);
}

TEST(Jackknife, WeightsLeaveARowOutWhole) {
  Dataset data = smooth(22, 4);
  data.weights.resize(22);
  for (Index i = 0; i < 22; ++i) data.weights[i] = 0.3 * double(1 + i % 3);
  const TrainOptions options{.model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.2};
  const Model model = train(data, by_jackknife(options));
  const Dataset fresh = smooth(6, 98);
  const Refitted r = refits(data, options, fresh.X);
  const LeftOutMachines machines(model, cpu_backend());
  const Matrix f = machines.outputs(fresh.X, 0);
  for (Index k = 0; k < fresh.size(); ++k)
    for (Index i = 0; i < data.size(); ++i) EXPECT_NEAR(f(k, i), r.at[std::size_t(i)](k, 0), 1e-10);
  EXPECT_LT((model.intervals.jackknife->residual - r.residual).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Jackknife, ResidualsOfChosenParametersAreThoseChosenWithoutTheRow) {
  const Dataset data = smooth(24, 5);
  const Model model = train(data, by_jackknife({.model = ls_svm()})), plain = train(data, {.model = ls_svm()});
  EXPECT_EQ(model.intervals.folds, 24);
  EXPECT_EQ(model.intervals.half_width, plain.intervals.half_width);
  EXPECT_EQ(interval_half_width(model.intervals.jackknife->residual, Vector::Ones(24)), plain.intervals.half_width);
}

TEST(Jackknife, SurvivesTheModelFile) {
  const Dataset data = smooth(24, 6), fresh = smooth(10, 7);
  const Model model = train(data, by_jackknife({.model = ls_svm()}));
  const Model back = model_from_bytes(model_to_bytes(model), "memory");
  EXPECT_EQ(predict(back, fresh.X).lower, predict(model, fresh.X).lower);
  EXPECT_EQ(predict(back, fresh.X).upper, predict(model, fresh.X).upper);
}

TEST(Jackknife, IsRefusedWhereThereIsNoClosedForm) {
  const Dataset data = smooth(24, 8);
  const auto why = [&](const TrainOptions& options) {
    return test::refusal([&] { train(data, by_jackknife(options)); });
  };
  EXPECT_NE(why({.model = huber_regression(1.0)}).find("only ls-svm"), std::string::npos);
  EXPECT_NE(why({.basis = parse_basis("10")}).find("leave out `basis`"), std::string::npos);
  EXPECT_NE(why({.select = {.cv = parse_cross_validation("5")}}).find("one at a time"), std::string::npos);
  EXPECT_EQ(parse_interval("0.8").first, 0.8);
  EXPECT_EQ(parse_interval("0.8:jackknife+").second, IntervalMethod::jackknife_plus);
  EXPECT_EQ(parse_interval("0.8:constant").second, IntervalMethod::constant);
  for (const char* text : {"", "x", "0.9:", "0.9:jackknife", "0.9 "})
    EXPECT_NE(test::refusal([&] { parse_interval(text); }).find("not understood"), std::string::npos) << text;
}

}  // namespace jackknife_test
}  // namespace lacuna

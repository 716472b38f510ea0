// Intervals of values: quantiles of held-out residuals by weight, honest about the choice of hyper-parameters, written
// to files and read back.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/model/detail/read_model.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace intervals_test {

// sin(x)/x with noise of this deviation.
Dataset sinc(Index rows, std::uint64_t seed, double noise) {
  Random random(seed);
  RowMatrix X(rows, 1);
  std::vector<double> t;
  for (Index i = 0; i < rows; ++i) {
    X(i, 0) = random.uniform(-3.0, 3.0);
    const double x = 3.0 * X(i, 0);
    t.push_back((x == 0.0 ? 1.0 : std::sin(x) / x) + noise * random.normal());
  }
  return make_dataset(X, t, DataOptions::TaskRequest::regression);
}

TEST(Intervals, HalfWidthIsTheOrderStatisticOfRankNineTenthsOfRowsAndOne) {
  Random random(1);
  for (const Index l : {10, 12, 19, 29, 100}) {
    Matrix r(l, 2);
    for (double& x : r.reshaped()) x = random.normal();
    for (const double unit : {1.0, 1e-6, 0.1, 1e6}) {
      const Vector width = interval_half_width(r, Vector::Constant(l, unit));
      for (Index c = 0; c < 2; ++c) {
        Vector a = r.col(c).cwiseAbs();
        std::sort(a.begin(), a.end());
        EXPECT_EQ(width[c], a[(9 * (l + 1) + 9) / 10 - 1]);
      }
    }
  }
  EXPECT_EQ(interval_half_width(Matrix::Ones(9, 1), Vector::Ones(9)).size(), 0);
}

TEST(Intervals, OfOtherLevelsAreOrderStatisticsToo) {
  Random random(8);
  for (const Index l : {10, 12, 33, 100, 250}) {
    Matrix r(l, 2);
    for (double& x : r.reshaped()) x = random.normal();
    const Matrix all = interval_half_widths(r, Vector::Ones(l));
    ASSERT_EQ(all.rows(), std::min<Index>(99, 100 * l / (l + 1)));
    const Intervals intervals{.half_width = interval_half_width(r, Vector::Ones(l)), .by_percent = all};
    for (Index c = 0; c < 2; ++c) {
      Vector a = r.col(c).cwiseAbs();
      std::sort(a.begin(), a.end());
      for (Index percent = 1; percent <= all.rows(); ++percent) {
        const double width = a[(percent * (l + 1) + 99) / 100 - 1];
        EXPECT_EQ(all(percent - 1, c), width) << percent << " % of " << l;
        EXPECT_EQ(half_width_at(intervals, double(percent) / 100.0)[c], width);
        EXPECT_EQ(half_width_at(intervals, (double(percent) - 0.5) / 100.0)[c], width);
      }
    }
  }
}

TEST(Intervals, OfLevelsThatTheRowsDoNotGiveAreRefused) {
  const Matrix r = Matrix::Ones(12, 1);
  Intervals intervals{.half_width = interval_half_width(r, Vector::Ones(12)),
                      .by_percent = interval_half_widths(r, Vector::Ones(12))};
  EXPECT_EQ(half_width_at(intervals, 0.92)[0], 1.0);
  EXPECT_NE(test::refusal([&] { half_width_at(intervals, 0.93); }).find("above 0.92"), std::string::npos);
  for (const double level : {0.0, 1.0, -1.0, std::nan("")})
    EXPECT_NE(test::refusal([&] { half_width_at(intervals, level); }).find("between 0 and 1"), std::string::npos);
  intervals.by_percent = {};
  EXPECT_EQ(half_width_at(intervals, 0.9)[0], 1.0);
  EXPECT_NE(test::refusal([&] { half_width_at(intervals, 0.5); }).find("0.9 only"), std::string::npos);
  EXPECT_NE(test::refusal([&] { half_width_at({}, 0.9); }).find("no intervals"), std::string::npos);
}

TEST(Intervals, RowsOfNextToNoWeightDoNotWidenThem) {
  Random random(2);
  Matrix r(50, 1);
  for (Index i = 0; i < 50; ++i) r(i, 0) = i < 20 ? 0.1 * random.normal() : 10.0;
  Vector w = Vector::Ones(50);
  w.tail(30).setConstant(1e-9);
  EXPECT_EQ(interval_half_width(r, w), interval_half_width(r.topRows(20), Vector::Ones(20)));
}

TEST(Intervals, AndTheScaleOfHuberCountRowsByWeight) {
  Dataset data = sinc(40, 3, 0.1);
  Dataset junk = sinc(70, 3, 0.1);
  junk.targets.bottomRows(30).setConstant(1e3);
  junk.targets.topRows(40) = data.targets;
  RowMatrix X = junk.X.dense();
  X.topRows(40) = data.X.dense();
  junk.X = X;
  junk.weights = Vector::Ones(70);
  junk.weights.tail(30).setConstant(1e-14);
  for (const Machine& machine : {ls_svm(), huber_regression()}) {
    const TrainOptions options{.model = machine, .kernel = rbf(1.0), .lambda = 0.1};
    const Model clean = train(data, options), weighted = train(junk, options);
    EXPECT_NEAR(weighted.intervals.half_width[0], clean.intervals.half_width[0], 1e-7);
    if (const auto* huber = std::get_if<losses::PseudoHuber>(&clean.loss)) {
      EXPECT_NEAR(std::get<losses::PseudoHuber>(weighted.loss).delta, huber->delta, 1e-7);
    }
  }
}

// Against what the same rows say of themselves at the parameters they chose.
TEST(Intervals, CoverNewRowsAboutAsOftenAsTheySayAlthoughParametersWereChosen) {
  constexpr int draws = 60;
  const Dataset fresh = sinc(400, 999, 0.2);
  double honest = 0.0, naive = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const Model model = train(sinc(20, std::uint64_t(draw + 1), 0.2), {});
    EXPECT_EQ(model.intervals.folds, 20);
    EXPECT_TRUE(model.intervals.selected);
    const Vector miss = (fresh.targets - outputs(model, fresh.X)).cwiseAbs();
    const Vector seen =
        interval_half_width(model.held_out.target - model.held_out.output, Vector::Ones(model.held_out.size()));
    honest += (miss.array() <= model.intervals.half_width[0]).cast<double>().mean() / draws;
    naive += (miss.array() <= seen[0]).cast<double>().mean() / draws;
  }
  // The coverage of one draw of 20 rows has a deviation of about 0.08: 0.01 in the mean.
  EXPECT_GT(honest, 0.86);
  EXPECT_LT(honest, 0.96);
  EXPECT_GT(honest, naive + 0.01) << naive;
}

TEST(Intervals, OfGivenParametersAreThoseOfTheHeldOutRows) {
  const Model model = train(sinc(60, 4, 0.1), {.kernel = rbf(1.0), .lambda = 0.1});
  EXPECT_FALSE(model.intervals.selected);
  EXPECT_EQ(model.intervals.folds, 0);
  EXPECT_EQ(model.intervals.half_width,
            interval_half_width(model.held_out.target - model.held_out.output, Vector::Ones(60)));
}

TEST(Intervals, RespectGroups) {
  Dataset data = sinc(45, 5, 0.1);
  for (Index i = 0; i < 45; ++i) data.group.push_back(int(i % 15));
  const Model model = train(data, {.select = {.cv = parse_cross_validation("group:g")}});
  EXPECT_EQ(model.intervals.folds, 15);
  Dataset two = data;
  for (Index i = 0; i < 45; ++i) two.group[std::size_t(i)] = int(i % 2);
  const Model coarse = train(two, {.select = {.cv = parse_cross_validation("group:g")}});
  EXPECT_EQ(coarse.intervals.folds, 0) << "without one of two groups there is none to hold out";
  EXPECT_EQ(coarse.intervals.half_width.size(), 0) << "and two groups do not tell how far a third may be";
}

TEST(Intervals, AreKeptInFiles) {
  const Model model = train(sinc(30, 6, 0.1), {});
  const Model back = model_from_bytes(model_to_bytes(model), "memory");
  EXPECT_EQ(back.intervals.half_width, model.intervals.half_width);
  EXPECT_EQ(back.intervals.by_percent, model.intervals.by_percent);
  EXPECT_EQ(model.intervals.by_percent(89, 0), model.intervals.half_width[0]);
  EXPECT_EQ(back.intervals.folds, model.intervals.folds);
  EXPECT_EQ(back.intervals.selected, model.intervals.selected);
  // Files of earlier versions have the held-out rows only.
  std::string bytes = model_to_bytes(model);
  bytes.replace(bytes.find("intervals"), 9, "unknown..");
  const Model old = detail::read_model_bytes(bytes, "memory", false);
  EXPECT_EQ(old.intervals.half_width,
            interval_half_width(model.held_out.target - model.held_out.output, Vector::Ones(30)));
}

TEST(Weights, OfZeroRemoveARow) {
  Dataset data = sinc(40, 7, 0.1);
  data.weights = Vector::Ones(40);
  std::vector<Index> kept;
  for (Index i = 0; i < 40; ++i) {
    if (i % 5 == 2)
      data.weights[i] = 0.0, data.targets(i, 0) = 1e6;
    else
      kept.push_back(i);
  }
  for (const char* cv : {"loo", "5"}) {
    const TrainOptions options{.select = {.cv = parse_cross_validation(cv)}};
    const Model weighted = train(data, options), removed = train(take_rows(data, kept), options);
    EXPECT_EQ(weighted.lambda, removed.lambda);
    EXPECT_EQ(weighted.alpha, removed.alpha);
    EXPECT_EQ(weighted.intervals.half_width, removed.intervals.half_width);
    EXPECT_EQ(weighted.held_out.row[2], 4);
  }
}

// What is new is a group, not a row: of G groups an interval of 90 % takes rank 0.9 (1 + 1/G) of all rows.
TEST(Intervals, CountGroupsWhereRowsHaveGroups) {
  const auto grouped = [](int groups, int each) {
    Dataset data = sinc(Index(groups * each), 12, 0.3);
    for (Index i = 0; i < data.size(); ++i) data.group.push_back(int(i) / each);
    TrainOptions options{.model = ls_svm(), .kernel = rbf(1.0), .lambda = 0.5};
    options.select.cv = parse_cross_validation("group:g");
    options.held_out.interval_method = IntervalMethod::constant;
    return train(data, options);
  };
  const Model model = grouped(15, 4);
  Vector r = (model.held_out.target - model.held_out.output).cwiseAbs().col(0);
  std::sort(r.begin(), r.end());
  EXPECT_EQ(model.intervals.half_width[0], r[57]);           // 0.9 * 60 * 16/15 = 57.6
  EXPECT_EQ(half_width_at(model.intervals, 0.5)[0], r[31]);  // 0.5 * 64 = 32
  EXPECT_EQ(model.intervals.by_percent.rows(), 93);          // 15/16
  const Model single = grouped(60, 1);
  r = (single.held_out.target - single.held_out.output).cwiseAbs().col(0);
  std::sort(r.begin(), r.end());
  EXPECT_EQ(single.intervals.half_width[0], r[54]);         // 0.9 * 61 = 54.9
  EXPECT_EQ(grouped(8, 6).intervals.half_width.size(), 0);  // of eight groups no residual has that rank
}

// Rows that come three times see their copies unless groups keep them together, however rows are held out.
TEST(Intervals, KeepGroupsTogetherUnderFolds) {
  const Dataset once = sinc(30, 11, 0.5);
  std::vector<Index> rows;
  for (Index i = 0; i < 90; ++i) rows.push_back(i / 3);
  Dataset data = take_rows(once, rows);
  for (const Index i : rows) data.group.push_back(int(i));
  const double by_group = train(data, {.kernel = rbf()}).intervals.half_width[0];
  for (const char* cv : {"5", "5x2", "explicit:5"}) {
    const double folds =
        train(data, {.kernel = rbf(), .select = {.cv = parse_cross_validation(cv)}}).intervals.half_width[0];
    EXPECT_GT(folds, 0.6 * by_group) << cv;
    EXPECT_LT(folds, 1.7 * by_group) << cv;
  }
}

// The same machine: robust regression knows neither the origin nor the unit of its targets.
TEST(Huber, HeldOutOutputsMoveWithTheTargets) {
  const Dataset data = sinc(60, 12, 0.3);
  const auto held_out = [&](double shift, double scale) {
    Dataset moved = data;
    moved.targets = (data.targets * scale).array() + shift;
    const Model model = train(moved, {.model = huber_regression(0.4 * scale), .kernel = rbf(0.7), .lambda = 0.01});
    return Matrix((model.held_out.output.array() - shift) / scale);
  };
  const Matrix z = held_out(0.0, 1.0);
  // Followed to 1e-4 of the loss's width.
  for (const double shift : {1000.0, -1e5}) EXPECT_LT((held_out(shift, 1.0) - z).cwiseAbs().maxCoeff(), 1e-4) << shift;
  for (const double scale : {1e-6, 1e-3, 1e3, 1e6})
    EXPECT_LT((held_out(0.0, scale) - z).cwiseAbs().maxCoeff(), 1e-4) << scale;
}

}  // namespace intervals_test
}  // namespace lacuna

#include "lacuna/model/tally.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/threshold.hpp"

namespace lacuna {
namespace tally_test {

struct Sample {
  std::vector<int> label, decided;
  Vector weights;
  Matrix probability;
};

Sample sample(int rows, int classes, bool weighted) {
  Random random(3);
  Sample out{{}, {}, Vector::Ones(rows), Matrix(rows, classes)};
  for (int i = 0; i < rows; ++i) {
    out.label.push_back(int(random.below(std::uint64_t(classes))) * int(random.below(2)));  // class 0 is commonest
    out.decided.push_back(int(random.below(std::uint64_t(classes))));
    if (weighted) out.weights[i] = random.uniform(0.5, 2.0);
    for (int k = 0; k < classes; ++k) out.probability(i, k) = random.uniform(0.1, 1.0);
    out.probability.row(i) /= out.probability.row(i).sum();
  }
  return out;
}

Tally tally_of(const Sample& s, const Matrix& price) {
  Tally out;
  tally_decisions(out, s.decided, s.label, s.weights, s.probability.cols());
  tally_probabilities(out, s.probability, log_loss(s.probability, s.label), s.label, s.weights);
  tally_costs(out, s.decided, s.label, s.weights, price);
  return out;
}

const Matrix prices{{0.0, 1.0, 5.0}, {2.0, 0.5, 3.0}, {9.0, 4.0, 0.0}};

TEST(Tally, CostIsTheMeanPriceOfDecisionsAndItsErrorThatOfAMean) {
  const Sample s = sample(200, 3, false);
  const Tally t = tally_of(s, prices);
  Vector cost(200);
  for (Index i = 0; i < 200; ++i) cost[i] = prices(s.label[std::size_t(i)], s.decided[std::size_t(i)]);
  EXPECT_NEAR(value_of(scores_of(t), "cost"), cost.mean(), 1e-12);
  const double deviation = std::sqrt((cost.array() - cost.mean()).square().mean());
  EXPECT_NEAR(cost_error(t), deviation / std::sqrt(200.0), 1e-12);
}

TEST(Tally, BaselinesAreScoresOfTheBestConstantAnswer) {
  for (const bool weighted : {false, true}) {
    const Sample s = sample(200, 3, weighted);
    const NamedScores baseline = baseline_of(tally_of(s, prices));
    double least_error = 1.0, least_cost = 1e9;
    Vector shares = Vector::Zero(3);
    for (std::size_t i = 0; i < 200; ++i) shares[s.label[i]] += s.weights[Index(i)] / s.weights.sum();
    for (int k = 0; k < 3; ++k) {
      Sample constant = s;
      constant.decided.assign(200, k);
      const NamedScores scores = scores_of(tally_of(constant, prices));
      least_error = std::min(least_error, value_of(scores, "error"));
      least_cost = std::min(least_cost, value_of(scores, "cost"));
    }
    EXPECT_NEAR(value_of(baseline, "error"), least_error, 1e-12);
    EXPECT_NEAR(value_of(baseline, "cost"), least_cost, 1e-12);
    Sample by_shares = s;
    by_shares.probability = shares.transpose().replicate(200, 1);
    const NamedScores scores = scores_of(tally_of(by_shares, prices));
    EXPECT_NEAR(value_of(baseline, "xent"), value_of(scores, "xent"), 1e-12);
    EXPECT_NEAR(value_of(baseline, "bits"), value_of(scores, "bits"), 1e-12);
    EXPECT_EQ(cheapest_class(tally_of(s, prices)) >= 0, true);
  }
}

TEST(Tally, BaselinesOfValuesAndRatesAreTheMeanAndOneRate) {
  Random random(1);
  Matrix target(50, 1), rate = Matrix::Constant(50, 1, 2.0);
  for (double& t : target.reshaped()) t = random.poisson(3.0);
  const Vector weights = Vector::Ones(50), mean = Vector::Constant(1, target.mean());
  Tally values;
  tally_values(values, rate, target, mean, weights);
  EXPECT_NEAR(value_of(baseline_of(values), "rmse"), std::sqrt((target.array() - target.mean()).square().mean()),
              1e-12);
  const Matrix log_common = Matrix::Constant(50, 1, std::log(target.mean()));
  Tally rates, constant;
  tally_rates(rates, losses::Poisson{}, rate.array().log(), log_common, rate, target, weights);
  tally_rates(constant, losses::Poisson{}, log_common, log_common, log_common.array().exp(), target, weights);
  EXPECT_NEAR(value_of(baseline_of(rates), "deviance"), value_of(scores_of(constant), "deviance"), 1e-12);
  EXPECT_NEAR(value_of(baseline_of(rates), "nll"), value_of(scores_of(constant), "nll"), 1e-12);
}

TEST(Tally, PartsAddUpToTheWhole) {
  const Sample s = sample(100, 3, true);
  Tally whole = tally_of(s, prices), sum;
  for (const auto& [first, last] : {std::pair<int, int>{0, 30}, {30, 100}}) {
    const Sample part{{s.label.begin() + first, s.label.begin() + last},
                      {s.decided.begin() + first, s.decided.begin() + last},
                      s.weights.segment(first, last - first),
                      s.probability.middleRows(first, last - first)};
    add_tally(sum, tally_of(part, prices));
  }
  EXPECT_NEAR(value_of(scores_of(sum), "cost"), value_of(scores_of(whole), "cost"), 1e-12);
  EXPECT_NEAR(cost_error(sum), cost_error(whole), 1e-12);
  EXPECT_NEAR(value_of(baseline_of(sum), "cost"), value_of(baseline_of(whole), "cost"), 1e-12);
}

TEST(Tally, RecallAndPrecisionAreSharesOfRowsAndColumns) {
  const std::vector<ClassScores> scores = class_scores(Matrix{{8.0, 2.0, 0.0}, {1.0, 3.0, 0.0}, {0.0, 0.0, 0.0}});
  EXPECT_DOUBLE_EQ(scores[0].recall, 0.8);
  EXPECT_DOUBLE_EQ(scores[0].precision, 8.0 / 9.0);
  EXPECT_DOUBLE_EQ(scores[1].recall, 0.75);
  EXPECT_DOUBLE_EQ(scores[1].precision, 0.6);
  EXPECT_TRUE(std::isnan(scores[2].recall) && std::isnan(scores[2].precision));
}

TEST(Costs, AreReadAndWritten) {
  EXPECT_EQ(parse_costs("1,5").price, (Matrix{{0.0, 1.0}, {5.0, 0.0}}));
  EXPECT_EQ(parse_costs("0,1,5;2,0.5,3;9,4,0").price, prices);
  for (const char* text : {"1,5", "0.25,1e-3", "0,1,5;2,0.5,3;9,4,0", "1,5;9,0"})
    EXPECT_EQ(parse_costs(text), parse_costs(costs_text(parse_costs(text)))) << text;
  for (const char* text : {"", "1", "1,2,3", "-1,5", "0,5", "1;2", "0,1,5;1,0,1", "5,0,0;0,0,0;0,0,0", "a,b", "1,inf"})
    EXPECT_THROW(parse_costs(text), Error) << text;
  EXPECT_THROW(check_costs(parse_costs("1,5"), 3), Error);
  EXPECT_THROW(check_costs(parse_costs("1,5"), 0), Error);
}

TEST(Costs, PricesMayBeColumns) {
  const Costs costs = parse_costs("2,col:amount");
  EXPECT_EQ(costs.price, (Matrix{{0.0, 2.0}, {0.0, 0.0}}));
  EXPECT_EQ(costs.columns, (std::vector<PriceColumn>{{1, 0, "amount"}}));
  const Costs several = parse_costs("0,col:a,1;col:b,0,col:a;9,9,col:7");
  EXPECT_EQ(price_columns(several), (std::vector<std::string>{"a", "b", "7"}));
  for (const char* text : {"2,col:amount", "col:a,col:a", "0,col:a,1;col:b,0,col:a;9,9,col:7", "0,1;col:x,0.5"})
    EXPECT_EQ(parse_costs(text), parse_costs(costs_text(parse_costs(text)))) << text;
  for (const char* text : {"col:,5", "1,amount", "0,col:x", "0,1;1;col:a", "col:a"})
    EXPECT_THROW(parse_costs(text), Error) << text;
  EXPECT_THROW((RowCosts{costs, RowPrices{{"other"}, Matrix::Ones(2, 1)}}), Error);
  EXPECT_THROW(check_prices(costs, {{"amount"}, Matrix{{1.0}, {-1.0}}}), Error);
  EXPECT_THROW(check_prices(parse_costs("col:a,0;1,0"), {{"a"}, Matrix{{0.0}, {1.0}}}), Error);
}

TEST(Costs, OfRowsAreThePlainSumOfTheirPrices) {
  const Sample s = sample(100, 3, true);
  const Costs costs = parse_costs("0,col:u,1;2,0,col:v;col:v,3,0");
  Random random(7);
  RowPrices own{{"v", "w", "u"}, Matrix(100, 3)};
  for (double& price : own.value.reshaped()) price = random.uniform(0.0, 4.0);
  const auto price = [&](Index i, int t, int k) {
    const Matrix its{{0.0, own.value(i, 2), 1.0}, {2.0, 0.0, own.value(i, 0)}, {own.value(i, 0), 3.0, 0.0}};
    return its(t, k);
  };
  Tally tally;
  tally_decisions(tally, s.decided, s.label, s.weights, 3);
  tally_costs(tally, s.decided, s.label, s.weights, {costs, own});
  double sum = 0.0, squares = 0.0;
  Vector always = Vector::Zero(3);
  for (Index i = 0; i < 100; ++i) {
    const int t = s.label[std::size_t(i)];
    const double its = price(i, t, s.decided[std::size_t(i)]), w = s.weights[i];
    sum += w * its;
    squares += w * its * its;
    for (int k = 0; k < 3; ++k) always[k] += w * price(i, t, k);
  }
  const double weight = s.weights.sum(), mean = sum / weight;
  EXPECT_NEAR(value_of(scores_of(tally), "cost"), mean, 1e-12);
  EXPECT_NEAR(cost_error(tally), std::sqrt((squares / weight - mean * mean) * s.weights.squaredNorm()) / weight, 1e-12);
  EXPECT_NEAR(value_of(baseline_of(tally), "cost"), always.minCoeff() / weight, 1e-12);
  const std::vector<int> labels = cheapest_labels({costs, own}, s.probability);
  for (Index i = 0; i < 100; ++i) {
    Vector expected = Vector::Zero(3);
    for (int k = 0; k < 3; ++k)
      for (int t = 0; t < 3; ++t) expected[k] += s.probability(i, t) * price(i, t, k);
    EXPECT_EQ(expected[labels[std::size_t(i)]], expected.minCoeff());
  }
}

TEST(Costs, DecideForTheLeastExpectedCost) {
  const Matrix p{{0.7, 0.2, 0.1}, {0.98, 0.01, 0.01}, {0.2, 0.3, 0.5}};
  const std::vector<int> labels = cheapest_labels({prices}, p);
  for (Index i = 0; i < 3; ++i) {
    const Vector expected = (p.row(i) * prices).transpose();
    EXPECT_EQ(expected[labels[std::size_t(i)]], expected.minCoeff());
  }
  EXPECT_EQ(labels[0], 1);  // the likeliest class is not the cheapest answer
}

}  // namespace tally_test
}  // namespace lacuna

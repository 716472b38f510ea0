// A row of weight k is k copies of it, in everything that is explained.
#include <algorithm>
#include <set>

#include "lacuna/explain/explain.hpp"
#include "lacuna/explain/held_out_machines.hpp"
#include "tests/support/samples.hpp"

namespace lacuna {
namespace weights_test {

using testing::copied;
using testing::encoded_sample;
using testing::fitted;
using testing::weighted_sample;

const std::vector<std::string> targets{"value", "class", "letter", "count"};

TrainOptions fixed() { return {.kernel = rbf(0.2), .lambda = 0.3}; }

void expect_same_effects(const Explanation& one, const Explanation& many, const std::string& what) {
  ASSERT_EQ(one.effects.size(), many.effects.size());
  for (std::size_t k = 0; k < one.effects.size(); ++k) {
    const Effect &a = one.effects[k], &b = many.effects[k];
    EXPECT_EQ(a.column, b.column) << what;
    EXPECT_EQ(a.from + " " + a.to, b.from + " " + b.to) << what << a.column;
    for (std::size_t c = 0; c < a.change.size(); ++c) {
      EXPECT_NEAR(a.at_low.mean[c], b.at_low.mean[c], 1e-8) << what << a.column;
      EXPECT_NEAR(a.change[c], b.change[c], 1e-8) << what << a.column;
    }
  }
  ASSERT_EQ(one.curves.size(), many.curves.size());
  for (std::size_t k = 0; k < one.curves.size(); ++k) {
    const CurvePoint &a = one.curves[k], &b = many.curves[k];
    EXPECT_EQ(a.column + a.value, b.column + b.value) << what;
    EXPECT_NEAR(a.mean, b.mean, 1e-8) << what;
    EXPECT_NEAR(a.lower, b.lower, 1e-8) << what << a.column << a.value;
    EXPECT_NEAR(a.upper, b.upper, 1e-8) << what << a.column << a.value;
  }
  ASSERT_EQ(one.pairs.size(), many.pairs.size());
  for (std::size_t k = 0; k < one.pairs.size(); ++k)
    for (std::size_t c = 0; c < one.pairs[k].interaction.size(); ++c)
      EXPECT_NEAR(one.pairs[k].interaction[c], many.pairs[k].interaction[c], 1e-8) << what;
}

TEST(ExplainWeights, EffectsCurvesAndPairsOfWeightsAreThoseOfCopies) {
  for (const bool groups : {false, true})
    for (const std::string& target : targets) {
      const Encoded weighted = weighted_sample(target, 60, groups), copies = copied(weighted);
      TrainOptions options = fixed();
      options.held_out.recalibrate = false;  // without groups copies are not held out together
      const Model one = fitted(weighted, options), many = fitted(copies, options);
      const ExplainOptions all{.importance = false, .pairs = true, .curves = true, .points = 7};
      const Explanation of_weights = explain(one, rows_of_model(one), all);
      EXPECT_TRUE(of_weights.weighted);
      expect_same_effects(of_weights, explain(many, rows_of_model(many), all), target);
    }
}

TEST(ExplainWeights, ImportanceOfWeightsIsThatOfCopiesThatAreHeldOutTogether) {
  for (const std::string& target : targets) {
    const Encoded weighted = weighted_sample(target, 60, true), copies = copied(weighted);
    const Model one = fitted(weighted, fixed()), many = fitted(copies, fixed());
    const ImportanceReport a = explain(one, rows_of_model(one), {.permutations = 3}).importance,
                           b = explain(many, rows_of_model(many), {.permutations = 3}).importance;
    ASSERT_EQ(a.how, "held-out") << target << a.missing;
    ASSERT_EQ(b.how, "held-out") << target << b.missing;
    EXPECT_TRUE(a.grouped);
    EXPECT_NEAR(a.without, b.without, 1e-8) << target;
    for (std::size_t k = 0; k < a.columns.size(); ++k) {
      EXPECT_EQ(a.columns[k].column, b.columns[k].column);
      EXPECT_NEAR(a.columns[k].increase, b.columns[k].increase, 1e-8) << target;
      EXPECT_NEAR(a.columns[k].standard_error, b.columns[k].standard_error, 1e-8) << target;
      EXPECT_NEAR(a.columns[k].error_increase, b.columns[k].error_increase, 1e-8) << target;
    }
  }
}

// Each row by a refit of all groups but those of its fold, in plain sums.
TEST(ExplainWeights, GroupsAreJudgedByMachinesThatSawNothingOfThem) {
  const Encoded of = weighted_sample("value", 60, true);
  const TrainOptions options{.model = ls_svm(), .kernel = rbf(0.2), .lambda = 0.3};
  const Model model = fitted(of, options);
  const ImportanceReport report = explain(model, rows_of_model(model), {.permutations = 1, .seed = 4}).importance;
  ASSERT_EQ(report.folds, 10);
  const Folds folds = grouped_folds(of.data.group, 10, 4, of.data.weights);
  double sum = 0.0;
  std::vector<double> by_group(20, 0.0);
  for (const auto& fold : folds) {
    std::set<int> groups;
    for (const Index i : fold) groups.insert(of.data.group[std::size_t(i)]);
    const std::vector<Index> others = all_but(60, fold);
    for (const Index i : others) EXPECT_FALSE(groups.contains(of.data.group[std::size_t(i)]));
    Dataset rest = take_rows(of.data, others);
    rest.group.clear();
    const Predictions said = predict(train(rest, options), take_rows(of.data.X, fold));
    for (std::size_t k = 0; k < fold.size(); ++k) {
      const double r = of.data.targets(fold[k], 0) - said.value(Index(k), 0);
      sum += of.data.weights[fold[k]] * r * r;
    }
  }
  EXPECT_NEAR(report.without, sum / of.data.weights.sum(), 1e-8);
}

TEST(ExplainWeights, WithEqualWeightsNothingChanges) {
  Encoded of = encoded_sample("class", 60);
  const Model plain = fitted(of, fixed());
  of.data.weights = Vector::Constant(60, 3.0);
  TrainOptions options = fixed();
  options.lambda = 0.9;  // the loss is a sum over weights
  const Model weighted = fitted(of, options);
  const Explanation a = explain(plain, rows_of_model(plain), {}), b = explain(weighted, rows_of_model(weighted), {});
  EXPECT_FALSE(b.weighted);
  for (std::size_t k = 0; k < a.importance.columns.size(); ++k)
    EXPECT_NEAR(a.importance.columns[k].increase, b.importance.columns[k].increase, 1e-8);
}

TEST(ExplainWeights, ACopyIsExplainedByTheRowItWasJoinedTo) {
  const Encoded copies = copied(weighted_sample("value", 30, true));
  const Model model = fitted(copies, fixed());
  const ExplainRows rows = rows_of_model(model);
  EXPECT_EQ(rows.size(), 30);
  // Rows 2 and 3 of the copies are the second row of the sample.
  const auto of = [&](std::int64_t row) {
    return *explain(model, rows, {.importance = false, .row = row, .neighbours = 5}).neighbourhood;
  };
  EXPECT_EQ(of(2).value, of(3).value);
  EXPECT_NEAR(of(3).value, outputs(model, copies.data.X)(2, 0), 1e-12);
  for (const Neighbour& n : of(3).nearest) EXPECT_EQ(n.target, number_text(copies.data.targets(*n.row - 1, 0)));
}

TEST(ExplainWeights, StacksOfJoinedCopiesAreThoseOfWeights) {
  const Encoded weighted = weighted_sample("value", 60, true), copies = copied(weighted);
  const auto stack = [](const Encoded& of) {
    Model out = fitted(of, fixed());
    out.members = {{"one", 0.25, train(of.data, {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.5})},
                   {"other", 0.75, train(of.data, {.model = ls_svm(), .kernel = linear(), .lambda = 2.0})}};
    out.X = take_rows(out.X, std::vector<Index>{});
    out.alpha = Matrix::Zero(0, 1);
    out.sites = {};
    return out;
  };
  const Model one = stack(weighted), many = stack(copies);
  const ImportanceReport a = explain(one, rows_of_model(one), {}).importance,
                         b = explain(many, rows_of_model(many), {}).importance;
  ASSERT_EQ(a.how + b.how, "held-outheld-out") << a.missing << b.missing;
  for (std::size_t k = 0; k < a.columns.size(); ++k) EXPECT_NEAR(a.columns[k].increase, b.columns[k].increase, 1e-8);
}

}  // namespace weights_test
}  // namespace lacuna

#include "lacuna/explain/explain.hpp"

#include <algorithm>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/explain/effects.hpp"
#include "lacuna/explain/held_out_machines.hpp"
#include "lacuna/explain/trained_on.hpp"
#include "tests/support/samples.hpp"

namespace lacuna {
namespace explain_test {

using testing::encoded_sample;
using testing::fitted;

const std::vector<std::string> targets{"value", "class", "letter", "count"};

TrainOptions fixed(const KernelSpec& kernel = rbf(0.2)) {
  TrainOptions out{.kernel = kernel, .lambda = 0.3};
  return out;
}

ExplainRows rows_of(const Encoded& of) {
  ExplainRows out{.X = of.data.X, .offset = of.data.offset, .row = of.data.source_row};
  out.label = of.data.label;
  out.target = of.data.targets;
  return out;
}

const Effect& effect_on(const Explanation& e, const std::string& column) {
  return *std::ranges::find(e.effects, column, &Effect::column);
}

TEST(Explain, KnowsTheColumnsBehindFeatures) {
  const Encoded of = encoded_sample("value", 30);
  const Model model = fitted(of, fixed());
  const std::vector<InputColumn> columns = input_columns(model);
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[2].name, "kind");
  EXPECT_EQ(columns[2].features.size(), 3U);
  const Table table = testing::sample_table(30);
  const Vector u = column_values(columns[0], of.data.X), kind = column_values(columns[2], of.data.X);
  for (Index i = 0; i < 30; ++i) {
    EXPECT_NEAR(u[i], table.columns[0].number[std::size_t(i)], 1e-12);
    EXPECT_EQ(value_text(columns[2], kind[i]),
              table.columns[2].levels[std::size_t(table.columns[2].code[std::size_t(i)])]);
  }
}

TEST(Explain, AZeroOfTheDataIsZeroAgain) {
  InputColumn column{.name = "u", .features = {0}, .codes = {{.centre = 1.1, .scale = 1.0 / 3.0}}};
  Rows X = RowMatrix{{-1.1 * 3.0}, {0.3}, {(1e-9 - 1.1) * 3.0}};
  const Vector u = column_values(column, X);
  EXPECT_EQ(u[0], 0.0);
  EXPECT_NEAR(u[1], 1.2, 1e-15);
  EXPECT_NEAR(u[2], 1e-9, 1e-15);
}

// A table in which a column is another value throughout, encoded as any other.
Rows changed(const Model& model, const char* column, const std::string& value, int rows) {
  Table table = testing::sample_table(rows);
  for (Column& c : table.columns) {
    if (c.name != column) continue;
    if (c.is_text)
      std::ranges::fill(c.code, std::int32_t(std::ranges::find(c.levels, value) - c.levels.begin()));
    else
      std::ranges::fill(c.number, std::stod(value));
  }
  return prepare(table, model.encoding).X;
}

TEST(Explain, EffectsAreMeansOfPredictionsOfChangedTables) {
  for (const std::string& target : targets) {
    const Encoded of = encoded_sample(target, 60);
    const Model model = fitted(of, fixed());
    ExplainOptions options{.importance = false};
    const Explanation e = explain(model, rows_of(of), options);
    ASSERT_EQ(e.effects.size(), 3U);
    for (const char* column : {"u", "kind"}) {
      const Effect& effect = effect_on(e, column);
      const auto mean = [&](const std::string& at) {
        const Predictions said = predict(model, changed(model, column, at, 60));
        return Vector(told(model, said).colwise().mean());
      };
      const Vector low = mean(effect.from), high = mean(effect.to);
      for (Index c = 0; c < low.size(); ++c) {
        EXPECT_NEAR(effect.at_low.mean[std::size_t(c)], low[c], 1e-12) << target << column;
        EXPECT_NEAR(effect.change[std::size_t(c)], high[c] - low[c], 1e-12) << target << column;
        EXPECT_EQ(effect.standard_error[std::size_t(c)], 0.0);
      }
    }
    EXPECT_TRUE(std::ranges::is_sorted(e.effects, std::ranges::greater{}, &Effect::size));
  }
}

TEST(Explain, EffectsOfASampleAreWithinTheirStatedError) {
  const Encoded of = encoded_sample("value", 400);
  const Model model = fitted(of, fixed());
  const Explanation all = explain(model, rows_of(of), {.importance = false}),
                    some = explain(model, rows_of(of), {.rows = 80, .importance = false});
  EXPECT_EQ(some.rows, 80);
  EXPECT_EQ(some.of_rows, 400);
  for (const Effect& effect : some.effects) {
    EXPECT_GT(effect.standard_error[0], 0.0);
    EXPECT_EQ(effect.from, effect_on(all, effect.column).from);
    EXPECT_NEAR(effect.change[0], effect_on(all, effect.column).change[0], 4.0 * effect.standard_error[0]);
  }
}

TEST(Explain, ALinearKernelHasCoefficientsThatAreItsEffects) {
  for (const std::string& target : targets) {
    const Encoded of = encoded_sample(target, 60);
    const Model model = fitted(of, fixed(linear()));
    const Explanation e = explain(model, rows_of(of), {.importance = false});
    ASSERT_EQ(e.coefficients.columns.size(), 5U) << target;  // two numbers and three levels
    const Table table = testing::sample_table(60);
    const Matrix z = outputs(model, of.data.X);
    for (Index i = 0; i < 60; ++i)
      for (Index c = 0; c < z.cols(); ++c) {
        double sum = e.coefficients.intercept[std::size_t(c)];
        for (const Coefficient& k : e.coefficients.columns) {
          const Column& column = *table.find(k.column);
          const auto at = std::size_t(i);
          const double x =
              k.level.empty() ? column.number[at] : double(column.levels[std::size_t(column.code[at])] == k.level);
          sum += k.of_output[std::size_t(c)] * x;
        }
        EXPECT_NEAR(sum, z(i, c), 1e-9) << target;
      }
    if (target != "value") continue;
    const Effect& effect = effect_on(e, "v");
    EXPECT_NEAR(effect.change[0], e.coefficients.columns[1].of_output[0] * (effect.to_value - effect.from_value), 1e-9);
  }
  const Encoded of = encoded_sample("value", 60);
  EXPECT_TRUE(explain(fitted(of, fixed()), rows_of(of), {.importance = false}).coefficients.columns.empty());
}

TEST(Explain, CurvesAndCornersOfPairsAreMeansToo) {
  const Encoded of = encoded_sample("letter", 60);
  const Model model = fitted(of, fixed());
  const Explanation e =
      explain(model, rows_of(of), {.importance = false, .pairs = true, .pair_columns = 3, .curves = true, .points = 7});
  int points = 0;
  for (const CurvePoint& p : e.curves) {
    if (p.column != "kind") {
      points += p.column == "u" && p.output == 0;
      continue;
    }
    const Matrix said = predict(model, changed(model, "kind", p.value, 60)).probability;
    EXPECT_NEAR(p.mean, said.col(p.output).mean(), 1e-12);
    EXPECT_EQ((said.col(p.output).array() < p.lower).count(), 6);  // a tenth of 60
  }
  EXPECT_EQ(points, 7);
  ASSERT_EQ(e.pairs.size(), 3U);
  const InputColumn u = input_columns(model)[0], v = input_columns(model)[1];
  const auto pair =
      std::ranges::find_if(e.pairs, [](const PairEffect& p) { return p.first != "kind" && p.second != "kind"; });
  const Effect &on_u = effect_on(e, "u"), &on_v = effect_on(e, "v");
  const auto corner = [&](double a, double b) {
    const Rows one = with_values(of.data.X, u, Vector::Constant(60, a));
    return predict(model, with_values(one, v, Vector::Constant(60, b))).probability.col(1).mean();
  };
  const double low = corner(on_u.from_value, on_v.from_value), high = corner(on_u.to_value, on_v.to_value);
  EXPECT_NEAR(pair->corners[1][0], low, 1e-12);
  EXPECT_NEAR(pair->corners[1][3], high, 1e-12);
  EXPECT_NEAR(pair->interaction[1],
              high - corner(on_u.to_value, on_v.from_value) - corner(on_u.from_value, on_v.to_value) + low, 1e-12);
}

double loss_of(const Model& model, const Predictions& said, const ExplainRows& rows, Index k, Index i) {
  if (!model.classes.empty()) return -std::log(said.probability(k, rows.label[std::size_t(i)]));
  const double t = rows.target(i, 0), value = said.value(k, 0);
  if (model.task == Task::counts) return 2.0 * ((t > 0.0 ? t * std::log(t / value) : 0.0) - t + value);
  return (t - value) * (t - value);
}

TEST(Explain, ImportanceOfNewRowsEqualsPermutingAndPredictingAgain) {
  for (const std::string& target : targets) {
    const Model model = fitted(encoded_sample(target, 60), fixed());
    const Encoded of = encoded_sample(target, 60, 7);
    ExplainRows rows = rows_of(of);
    rows.X = prepare(testing::sample_table(60, 7), model.encoding).X;
    const ImportanceReport report = explain(model, rows, {.permutations = 2, .seed = 5}).importance;
    EXPECT_EQ(report.how, "new");
    Random random(5);
    std::vector<std::vector<Index>> orders(2, std::vector<Index>(60));
    for (auto& order : orders) {
      std::iota(order.begin(), order.end(), Index(0));
      random.shuffle(order);
    }
    double without = 0.0;
    const Predictions plain = predict(model, rows.X, rows.offset);
    for (Index i = 0; i < 60; ++i) without += loss_of(model, plain, rows, i, i) / 60.0;
    // A deviance is taken from a constant that differs between its two forms in rounding only.
    EXPECT_NEAR(report.without, without, 1e-10);
    for (const Importance& one : report.columns) {
      // Features 0 and 1 are numbers, 2 to 4 the levels of a category, which go together.
      const Index first = one.column == "u" ? 0 : one.column == "v" ? 1 : 2, count = first == 2 ? 3 : 1;
      double increase = -without;
      for (const auto& order : orders) {
        RowMatrix X = rows.X.dense();
        for (Index i = 0; i < 60; ++i)
          X.row(i).segment(first, count) = rows.X.dense().row(order[std::size_t(i)]).segment(first, count);
        const Predictions said = predict(model, X, rows.offset);
        for (Index i = 0; i < 60; ++i) increase += loss_of(model, said, rows, i, i) / 120.0;
      }
      EXPECT_NEAR(one.increase, increase, 1e-10) << target << ' ' << one.column;
    }
  }
}

TEST(Explain, HeldOutImportanceAsksTheMachineThatNeverSawTheRow) {
  for (const std::string& target : targets) {
    const Encoded of = encoded_sample(target, 60);
    const Model model = fitted(of, fixed());
    const ExplainRows rows = rows_of_model(model);
    ASSERT_TRUE(rows.trained_on);
    EXPECT_LT((rows.X.dense() - of.data.X.dense()).cwiseAbs().maxCoeff(), 1e-12);
    const ImportanceReport report = explain(model, rows, {.permutations = 1, .seed = 2}).importance;
    EXPECT_EQ(report.how, "held-out");
    EXPECT_EQ(report.folds, 10);
    const Folds folds = k_folds(60, 10, of.data.label, 2);
    const std::vector<Model> machines = machines_without(model, folds);
    double without = 0.0;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const Predictions said = predict(machines[f], take_rows(of.data.X, folds[f]));
      for (std::size_t k = 0; k < folds[f].size(); ++k)
        without += loss_of(model, said, rows, Index(k), folds[f][k]) / 60.0;
    }
    EXPECT_NEAR(report.without, without, 1e-10) << target;
    EXPECT_GT(report.columns[0].increase, 2.0 * report.columns[0].standard_error) << target;
  }
}

TEST(Explain, AColumnOfNoiseHasNoHeldOutImportance) {
  Table table = testing::sample_table(150);
  Random random(4);
  table.columns.push_back(table.columns[0]);
  table.columns.back().name = "noise";
  for (double& x : table.columns.back().number) x = random.normal();
  const Encoded of = encode(table, {.targets = {"value"}, .ignore = {"class", "letter", "count"}});
  // With so little regularisation the machine follows the noise of its own rows.
  const Model model = fitted(of, {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 1e-3});
  const auto of_noise = [&](const ExplainRows& rows) {
    const ImportanceReport report = explain(model, rows, {}).importance;
    const Importance& noise = *std::ranges::find(report.columns, "noise", &Importance::column);
    return std::pair{noise.increase / report.without, noise.increase / noise.standard_error};
  };
  const auto [held_out, held_out_errors] = of_noise(rows_of_model(model));
  const auto [seen, seen_errors] = of_noise(rows_of(of));
  EXPECT_LT(held_out, 0.5);
  EXPECT_GT(seen, 5.0);  // the model's own answers to its own rows would make the noise look needed
}

TEST(Explain, PullsAddUpToTheOutput) {
  for (const std::string& target : targets) {
    const Encoded of = encoded_sample(target, 40);
    const Model model = fitted(of, fixed());
    ExplainOptions options{.importance = false, .row = 3, .neighbours = 1000};
    const ExplainRows rows = rows_of_model(model);
    const Neighbourhood n = *explain(model, rows, options).neighbourhood;
    ASSERT_EQ(n.nearest.size(), 39U);  // not itself
    EXPECT_TRUE(std::ranges::is_sorted(n.nearest, {}, &Neighbour::distance));
    double sum = n.rest;
    for (const Neighbour& one : n.nearest) {
      sum += one.pull;
      const Index j = *one.row - 1;
      const double square = (of.data.X.dense().row(2) - of.data.X.dense().row(j)).squaredNorm();
      EXPECT_NEAR(one.distance, std::sqrt(2.0 - 2.0 * std::exp(-0.2 * square)), 1e-7);
    }
    const double own = model.alpha(2, n.output);  // k(x, x) = 1
    EXPECT_NEAR(sum + own, n.value, 1e-10) << target;
    EXPECT_NEAR(n.value, outputs(model, of.data.X)(2, n.output), 1e-12);
  }
}

TEST(Explain, SaysWhatIsMissing) {
  const Encoded of = encoded_sample("value", 60);
  Model model = fitted(of, fixed());
  ExplainRows rows = rows_of(of);
  rows.target = {};
  EXPECT_NE(explain(model, rows, {}).importance.missing.find("target"), std::string::npos);
  const auto refused = [&](const ExplainOptions& options) {
    try {
      (void)explain(model, rows, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused({.columns = {"kindd"}}).find("did you mean"), std::string::npos);
  EXPECT_NE(refused({.importance = false, .row = 61}).find("no row 61"), std::string::npos);
  EXPECT_EQ(count_trained_on(model, of.data.X), 60);
  EXPECT_EQ(count_trained_on(model, prepare(testing::sample_table(60, 7), model.encoding).X), 0);
}

TEST(Explain, GaussianProcessesAndBasesAreExplainedToo) {
  const Encoded of = encoded_sample("class", 60);
  const Model process = fitted(of, {.model = gp_laplace_classifier(), .kernel = rbf(0.2), .lambda = 0.5});
  const Explanation e = explain(process, rows_of_model(process), {});
  EXPECT_EQ(e.importance.how, "held-out");
  EXPECT_EQ(e.importance.folds, 5);
  EXPECT_EQ(e.effects.size(), 3U);
  TrainOptions options = fixed();
  options.basis = parse_basis("15");
  const Model sparse = fitted(of, options);
  const Explanation b = explain(sparse, rows_of_model(sparse), {});
  EXPECT_EQ(b.of_rows, 15);
  EXPECT_FALSE(b.trained_on);
  EXPECT_NE(b.importance.missing, "");
  EXPECT_EQ(explain(sparse, rows_of(of), {}).importance.how, "new");
}

}  // namespace explain_test
}  // namespace lacuna

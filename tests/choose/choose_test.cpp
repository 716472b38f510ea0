// A choice by rows left out of everything: the losses are those of candidates repeated by hand, the winner is the one
// that has to win, and what is said about it holds for fresh rows.
#include "lacuna/choose/choose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "experiment/generate.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/choose/candidates.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/redecide.hpp"
#include "lacuna/report/report.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace choose_test {

constexpr ChooseOptions normal{.effort = Effort::normal}, best{.effort = Effort::best};

Dataset generated(const char* name, Index rows, std::uint64_t seed, const char* target) {
  return encode(generate(name, rows, seed), {.targets = {target}}).data;
}

// Values that depend on four codes whose numbers mean nothing, and on one other column.
Dataset coded(Index rows, std::uint64_t seed) {
  Random random(seed);
  const double of_code[] = {2.0, -1.0, 1.5, -2.5, 0.5, -1.5};
  RowMatrix X(rows, 5);
  std::vector<double> t;
  for (Index i = 0; i < rows; ++i) {
    double sum = 0.3 * random.normal();
    for (Index j = 0; j < 4; ++j) {
      const auto code = std::size_t(random.below(6));
      X(i, j) = double(code) / 1.7;
      sum += of_code[(code + std::size_t(j)) % 6];
    }
    X(i, 4) = random.normal();
    t.push_back(sum + 0.5 * X(i, 4));
  }
  return make_dataset(X, t);
}

const FitReport::Choice::Candidate& candidate(const Model& model, const std::string& name) {
  const auto& all = model.report.choice->candidates;
  const auto at = std::ranges::find(all, name, &FitReport::Choice::Candidate::name);
  EXPECT_NE(at, all.end()) << name;
  return *at;
}

double score(const Model& model, const std::string& name) {
  for (const auto& [its, value] : model.report.held_out)
    if (its == name) return value;
  ADD_FAILURE() << name;
  return 0.0;
}

std::vector<Index> all_but(Index rows, const std::vector<Index>& fold) {
  std::vector<Index> out;
  for (Index i = 0; i < rows; ++i)
    if (std::ranges::find(fold, i) == fold.end()) out.push_back(i);
  return out;
}

TEST(Choose, LossesAreThoseOfProceduresRepeatedByHand) {
  const Dataset data = generated("sinc", 60, 3, "y");
  const Model model = train(data, {}, normal);
  for (const char* name : {"rbf", "matern12"}) {
    const KernelSpec kernel = parse_kernel(name);
    TrainOptions all{.kernel = kernel};
    const Model start = train(data, all);
    double squares = 0.0;
    for (const auto& fold : k_folds(60, 5, {}, 0)) {
      TrainOptions options{.kernel = kernel, .select = {.max_evaluations = 12}};
      options.select.search_options.log_tolerance = 0.02;
      options.select.search_options.value_tolerance = 1e-3;
      options.select.near = {start.lambda, kernel_parameters(start.kernel)[0]};
      options.select.curvature = start.report.search.curvature;
      const Dataset rest = take_rows(data, all_but(60, fold)), left = take_rows(data, fold);
      squares += (outputs(train(rest, options), left.X) - left.targets).squaredNorm();
    }
    const auto& c = candidate(model, name);
    if (!c.left.empty()) continue;
    EXPECT_NEAR(c.loss, squares / 60.0, 1e-9 * squares) << name;
  }
  EXPECT_TRUE(candidate(model, "rbf").left.empty());
}

TEST(Choose, TheChosenOneIsTheCandidateFittedToAllRows) {
  const Dataset data = coded(200, 1);
  const Model model = train(data, {}, normal);
  ASSERT_FALSE(model.representation.empty());
  EXPECT_TRUE(model.members.empty());
  double weights = 0.0;
  for (const auto& c : model.report.choice->candidates) {
    weights += c.weight;
    if (c.weight > 0.0) {
      EXPECT_NE(c.name.find("codes"), std::string::npos);
      EXPECT_DOUBLE_EQ(c.loss, model.report.choice->loss);
    } else if (c.left.empty()) {
      EXPECT_GE(c.difference, 0.0);
    }
  }
  EXPECT_EQ(weights, 1.0);
  // By hand: the same representation and kernel, nothing chosen.
  Dataset seen = data;
  seen.X = represent(learn_representation(data.X, {}, {.codes = true}), data.X);
  const KernelSpec given = parse_kernel(kernel_text(model.kernel));
  const Model by_hand = train(seen, {.kernel = given, .lambda = model.lambda, .held_out = {.intervals = false}});
  const Dataset fresh = coded(50, 2);
  const Rows fresh_seen = represent(model.representation, fresh.X);
  EXPECT_LT((outputs(model, fresh.X) - outputs(by_hand, fresh_seen)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Choose, HeldOutRowsScoresAndIntervalsAreOfTheHonestOutputs) {
  const Dataset data = coded(120, 4);
  for (const ChooseOptions& how : {normal, best}) {
    const Model model = train(data, {}, how);
    const Matrix residual = data.targets - model.held_out.output;
    EXPECT_NEAR(score(model, "rmse"), std::sqrt(residual.squaredNorm() / 120.0), 1e-9);
    ASSERT_EQ(model.intervals.half_width.size(), 1);
    EXPECT_EQ(model.intervals.folds, 5);
    EXPECT_DOUBLE_EQ(model.intervals.half_width[0], interval_half_width(residual, Vector::Ones(120))[0]);
    EXPECT_NE(fit_text(model).find("honest"), std::string::npos);
  }
}

// The cut is chosen on the outputs that the model keeps and is scored by, whoever moves it and when.
TEST(Choose, CutsWhereTheSameRuleMovesTheFinishedModel) {
  const Dataset data = generated("ripley", 120, 8, "label");
  for (const ChooseOptions& how : {normal, best})
    for (const char* rule : {"cost:1,8", "error", "ber"}) {
      TrainOptions options;
      options.held_out.threshold = parse_threshold(rule);
      const Model model = train(data, options, how);
      const Model moved = with_decisions(train(data, {}, how), options.held_out.threshold, {});
      EXPECT_NEAR(model.threshold, moved.threshold, 1e-12) << rule;
      EXPECT_NEAR(with_decisions(model, options.held_out.threshold, {}).threshold, model.threshold, 1e-12) << rule;
      EXPECT_NEAR(score(model, "error"), score(moved, "error"), 1e-12) << rule;
    }
}

// Held-out outputs are as with all rows but one. Taking that step back by refits, without each fold and without each
// row, leaves the outputs that the choice was made by, whose loss is on record. (On these draws the choice would have
// been the same without any of the folds.)
TEST(Choose, HonestOutputsAreMovedByWhatTheOtherRowsOfTheirFoldAreWorth) {
  for (const char* name : {"friedman1", "ripley"}) {
    SCOPED_TRACE(name);
    const bool classes = name == std::string("ripley");
    const Dataset data = encode(generate(name, 70, classes ? 7 : 3), {.targets = {classes ? "label" : "y"}}).data;
    TrainOptions options;
    options.held_out.recalibrate = false;
    const Model model = train(data, options, normal);
    ASSERT_TRUE(model.representation.empty());
    options.kernel = parse_kernel(kernel_text(model.kernel));
    options.lambda = model.lambda;
    const auto without = [&](const std::vector<Index>& fold) {
      std::vector<Index> rest;
      for (Index i = 0; i < data.size(); ++i)
        if (std::ranges::find(fold, i) == fold.end()) rest.push_back(i);
      return outputs(train(take_rows(data, rest), options), take_rows(RowsView(data.X), fold));
    };
    Matrix z = model.held_out.output;
    for (const auto& fold : k_folds(data.size(), 5, data.label, options.select.search_options.seed)) {
      const Matrix together = without(fold);
      for (std::size_t k = 0; k < fold.size(); ++k)
        z.row(fold[k]) += together.row(Index(k)) - without({fold[k]}).row(0);
    }
    double loss = 0.0;
    for (Index i = 0; i < data.size(); ++i)
      loss += classes ? at(Loss(losses::Logistic{}), z(i, 0), double(data.label[std::size_t(i)])).c
                      : std::pow(z(i, 0) - data.targets(i, 0), 2);
    // kernel_text has four digits of every parameter; followed fits end within a hundredth of a per cent of refits.
    EXPECT_NEAR(loss / double(data.size()), model.report.choice->loss, 1e-3 * model.report.choice->loss);
    EXPECT_GT((z - model.held_out.output).cwiseAbs().maxCoeff(), 0.05);
  }
}

TEST(Choose, AStackAddsUpItsMembersAndSurvivesAFile) {
  for (const char* name : {"ripley", "sinc", "counts", "waveform"}) {
    SCOPED_TRACE(name);
    const bool classes = name == std::string("ripley") || name == std::string("waveform");
    DataOptions columns{.targets = {classes ? "label" : name == std::string("sinc") ? "y" : "count"}};
    if (name == std::string("counts")) columns.task = DataOptions::TaskRequest::counts, columns.exposure = "exposure";
    const Dataset data = encode(generate(name, 80, 3), columns).data;
    const Model model = train(data, {}, best);
    const Dataset fresh = encode(generate(name, 30, 4), columns).data;
    const Matrix z = outputs(model, fresh.X);
    if (!model.members.empty()) {
      Matrix sum = model.b.transpose().replicate(z.rows(), 1);  // shifts of several classes
      double weights = 0.0;
      for (const Member& m : model.members) sum += m.weight * outputs(m.machine, fresh.X), weights += m.weight;
      EXPECT_LT((sum - z).cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_NEAR(weights, 1.0, 1e-12);
    }
    const Model back = model_from_bytes(model_to_bytes(model), "a test");
    EXPECT_EQ(outputs(back, fresh.X), z);
    EXPECT_EQ(back.held_out.output, model.held_out.output);
    EXPECT_EQ(fit_text(back), fit_text(model));
    EXPECT_EQ(json_text(inspect_json(back)), json_text(inspect_json(model)));
    const Predictions said = predict(back, fresh.X, fresh.offset);
    EXPECT_EQ(said.probability.size() > 0, classes);
  }
}

TEST(Choose, PrefersThePlainMachineWhenNothingIsToBeGained) {
  // Noise: no candidate is better than another beyond chance.
  Random random(2);
  std::vector<double> t;
  for (int i = 0; i < 60; ++i) t.push_back(random.normal());
  const Model model = train(make_dataset(testing::random_rows(60, 3, 1), t), {}, normal);
  for (const auto& c : model.report.choice->candidates) {
    if (!c.left.empty() || c.name == "rbf") continue;
    if (candidate(model, "rbf").weight == 1.0) continue;
    EXPECT_TRUE(c.weight == 0.0 || candidate(model, "rbf").difference > candidate(model, "rbf").standard_error);
  }
}

TEST(Choose, ARowOfWeightZeroIsARowRemoved) {
  Dataset data = coded(90, 6);
  data.weights = Vector::Ones(90);
  for (Index i = 0; i < 90; i += 9) data.weights[i] = 0.0;
  std::vector<Index> kept;
  for (Index i = 0; i < 90; ++i)
    if (i % 9 != 0) kept.push_back(i);
  const Model with = train(data, {}, normal), without = train(take_rows(data, kept), {}, normal);
  EXPECT_EQ(with.held_out.output, without.held_out.output);
  EXPECT_EQ(with.lambda, without.lambda);
  EXPECT_EQ(with.held_out.row[0], 2);
}

TEST(Choose, KeepsGroupsTogether) {
  // Rows of a group are nearly copies, with a value of their own: only a fold that parts them could know it.
  const RowMatrix centre = testing::random_rows(20, 2, 5), noise = testing::random_rows(80, 2, 6);
  Random random(7);
  RowMatrix X(80, 2);
  std::vector<double> t, of_group;
  for (int g = 0; g < 20; ++g) of_group.push_back(random.normal());
  for (Index i = 0; i < 80; ++i) {
    X.row(i) = centre.row(i / 4) + 0.01 * noise.row(i);
    t.push_back(of_group[std::size_t(i / 4)]);
  }
  Dataset data = make_dataset(X, t);
  EXPECT_GT(score(train(data, {}, normal), "r2"), 0.9);
  for (Index i = 0; i < 80; ++i) data.group.push_back(int(i / 4));
  EXPECT_LT(score(train(data, {}, normal), "r2"), 0.3);
}

TEST(Choose, TheEstimateHoldsForFreshRows) {
  // Over draws, the honest loss less that of fresh rows is nothing but chance.
  for (const ChooseOptions& how : {normal, best}) {
    std::vector<double> difference;
    for (std::uint64_t draw = 0; draw < 12; ++draw) {
      // Bare rows: no standardisation comes between draws and fresh rows.
      const Table table = generate("sinc", 60, draw + 1);
      const Dataset data = encode(table, {.targets = {"y"}, .standardise = false}).data;
      const Dataset same = encode(generate("sinc", 1000, draw + 100), {.targets = {"y"}, .standardise = false}).data;
      const Model model = train(data, {}, how);
      difference.push_back(model.report.choice->loss -
                           (outputs(model, same.X) - same.targets).squaredNorm() / double(same.size()));
    }
    const double n = double(difference.size());
    const double mean = std::accumulate(difference.begin(), difference.end(), 0.0) / n;
    double squares = 0.0;
    for (const double d : difference) squares += (d - mean) * (d - mean);
    EXPECT_LT(std::abs(mean), 2.0 * std::sqrt(squares / (n - 1.0) / n));
  }
}

TEST(Choose, EndsWithTheBestSoFarWhenItIsStopped) {
  const Dataset data = coded(80, 8);
  std::string last;
  TrainOptions options;
  options.run.observer = [&](const Progress& p) {
    if (!p.stage.empty()) last = p.stage;
    return last.find("linear") == std::string::npos;  // the fifth candidate is where it ends
  };
  const Model model = train(data, options, best);
  ASSERT_TRUE(model.report.choice);
  EXPECT_EQ(model.report.choice->stop, Stop::interrupted);
  EXPECT_TRUE(candidate(model, "rbf").left.empty());
  EXPECT_EQ(model.report.choice->candidates.back().left, "stopped");
  EXPECT_EQ(outputs(model, data.X).rows(), 80);
  // A limit that leaves no time is the plain machine, with a warning.
  TrainOptions hurried;
  hurried.select.search_options.seconds = 1e-3;
  const Model plain = train(coded(80, 8), hurried, normal);
  EXPECT_FALSE(plain.report.choice.has_value());
  EXPECT_NE(std::ranges::find_if(plain.report.warnings,
                                 [](const auto& w) { return w.code == Warning::Code::nothing_compared; }),
            plain.report.warnings.end());
}

TEST(Choose, RefusesWhatLeavesNothingToChoose) {
  const Dataset data = coded(40, 9);
  const auto refused = [&](const TrainOptions& options) {
    try {
      train(data, options, normal);
    } catch (const Error& error) {
      return error.kind() == Error::Kind::usage;
    }
    return false;
  };
  EXPECT_TRUE(refused({.kernel = linear()}));
  EXPECT_TRUE(refused({.kernel = rbf(0.5)}));
  EXPECT_TRUE(refused({.lambda = 0.5}));
  EXPECT_TRUE(refused({.basis = parse_basis("10")}));
  EXPECT_TRUE(refused({.held_out = {.verify = 3}}));
  EXPECT_THROW(parse_effort("bestt"), Error);
}

}  // namespace choose_test
}  // namespace lacuna

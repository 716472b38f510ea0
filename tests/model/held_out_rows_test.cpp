// What held-out rows count is kept with them: decisions of a finished model are those of a fit.
#include "lacuna/model/held_out_rows.hpp"

#include <gtest/gtest.h>

#include "lacuna/choose/choose.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/redecide.hpp"
#include "lacuna/model/tally.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace held_out_rows_test {

// Two classes that overlap, the second rarer; weights 1, 2 and 3; groups of four rows.
Dataset weighted_rows(Index rows = 72) {
  Dataset data;
  const RowMatrix X = testing::random_rows(rows, 2, 5), noise = testing::random_rows(rows, 1, 6);
  data.X = X;
  data.weights.resize(rows);
  for (Index i = 0; i < rows; ++i) {
    data.label.push_back(int(X(i, 0) + 0.8 * noise(i, 0) > 0.6));
    data.weights[i] = double(1 + i % 3);
    data.group.push_back(int(i / 4));
    data.source_row.push_back(i + 1);
  }
  data.task = Task::binary;
  data.classes = {"a", "b"};
  data.target_names = {"label"};
  return data;
}

// A row of weight k as k rows of weight one.
Dataset copied(const Dataset& data) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.size(); ++i)
    for (int k = 0; k < int(data.weights[i]); ++k) rows.push_back(i);
  Dataset out = take_rows(data, rows);
  out.weights = {};
  for (std::size_t i = 0; i < rows.size(); ++i) out.source_row[i] = std::int64_t(i) + 1;
  return out;
}

TrainOptions fixed(const Machine& machine, const char* cv = "") {
  TrainOptions out{.model = machine, .kernel = rbf(0.5), .lambda = 0.5};
  if (*cv != 0) out.select.cv = parse_cross_validation(cv);
  return out;
}

Model read_back(const Model& model) { return model_from_bytes(model_to_bytes(model), "m.lacuna"); }

void expect_same_decision(const Model& moved, const Model& fit, const std::string& what) {
  EXPECT_NEAR(moved.threshold, fit.threshold, 1e-12) << what;
  ASSERT_EQ(moved.report.held_out.size(), fit.report.held_out.size()) << what;
  for (std::size_t k = 0; k < fit.report.held_out.size(); ++k)
    EXPECT_NEAR(moved.report.held_out[k].second, fit.report.held_out[k].second, 1e-12)
        << what << ' ' << fit.report.held_out[k].first;
  EXPECT_LT((moved.report.confusion - fit.report.confusion).cwiseAbs().maxCoeff(), 1e-9) << what;
  if (fit.costs) {
    EXPECT_NEAR(moved.report.cost_error, fit.report.cost_error, 1e-12) << what;
  }
}

TEST(HeldOutRows, ACutThatIsMovedIsTheOneThatFittingChooses) {
  for (const char* rule : {"error", "ber", "cost:1,4", "cost:3,1"})
    for (const Machine& machine : {klr(), ls_svm(), kfd()})
      for (const char* weights : {"none", "balanced", "column"})
        for (const char* cv : {"", "3x2"}) {
          Dataset data = weighted_rows();
          TrainOptions options = fixed(machine, cv);
          if (std::string(weights) == "balanced") options.select.weights = Weighting::balanced;
          if (std::string(weights) == "column") {
            options.select.weights = Weighting::column;
            data.select_weights = Vector::LinSpaced(data.size(), 0.5, 2.0);
          }
          const Model plain = read_back(train(data, options));
          options.held_out.threshold = parse_threshold(rule);
          const std::string what = std::string(rule) + ' ' + machine.name + ' ' + weights + ' ' + cv;
          EXPECT_TRUE(knows_weights(plain)) << what;
          expect_same_decision(with_decisions(plain, options.held_out.threshold, {}), train(data, options), what);
        }
}

TEST(HeldOutRows, WeightsMatterToTheCut) {
  const Dataset data = weighted_rows();
  const Model model = train(data, fixed(klr()));
  Model alike = model;
  alike.held_out.weight = {};
  const auto error = [&](const Model& m) {
    return value_of(with_decisions(m, parse_threshold("error"), {}).report.held_out, "error");
  };
  EXPECT_NE(error(model), error(alike));
}

TEST(HeldOutRows, WeightsAreCopies) {
  const Dataset data = weighted_rows(), copies = copied(data);
  for (const Machine& machine : {klr(), ls_svm()})
    for (const char* rule : {"error", "ber", "cost:1,4"}) {
      const Model one = with_decisions(train(data, fixed(machine)), parse_threshold(rule), {}),
                  many = with_decisions(train(copies, fixed(machine)), parse_threshold(rule), {});
      EXPECT_EQ(many.held_out.size(), copies.size());
      EXPECT_EQ(many.held_out.weight.size(), 0);
      expect_same_decision(one, many, machine.name + rule);
    }
}

TEST(HeldOutRows, ChosenModelsKeepWeightsToo) {
  const Dataset data = weighted_rows();
  const Model model = train(data, TrainOptions{.kernel = rbf(), .run = {.threads = 1}}, {.effort = Effort::normal});
  EXPECT_EQ(row_weights(model.held_out), data.weights);
  EXPECT_EQ(model.held_out.group, data.group);
}

TEST(HeldOutRows, CopiesHaveThePlaceOfTheRowTheyWereJoinedTo) {
  const Dataset data = weighted_rows(12), copies = copied(data);
  const Model many = train(copies, fixed(ls_svm()));
  ASSERT_EQ(many.X.rows(), 12);
  const std::vector<Index> place = places_in_expansion(many.held_out, 12);
  ASSERT_EQ(Index(place.size()), copies.size());
  for (Index i = 0; i < copies.size(); ++i)
    EXPECT_EQ(many.X.dense().row(place[std::size_t(i)]), copies.X.dense().row(i)) << i;
  EXPECT_TRUE(places_in_expansion(many.held_out, 11).empty());
}

TEST(HeldOutRows, OlderFilesDoNotKnowWeights) {
  Model model = train(weighted_rows(), fixed(klr()));
  model.held_out.weight = {};
  EXPECT_FALSE(knows_weights(model));
  const double before = model.threshold;
  const Model moved = with_decisions(model, parse_threshold("cost:1,1"), {});
  EXPECT_NEAR(moved.threshold, before, 1e-12);  // by probabilities: p = 1/2
}

TEST(HeldOutRows, FilesWithWeightsThatCannotBeAreRefused) {
  const Model model = train(copied(weighted_rows()), fixed(klr()));
  const auto refused = [&](const auto& change) {
    Model bad = model;
    change(bad.held_out);
    try {
      (void)model_to_bytes(bad);
    } catch (const std::exception&) {
      return true;
    }
    return false;
  };
  const Index n = model.held_out.size();
  EXPECT_FALSE(refused([&](HeldOutRows& h) { h.weight = Vector::Ones(n); }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.weight = Vector::Ones(n - 1); }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.weight = Vector::Zero(n); }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.judged = Vector::Constant(n, -1.0); }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.judged = Vector::Constant(n, std::nan("")); }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.group[0] = int(n); }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.copy_of[0] = 1; }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.copy_of[5] = n; }));
  EXPECT_TRUE(refused([&](HeldOutRows& h) { h.copy_of.pop_back(); }));
}

}  // namespace held_out_rows_test
}  // namespace lacuna

// Counts of rows are sums of weights as the data say them, whatever unit is taken out of weights inside.
#include "lacuna/model/detail/tell_counts.hpp"

#include <gtest/gtest.h>

#include "lacuna/choose/choose.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/redecide.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace tell_counts_test {

// Two classes that overlap; weights with decimals (1.01, 1.38, 1.75 ...), and of selection (0.3, 0.5, 0.7); groups of
// three rows, the last of which is a copy of the second.
Dataset decimal_rows(Index rows = 60) {
  Dataset data;
  RowMatrix X = testing::random_rows(rows, 2, 5);
  const RowMatrix noise = testing::random_rows(rows, 1, 6);
  for (Index i = 2; i < rows; i += 3) X.row(i) = X.row(i - 1);
  data.X = X;
  data.weights.resize(rows);
  data.select_weights.resize(rows);
  for (Index i = 0; i < rows; ++i) {
    data.label.push_back(int(X(i, 0) + 0.8 * noise(i - i % 3, 0) > 0.0));
    data.weights[i] = 1.01 + 0.37 * double(i % 7);
    data.select_weights[i] = 0.3 + 0.2 * double(i / 3 % 3);
    data.group.push_back(int(i / 3));
    data.source_row.push_back(i + 1);
  }
  data.task = Task::binary;
  data.classes = {"a", "b"};
  data.target_names = {"label"};
  return data;
}

TrainOptions fixed(Weighting of_selection, const char* cv) {
  TrainOptions out{.model = klr(), .kernel = rbf(0.5), .lambda = 0.5};
  out.select.weights = of_selection;
  out.select.cv = parse_cross_validation(cv);
  return out;
}

// What each row counts, in plain words.
Vector counts(const Dataset& data, Weighting of_selection) {
  Vector out = data.weights.size() > 0 ? data.weights : Vector(Vector::Ones(data.size()));
  if (of_selection == Weighting::column) out = out.cwiseProduct(data.select_weights);
  if (of_selection != Weighting::balanced) return out;
  const double all = out.sum();
  Vector of_class = Vector::Zero(2);
  for (Index i = 0; i < data.size(); ++i) of_class[data.label[std::size_t(i)]] += out[i];
  for (Index i = 0; i < data.size(); ++i) out[i] *= 0.5 * all / of_class[data.label[std::size_t(i)]];
  return out;
}

// The same from the decisions of the model about its held-out rows.
void expect_counted(const Model& model, const Vector& counts, const std::string& what) {
  const Predictions said = held_out_predictions(model);
  const double repeats = double(model.held_out.repeats());
  Matrix confusion = Matrix::Zero(2, 2);
  for (Index i = 0; i < model.held_out.size(); ++i)
    confusion(model.held_out.label[std::size_t(i)], said.label[std::size_t(i)]) += counts[i % counts.size()] / repeats;
  EXPECT_LT((model.report.confusion - confusion).cwiseAbs().maxCoeff(), 1e-9 * counts.sum())
      << what << '\n'
      << model.report.confusion << '\n'
      << confusion;
  EXPECT_LT((judged_weights(model.held_out) - counts).cwiseAbs().maxCoeff(), 1e-12) << what;
}

TEST(TellCounts, ARowCountsItsWeightAsTheDataSayItAndNotInAUnitOfTheProgramsOwn) {
  for (const Weighting of_selection : {Weighting::none, Weighting::balanced, Weighting::column})
    for (const char* cv : {"loo", "3x2", "group:g"}) {
      Dataset data = decimal_rows();
      if (std::string(cv) == "loo") data.group.clear();
      const TrainOptions options = fixed(of_selection, cv);
      const std::string what = std::string(cv) + ' ' + std::to_string(int(of_selection));
      const Model model = train(data, options);
      expect_counted(model, counts(data, of_selection), what);
      Dataset without_units = data;  // as tables are encoded
      take_units_out(without_units);
      expect_counted(train(without_units, options), counts(data, of_selection), what + " encoded");
      const Model kept = model_from_bytes(model_to_bytes(model), "m.lacuna");
      expect_counted(with_decisions(kept, parse_threshold("cost:1,3"), {}), counts(data, of_selection),
                     what + " moved");
      TrainOptions priced = options;
      priced.held_out.threshold = parse_threshold("cost:1,3");
      expect_counted(with_decisions(kept, data, priced), counts(data, of_selection), what + " decided again");
    }
}

TEST(TellCounts, RowsThatAllWeighTheSameAreCountedAsRowsCopiesToo) {
  for (const double weight : {1e-6, 0.5, 1.0, 2.0})
    for (const char* cv : {"loo", "group:g"}) {
      Dataset data = decimal_rows();
      data.weights.setConstant(weight);
      for (std::size_t i = 0; i < data.group.size(); i += 3) data.group[i] = 100;  // each group: a row and its copy
      if (std::string(cv) == "loo") data.group.clear();
      expect_counted(train(data, fixed(Weighting::none, cv)), Vector::Ones(data.size()), std::to_string(weight) + cv);
    }
}

TEST(TellCounts, ChoicesAndStacksCountAsMachinesDo) {
  Dataset data = decimal_rows(48);
  TrainOptions options{.model = klr()};
  options.select.search_options.max_evaluations = 8;
  const Model model = train(data, options, {.effort = Effort::best});
  expect_counted(model, data.weights, "stack");
}

}  // namespace tell_counts_test
}  // namespace lacuna

// Counts of rows are sums of weights without a unit: the same for weights in any unit, and those of copies for weights
// that are whole numbers.
#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/choose/choose.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/redecide.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

// Two classes that overlap; weights 101, 138, 175 ... times `unit`, and of selection 3, 5 and 7 tenths; groups of three
// rows, the last of which is a copy of the second.
Dataset weighted_rows(double unit, Index rows = 60) {
  Dataset data;
  RowMatrix X = testing::random_rows(rows, 2, 5);
  const RowMatrix noise = testing::random_rows(rows, 1, 6);
  for (Index i = 2; i < rows; i += 3) X.row(i) = X.row(i - 1);
  data.X = X;
  data.weights.resize(rows);
  data.select_weights.resize(rows);
  for (Index i = 0; i < rows; ++i) {
    data.label.push_back(int(X(i, 0) + 0.8 * noise(i - i % 3, 0) > 0.0));
    data.weights[i] = unit * double(101 + 37 * (i % 7));
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
  TrainOptions out{.model = klr(), .kernel = rbf(0.5)};
  out.select.weights = of_selection;
  out.select.cv = parse_cross_validation(cv);
  return out;
}

// What each row of weighted_rows(1) counts, in plain words.
Vector counts(const Dataset& data, Weighting of_selection) {
  Vector out = data.weights;
  if (of_selection == Weighting::column) out = 10.0 * out.cwiseProduct(data.select_weights);
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
  EXPECT_LT((judged_weights(model.held_out) - counts).cwiseAbs().maxCoeff(), 1e-9 * counts.maxCoeff()) << what;
}

TEST(CountsOfRows, AreSumsOfWeightsWithoutAUnitInWhateverUnitTheyCome) {
  for (const Weighting of_selection : {Weighting::none, Weighting::balanced, Weighting::column})
    for (const char* cv : {"loo", "3x2", "group:g"})
      for (const double unit : {1.0, 0.01, 1e6}) {
        Dataset data = weighted_rows(unit), in_ones = weighted_rows(1.0);
        if (std::string(cv) == "loo") data.group.clear();
        TrainOptions options = fixed(of_selection, cv);
        options.lambda = 50.0 * unit;
        const std::string what = std::string(cv) + ' ' + std::to_string(int(of_selection)) + std::to_string(unit);
        const Vector expected = counts(in_ones, of_selection);
        const Model model = train(data, options);
        expect_counted(model, expected, what);
        Dataset without_units = data;  // as tables are encoded
        take_units_out(without_units);
        expect_counted(train(without_units, options), expected, what + " encoded");
        const Model kept = model_from_bytes(model_to_bytes(model), "m.lacuna");
        expect_counted(with_decisions(kept, parse_threshold("cost:1,3"), {}), expected, what + " moved");
        TrainOptions priced = options;
        priced.held_out.threshold = parse_threshold("cost:1,3");
        expect_counted(with_decisions(kept, data, priced), expected, what + " decided again");
      }
}

TEST(CountsOfRows, RowsThatAllWeighTheSameAreCountedAsRowsCopiesToo) {
  for (const double weight : {1e-6, 0.5, 1.0, 2.0})
    for (const char* cv : {"loo", "group:g"})
      for (const bool pairs : {false, true}) {  // every row and its copy; or some rows alone
        Dataset data = weighted_rows(1.0);
        data.weights.setConstant(weight);
        if (pairs) {
          std::vector<Index> each;
          for (Index i = 0; i < data.size(); ++i)
            if (i % 3 != 2) each.insert(each.end(), {i, i});
          data = take_rows(data, each);
          std::iota(data.source_row.begin(), data.source_row.end(), 1);
        }
        if (std::string(cv) == "loo") data.group.clear();
        TrainOptions options = fixed(Weighting::none, cv);
        options.lambda = 0.5 * weight;
        expect_counted(train(data, options), Vector::Ones(data.size()), std::to_string(weight) + cv);
      }
}

TEST(CountsOfRows, ChoicesAndStacksCountAsMachinesDo) {
  const Dataset data = weighted_rows(0.01, 48);
  TrainOptions options{.model = klr()};
  options.select.search_options.max_evaluations = 8;
  const Model model = train(data, options, {.effort = Effort::best});
  expect_counted(model, weighted_rows(1.0, 48).weights, "stack");
}

}  // namespace
}  // namespace lacuna

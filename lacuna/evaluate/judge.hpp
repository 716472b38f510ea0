// evaluate/judge.hpp -- how good predictions are for rows that took no part in training. Rows count by their weight.
//
// Scores are those of model/tally.hpp; means and common rates are of the training rows. Ranks are of the outputs that
// decisions are made of, which a Gaussian process moderates by their variance. A row of a class that training never saw
// is an error, and has no part in xent, bits and calibration; bits are out of log2 of the number of classes of the
// whole data.
#pragma once

#include <string>
#include <vector>

#include "lacuna/model/model.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {

/// What is true of the rows.
struct TestTruth {
  std::vector<std::string> classes{};  ///< of the whole data; empty: values or rates
  std::vector<int> label{};            ///< index into them
  Matrix targets{};                    ///< values, counts
  Vector weights{};                    ///< one for each row
  RowPrices prices{};                  ///< of mistakes about them, where columns say them
  Vector offset{};                     ///< of rates; empty: none
  Vector common_rate{};                ///< of the training rows, for each target; rates only
  Vector training_mean{};              ///< of the training rows, for each target; values only
};

struct Judgement {
  Tally tally{};
  NamedScores scores{};  ///< of it
  Index unseen = 0;      ///< rows of a class that training never saw
};

/// Requires: predictions of `model` for the rows of `truth`. A score that these rows cannot have (auc of one class) is
/// NaN.
Judgement judge_predictions(const Model& model, const Predictions& predictions, const TestTruth& truth);

}  // namespace lacuna

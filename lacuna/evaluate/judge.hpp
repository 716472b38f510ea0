// evaluate/judge.hpp -- how good predictions are for rows that took no part in training. Rows count by their weight.
//
//   classes   error, ber (mean over the classes among the rows), auc (mean over one class against the rest; of the
//             outputs that decisions are made of, which a Gaussian process moderates by their variance), and with
//             probabilities xent, bits and calibration. A row of a class that training never saw is an error, and has
//             no part in xent, bits and calibration. Bits are less than log2 of the number of classes of the whole
//             data.
//   values    rmse; r2, the share explained of what the mean of the training rows leaves
//   rates     deviance, d2 (the share explained of what one common rate, that of the training rows, leaves), rmse
#pragma once

#include <string>
#include <vector>

#include "lacuna/evaluate/tally.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

/// What is true of the rows.
struct TestTruth {
  std::vector<std::string> classes{};  ///< of the whole data; empty: values or rates
  std::vector<int> label{};            ///< index into them
  Matrix targets{};                    ///< values, counts
  Vector weights{};                    ///< one for each row
  Vector offset{};                     ///< of rates; empty: none
  double common_rate = 1.0;            ///< of the training rows; rates only
  Vector training_mean{};              ///< of the training rows, for each target; values only
};

struct Judgement {
  Tally tally{};
  NamedScores scores{};  ///< of it
  Index unseen = 0;      ///< rows of a class that training never saw
};

/// Requires: predictions of `model` for the rows of `truth`. A score that these rows cannot have (auc of one class) is NaN.
Judgement judge(const Model& model, const Predictions& predictions, const TestTruth& truth);

}  // namespace lacuna

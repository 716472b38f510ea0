// evaluate/tally.hpp -- what test rows add up to. Scores are taken from sums over rows, and sums of several test
// parts can be added, so the score of all test parts together is a score of all their rows: a part of 20 rows is too
// small for bins of probability, for the rate of a rare class or for a root mean square, and the mean over such parts
// is biased.
//
// Only the area under the curve looks at two rows at a time; both must be of one part, since outputs of different
// fits do not compare. Parts then count by their pairs.
#pragma once

#include <string>
#include <vector>

#include "lacuna/model/assess.hpp"

namespace lacuna {

/// One of ten bins of stated probability: how often it was right.
struct CalibrationBin {
  double weight = 0.0;   ///< of the rows in it
  double claimed = 0.0;  ///< sum of their probabilities
  double hits = 0.0;     ///< weight of those of which it was true
};
using CalibrationBins = std::vector<CalibrationBin>;

/// Sums over rows, each counting by its weight.
struct Tally {
  // Classes.
  Matrix confusion{};     ///< true class by predicted class
  Matrix pairs{};         ///< one row for each class: weight of the pairs ranked rightly (it and another), of all pairs
  double log_loss = 0.0;  ///< minus the log-probability of the right class ...
  double loss_squares =
      0.0;  ///< of the same for each row; of values the squares of squared residuals, of rates of deviances
  double foreseen = 0.0;          ///< ... over rows whose class training had: their weight
  CalibrationBins calibration{};  ///< by the probability of the positive class of two, of the predicted one of more
  CalibrationBins predicted{};    ///< by the probability of the predicted class; both empty without probabilities
  // Values and rates.
  double weight = 0.0;
  Vector squares{};  ///< of residuals, by target
  Vector spread{};   ///< of targets around the mean of the training rows
  bool rates = false;
  double deviance = 0.0, nothing = 0.0;  ///< of the rates said, and of the one common rate of the training rows
};

/// Adds the sums of other rows, or takes them away. Requires the same classes or targets; an empty tally has any.
void add(Tally& to, const Tally& other, double sign = 1.0);

/// Their scores in print order: error, ber (mean over the classes that are there), auc (mean over the classes against
/// the rest), and with probabilities xent, bits, calibration; rmse, r2; or deviance, d2, rmse. NaN where these rows
/// have none.
NamedScores scores_of(const Tally& tally);

}  // namespace lacuna

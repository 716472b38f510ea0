// model/tally.hpp -- the one scoreboard: what rows add up to, and the scores that follow. Held-out rows of a fit, test
// rows of an evaluation and fresh rows of a prediction are all counted here. Scores are taken from sums over rows, and
// the sums of several parts can be added, so the score of all parts together is a score of all their rows: a part of 20
// rows is too small for bins of probability, for the rate of a rare class or for a root mean square, and the mean over
// such parts is biased.
//
//   classes   error, ber (mean over the classes among the rows), auc (mean over one class against the rest), with
//             probabilities xent, bits and calibration, and with prices of mistakes cost
//   values    rmse; r2, the share explained of what a mean leaves
//   rates     deviance; d2, the share explained of what one common rate leaves; rmse; of counts also nll, the mean of
//             minus the log-probability, which compares models whose deviances are of different losses
//
// Beside every score stands that of the best answer that is the same for all rows (baseline_of): the commonest class,
// the class shares, the cheapest class, the mean, one common rate.
//
// Only the area under the curve looks at two rows at a time; both must be of one part, since outputs of different
// fits do not compare. Parts then count by their pairs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"
#include "lacuna/model/costs.hpp"

namespace lacuna {

using NamedScores = std::vector<std::pair<std::string, double>>;

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
  double log_loss = 0.0;  ///< minus the log-probability of the right class, or of the count (mean over the targets) ...
  double foreseen = 0.0;  ///< ... over rows whose class (or count) has a probability: their weight
  CalibrationBins calibration{};  ///< by the probability of the positive class of two, of the predicted one of more
  CalibrationBins predicted{};    ///< by the probability of the predicted class; both empty without probabilities
  double cost = 0.0;              ///< what decisions cost ...
  double priced = 0.0;            ///< ... about rows whose class has a price: their weight
  double cost_squares = 0.0, weight_squares = 0.0;  ///< how sure it is
  Vector constant_cost{};  ///< the same for each class, were it decided for all rows; empty: nothing has a price
  // Values and rates.
  double weight = 0.0;
  Vector squares{};  ///< of residuals, by target
  Vector spread{};   ///< of targets around a mean
  bool rates = false;
  double deviance = 0.0, nothing = 0.0;  ///< of the rates predicted, and of one common rate; mean over the targets
  double square_squares = 0.0;           ///< of squared residuals (mean over the targets)
  // Classes and rates.
  double loss_squares = 0.0;  ///< of the log loss, or of deviances
};

/// Decisions about rows; both number `classes` classes.
void tally_decisions(Tally& to, const std::vector<int>& decided, const std::vector<int>& label, const Vector& weights,
                     Index classes);
/// What these decisions cost, by the prices of each row. Rows of label -1 are of a class that has no price.
void tally_costs(Tally& to, const std::vector<int>& decided, const std::vector<int>& label, const Vector& weights,
                 const RowCosts& costs);
/// Probabilities, l x classes, and minus the logarithm of the one of each row's own class. Rows of label -1 are of a
/// class that has none.
void tally_probabilities(Tally& to, const Matrix& probability, const Vector& log_loss, const std::vector<int>& label,
                         const Vector& weights);
/// Those logarithms, from the probabilities alone; 0 for label -1.
Vector log_loss(const Matrix& probability, const std::vector<int>& label);
/// Values, l x targets, and (where known) the mean of each target that r2 compares with.
void tally_values(Tally& to, const Matrix& value, const Matrix& target, const Vector& mean, const Vector& weights);
/// Logarithms of rates, l x targets, those of one common rate (empty: not known), and the rates themselves; exposure is
/// in all of them.
void tally_rates(Tally& to, const Loss& loss, const Matrix& log_rate, const Matrix& log_common, const Matrix& rate,
                 const Matrix& target, const Vector& weights);

/// What explains nothing, for each target: all counts over all exposure, or for a loss of positive values the mean of
/// values over exposure. Empty offset: no exposure.
Vector common_rates(const Loss& loss, const Matrix& target, const Vector& offset, const Vector& weights);

/// Adds the sums of other rows, or takes them away. Requires the same classes or targets; an empty tally has any.
void add_tally(Tally& to, const Tally& other, double sign = 1.0);

/// Their scores in print order: error, ber, auc and with probabilities xent, bits, calibration, with prices cost; rmse,
/// r2; or deviance, d2, rmse, nll. NaN where these rows have none.
NamedScores scores_of(const Tally& tally);
/// Scores of the best answer that is the same for all these rows, by the same names where it has them.
NamedScores baseline_of(const Tally& tally);
/// The class that is the answer of the least cost; -1: nothing has a price.
int cheapest_class(const Tally& tally);
/// Standard error of the cost, over rows that are independent; NaN: there is none.
double cost_error(const Tally& tally);

/// Of one class: of its rows the share that is found, and of the rows decided to be of it the share that is. NaN: there
/// are none.
struct ClassScores {
  double rows = 0.0, recall = 0.0, precision = 0.0;
};
std::vector<ClassScores> class_scores(const Matrix& confusion);

double value_of(const NamedScores& scores, std::string_view name);  ///< NaN when it is not among them
/// What is known of one of so many classes, in bits: all of log2(classes) less a mean log loss.
double information(double log_loss, Index classes);

}  // namespace lacuna

// evaluate/summary.hpp -- what the splits say together: each score of all test rows (tally.hpp), how sure it is, and
// how two ways of fitting differ.
//
// A score S of pooled rows is seldom a mean over splits, but each split has its part in it, which leaving it out shows:
//
//   S_k = N S - (N - 1) S^(-k)      (jackknife; for a mean over parts of one size the part's own value)
//   s.e. = s(S_k) sqrt(1/N + tested/trained)
//
// The second term is for rows that splits share (statistics.hpp). With the deviations of the parts alone the standard
// error of a hundred splits would be three times too small, since a hundred splits of 200 rows are not 100 times as
// many rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/evaluate/evaluate.hpp"

namespace lacuna {

struct Estimate {
  double value = 0.0;  ///< of all test rows; NaN: there is none
  double se = 0.0;     ///< corrected for the rows that splits share; NaN for fewer than two splits
};

/// The scores of all test rows of some splits, and of all but one split.
class PooledScores {
 public:
  /// Splits that failed, or that `leave_out` marks, do not count.
  explicit PooledScores(const std::vector<SplitResult>& splits, const std::vector<bool>& leave_out = {});

  double value(std::string_view score) const { return value_of(all_, score); }
  /// S_k for every split; NaN for those that do not count.
  std::vector<double> parts(std::string_view score) const;
  Estimate estimate(std::string_view score, double tested_to_trained) const;

 private:
  NamedScores all_;
  std::vector<NamedScores> without_;  // empty: does not count
  int count_ = 0;
};

/// The sums over all splits.
Tally pooled_tally(const std::vector<SplitResult>& splits);

/// Names of the scores of a contender, in print order.
std::vector<std::string> score_names(const NestedValidation::Results& results);

/// Deviances, and shares of one (d2), are of a likelihood: those of two do not compare, since each says what a deviance
/// of 0 is.
bool comparable(const NestedValidation::Results& a, const NestedValidation::Results& b, std::string_view score);

/// How much larger each score of `a` is, over the splits where both could be fitted; only comparable ones.
std::vector<std::pair<std::string, PairedDifference>> paired_differences(const NestedValidation::Results& a,
                                                                         const NestedValidation::Results& b,
                                                                         double tested_to_trained);

/// Where the test rows fare worse than the rows held out inside the fits, beyond chance: the selection has
/// over-fitted, or saw rows that are not independent of those it held out. Empty: they agree.
///
/// Holding out rows one by one, or in folds, assumes that they are independent, and under that assumption the mean
/// loss of n test rows is known to s/sqrt(n); how often a row was tested does not matter. With groups the splits say
/// how sure the figures are.
std::string gap_warning(const NestedValidation& evaluation, const NestedValidation::Results& results);

}  // namespace lacuna

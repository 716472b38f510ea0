// model/threshold.hpp -- where to cut the output of a two-class machine: at a probability that was given, or chosen on
// held-out outputs, the cut that minimises error, balanced error, or a cost with a price for each kind of mistake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/model/costs.hpp"

namespace lacuna {

struct ThresholdRule {
  enum class Kind { error, ber, cost, probability } kind = Kind::error;
  double false_positive = 1.0;  ///< cost of calling a negative row positive
  double false_negative = 1.0;
  double probability = 0.5;  ///< rows are positive whose probability of it is at least this
};
/// "error", "ber", "cost:FP,FN" or a probability between 0 and 1. Throws Error(usage).
ThresholdRule parse_threshold(std::string_view text);
std::string threshold_text(const ThresholdRule& rule);

/// Two classes: the rule that the prices make. Requires prices that are the same for all rows, and that both mistakes
/// cost something.
ThresholdRule rule_of(const Costs& costs);

/// Of the cuts whose loss on the held-out outputs is within a standard error of the least, the one that is best when
/// each output is spread by a kernel: the least itself moves with single rows. `natural` where that loses no more.
/// `label` is 0 or 1. `weights` as in base/weights.hpp, copies gathered. Not for a probability that was given.
double choose_threshold(const ThresholdRule& rule, const Vector& z, const std::vector<int>& label,
                        const Vector& weights, double natural);

}  // namespace lacuna

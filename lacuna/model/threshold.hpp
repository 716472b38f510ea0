// model/threshold.hpp -- where to cut the output of a two-class machine: at a probability that was given, or chosen on
// held-out outputs, the cut that minimises error, balanced error, or a cost with a price for each kind of mistake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/matrix.hpp"

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

/// What decisions cost: price(true class, decided class). Between two classes a rule for the cut follows from it; of
/// more the class of the least expected cost is decided, where there are probabilities.
struct Costs {
  Matrix price{};
  bool operator==(const Costs&) const = default;
};
/// "FP,FN" for two classes; else the rows of the matrix, in the order of the true classes: "0,1,5;1,0,1;9,9,0". Prices
/// are not negative, and in every row the right class is no dearer than any other. Throws Error(usage).
Costs parse_costs(std::string_view text);
std::string costs_text(const Costs& costs);
/// Throws Error(usage) unless the prices are for so many classes.
void check_costs(const Costs& costs, std::size_t classes);
/// Two classes: the rule that the prices make. Requires that both mistakes cost something.
ThresholdRule rule_of(const Costs& costs);
/// The class of the least expected cost for each row of probabilities; the likelier of equals.
std::vector<int> cheapest_labels(const Costs& costs, const Matrix& probability);

/// Of the cuts whose loss on the held-out outputs is within a standard error of the least, the one that is best when
/// each output is spread by a kernel: the least itself moves with single rows. `natural` where that loses no more.
/// `label` is 0 or 1. `weights` as in base/weights.hpp, copies gathered. Not for a probability that was given.
double choose_threshold(const ThresholdRule& rule, const Vector& z, const std::vector<int>& label,
                        const Vector& weights, double natural);

}  // namespace lacuna

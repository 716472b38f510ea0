// model/decision.hpp -- where a rule cuts the outputs of two classes.
//
//   probability P   the output whose probability is P
//   cost            the cut of least cost on held-out outputs; where that gains nothing over it, the output at which
//                   both decisions are expected to cost the same, p = FP/(FP + FN)
//   error, ber      the cut that is best on held-out outputs, p = 1/2 where that gains nothing
//
// Prices of single rows need no cut that is chosen: each row has its own, p = FP/(FP + FN).
#pragma once

#include "lacuna/model/model.hpp"

namespace lacuna {

/// Where the rule cuts by what outputs stand for, without looking at any rows. `usual` where they stand for nothing, or
/// the rule has no probability of its own.
double natural_cut(const Model& model, const ThresholdRule& rule, double usual);
/// With a look at held-out outputs z and their labels, weighted (base/weights.hpp, copies gathered). Throws
/// Error(usage) for a probability where the model has none.
double cut_of(const Model& model, const ThresholdRule& rule, const Vector& z, const std::vector<int>& label,
              const Vector& weights, double usual);
/// Throws Error(usage) for prices of single rows where there are no probabilities that they could decide by.
void require_probabilities(const Costs& costs, bool probabilities, const std::string& machine);
/// Decisions by model.costs, which are of single rows.
void decide_by_row(Model& model);

}  // namespace lacuna

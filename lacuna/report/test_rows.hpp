// report/test_rows.hpp -- what an evaluation knows of its test rows besides their scores: the predictions of every
// split, scores by the levels of a column, and how often intervals hold the value.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/evaluate/summary.hpp"

namespace lacuna {

/// What numbers of test rows are of: "rows of all splits", where rows have weights a share of these.
std::string rows_of_splits(const NestedValidation& evaluation);

/// One line for every test row of every split: `split,row,target,prediction,output,probability:LABEL...` for classes,
/// `split,row,target,prediction,output,lower,upper` for values and counts, after `model` where there are several
/// contenders. Empty where there is nothing. Requires EvaluateOptions::keep_rows.
void write_test_predictions(const NestedValidation& evaluation, std::ostream& out);

/// Scores of each level of the column that EvaluateOptions::by names, most rows first; "" and null where there is none.
std::string level_text(const NestedValidation& evaluation, const NestedValidation::Results& of);
nlohmann::ordered_json level_json(const NestedValidation& evaluation, const NestedValidation::Results& of);

/// "coverage 0.893 of the test values ..."; "" and null where there are no intervals.
std::string coverage_text(const NestedValidation& evaluation, const NestedValidation::Results& of);
nlohmann::ordered_json coverage_json(const NestedValidation& evaluation, const NestedValidation::Results& of);

}  // namespace lacuna

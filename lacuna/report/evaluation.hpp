// report/evaluation.hpp -- what `evaluate` prints, as text for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/evaluate/evaluate.hpp"

namespace lacuna {

/// Mean, standard error and every split's value of each score; what was chosen; the optimistic values beside; confusion and
/// calibration over all splits; with several contenders, paired differences.
nlohmann::ordered_json evaluation_json(const NestedValidation& evaluation);
std::string evaluation_text(const NestedValidation& evaluation);

/// Names of the scores of a contender, in print order.
std::vector<std::string> score_names(const NestedValidation::Results& results);
/// Confusion and calibration of all splits together.
Judgement pooled(const NestedValidation::Results& results);

}  // namespace lacuna

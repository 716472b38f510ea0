// report/evaluation.hpp -- what `evaluate` prints, as text for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/evaluate/summary.hpp"

namespace lacuna {

/// Each score of all test rows, its standard error (corrected for the rows that splits share) and every split's
/// value; what was chosen; the optimistic values beside; confusion and calibration over all splits; with several
/// contenders, paired differences.
nlohmann::ordered_json evaluation_json(const NestedValidation& evaluation);
std::string evaluation_text(const NestedValidation& evaluation);

}  // namespace lacuna

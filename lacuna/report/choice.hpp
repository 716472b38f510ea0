// report/choice.hpp -- what was compared before a model was chosen, as a table.
#pragma once

#include <string>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// A line for each candidate: honest loss, how much worse than what was chosen and the standard error of that, weight,
/// time; "" where there was no choice.
std::string choice_text(const FitReport& report);

}  // namespace lacuna

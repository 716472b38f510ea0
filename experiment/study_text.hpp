// experiment/study_text.hpp -- an experiment's sheets as Markdown for people, as CSV for spreadsheets and as JSON for
// programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiment/study.hpp"

namespace lacuna {

/// Title, remarks and every sheet that is not a detail.
std::string study_markdown(const Study& study);
/// {"experiment", "title", "remarks", "sheets": {name: [{column: value, ...}, ...]}}.
nlohmann::ordered_json study_json(const Study& study);
/// One sheet, numbers as the shortest decimals that read back the same.
std::string sheet_csv(const Sheet& sheet);

}  // namespace lacuna

// report/confusion.hpp -- decisions about classes as a table: true class by decided class, and of each class how many
// of its rows were found (recall) and how many decided to be of it are (precision).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// "" where there is nothing, or more than twelve classes. `what` says of which rows. Weights have a unit that nobody
/// states: by weight the table is in per cent of all rows.
std::string confusion_text(const Matrix& confusion, const std::vector<std::string>& classes, const std::string& what,
                           bool by_weight);
/// One array for each true class.
nlohmann::ordered_json confusion_json(const Matrix& confusion);
/// [{"class", "rows", "recall", "precision"}]; null for a share of no rows.
nlohmann::ordered_json class_scores_json(const Matrix& confusion, const std::vector<std::string>& classes);

}  // namespace lacuna

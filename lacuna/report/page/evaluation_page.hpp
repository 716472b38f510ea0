// report/page/evaluation_page.hpp -- nested validation as a page: models side by side, and their paired differences.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/report/page/page.hpp"

namespace lacuna {

/// As model_page_json(); "evaluation" is the object that `evaluate --json` prints, unless it is too large for a page.
/// Of `options` the command and the data count.
nlohmann::ordered_json evaluation_page_json(const NestedValidation& evaluation, const PageOptions& options = {});

}  // namespace lacuna

// experiment/study_page.hpp -- an experiment as a report page: remarks, the papers' figures from our own runs, and
// sheets as tables, published values beside ours, significant differences marked.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiment/study.hpp"

namespace lacuna {

/// For page_html() (report/page/page.hpp). `command`: as typed.
nlohmann::ordered_json study_page_json(const Study& study, const std::string& command);

}  // namespace lacuna

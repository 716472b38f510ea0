// report/counts.hpp -- how counts scatter about what a model expects (model/count_check.hpp), in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// What a negative binomial takes the variance for: "mean + 0.52 mean^2 (overdispersion 0.52, s.e. 0.04)".
std::string variance_words(const Model& model);
/// Lines of a report about held-out rows, label and words: dispersion, zeros, standard scores; none where the model is
/// not of counts.
std::vector<std::pair<std::string, std::string>> count_lines(const FitReport& report);
/// {"dispersion", "fitted_dispersion", "degrees_of_freedom", "score_test": {"z", "p", "level", "rejected"}, "zeros":
/// {"observed", "expected"}, "standard_scores": {"beyond_2", "beyond_3"}, "overdispersion", "overdispersion_error",
/// "rootogram": [{"count", "observed", "expected"}]}; null for what is not known. The last of the rootogram is of so
/// many or more ("or_more": true). Requires report.counts.
nlohmann::ordered_json counts_json(const Model& model);

}  // namespace lacuna

// report/report.hpp -- one report, as text for people and as JSON for programs (design 4): what was chosen, how good it is
// on held-out rows, and what to be careful about. All wording lives here.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// The object that `fit --json` prints.
nlohmann::ordered_json fit_json(const Model& model);
/// The same for people, a few lines.
std::string fit_text(const Model& model);
/// {"name": "rbf", "theta": 0.031}; sums and products have "parts".
nlohmann::ordered_json kernel_json(const Kernel& kernel);

/// `row,target,output,probability,prediction,residual,leverage,loss,trust`; multi-class and several targets have
/// `output:LABEL` columns; empty where a model has none.
void write_held_out_csv(const Model& model, std::ostream& out);
/// `row,prediction,output,probability:LABEL...` for classes, `row,prediction,lower,upper` for values.
void write_predictions_csv(const Model& model, const Predictions& predictions, const std::vector<std::int64_t>& row,
                           std::ostream& out);

}  // namespace lacuna

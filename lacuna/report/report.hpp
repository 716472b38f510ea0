// report/report.hpp -- one report, as text for people and as JSON for programs (design 4): what was chosen, how good it
// is on held-out rows, and what to be careful about. All wording lives here.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// The object that `fit --json` prints.
nlohmann::ordered_json fit_json(const Model& model);
/// The same for people, a few lines.
std::string fit_text(const Model& model);
/// What `inspect` prints: the report of the fit, then how columns become features. The JSON has the keys of fit_json
/// and "targets", "expansion_rows", "held_out_rows", "missing" and "encoding" (one object for each feature).
nlohmann::ordered_json inspect_json(const Model& model);
std::string inspect_text(const Model& model);
/// Indented, one line feed at the end; bytes that are not UTF-8 are replaced (JSON cannot hold them).
std::string json_text(const nlohmann::ordered_json& json);
/// {"name": "rbf", "theta": 0.031}; sums and products have "parts".
nlohmann::ordered_json kernel_json(const Kernel& kernel);

class KeptColumns;  // report/kept_columns.hpp

/// `row,target,output,probability,prediction,residual,leverage,loss,trust`, and `repeat` after the row where rows
/// were held out several times (each repeat has its own output; scores are means over repeats); multi-class and
/// several targets have `output:LABEL` columns; empty where a model has none. Counts have `score` at the end, their
/// standard score (model/count_check.hpp).
void write_held_out_csv(const Model& model, std::ostream& out);
/// Rows worth a second look: suspected wrong labels (or values far off) and the most influential rows, ten of each.
std::string suspects_text(const Model& model);
/// What the decisions about held-out rows cost, in a line; "" where they have no price.
std::string cost_text(const Model& model);
/// What `loo --verify K` found; "" when nothing was verified.
std::string verification_text(const FitReport& report);
/// What lines of predictions hold beside the usual.
struct PredictionColumns {
  PredictOptions wanted{};
  const KeptColumns* kept = nullptr;
  const Vector* outside = nullptr;  ///< of the rows that are predicted (explain/outside.hpp): the last column
};
/// `row,prediction,output,probability:LABEL...` for classes, `row,prediction,lower,upper` for values,
/// `row,prediction,rate` for counts, then `q0.05`... for quantiles, `sd` and `variance` where they are wanted: the line
/// of names, and a line for each prediction; `before(row)` is called before each. Columns of `kept` follow the row.
void write_predictions_heading(const Model& model, std::ostream& out, const PredictionColumns& columns = {});
void write_predictions_csv(const Model& model, const Predictions& predictions, std::span<const std::int64_t> row,
                           std::ostream& out, const std::function<void(std::int64_t row)>& before = {},
                           const PredictionColumns& columns = {});
/// The line of a row without prediction.
void write_no_prediction(const Model& model, std::int64_t row, std::ostream& out,
                         const PredictionColumns& columns = {});

}  // namespace lacuna

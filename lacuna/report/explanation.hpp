// report/explanation.hpp -- what `explain` prints: effects, importance, coefficients and neighbours as text for people
// and as JSON for programs, curves as CSV.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/explain/explain.hpp"

namespace lacuna {

std::string explanation_text(const Model& model, const Explanation& explanation);
/// {"predicts", "outputs", "rows", "of_rows", "trained_on", "effects", "pairs", "importance", "coefficients",
/// "relevance", "neighbours"}; null, with "missing" beside, where something cannot be said.
nlohmann::ordered_json explanation_json(const Model& model, const Explanation& explanation);
/// `column,value,output,mean,lower,upper`; output is the class or target that the prediction is of.
void write_curves_csv(const Explanation& explanation, std::ostream& out);

}  // namespace lacuna

// report/explanation_json.cpp (of explanation.hpp) -- an explanation as JSON.
#include <nlohmann/json.hpp>

#include "lacuna/report/column_weights.hpp"
#include "lacuna/report/explanation.hpp"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// A name for each number.
Json by_output(const Explanation& e, const std::vector<double>& values) {
  Json out = Json::object();
  for (std::size_t c = 0; c < values.size(); ++c) out[e.outputs[c]] = values[c];
  return out;
}

Json effects_json(const Explanation& e) {
  if (!e.missing.empty()) return nullptr;
  Json out = Json::array();
  for (const Effect& one : e.effects)
    out.push_back({{"column", one.column},
                   {"from", one.from},
                   {"to", one.to},
                   {"at_from", by_output(e, one.at_low.mean)},
                   {"at_to", by_output(e, one.at_high.mean)},
                   {"change", by_output(e, one.change)},
                   {"standard_error", by_output(e, one.standard_error)}});
  return out;
}

Json pairs_json(const Explanation& e) {
  Json out = Json::array();
  for (const PairEffect& p : e.pairs) {
    Json corners = Json::object();
    for (std::size_t c = 0; c < p.corners.size(); ++c) corners[e.outputs[c]] = p.corners[c];
    out.push_back({{"first", {{"column", p.first}, {"from", p.first_from}, {"to", p.first_to}}},
                   {"second", {{"column", p.second}, {"from", p.second_from}, {"to", p.second_to}}},
                   {"corners", std::move(corners)},
                   {"interaction", by_output(e, p.interaction)}});
  }
  return out;
}

Json importance_json(const Model& model, const ImportanceReport& i) {
  if (i.how.empty() && i.missing.empty()) return nullptr;
  if (i.how.empty()) return {{"missing", i.missing}};
  Json out{
      {"of", i.how}, {"loss", i.loss}, {"as_it_is", i.without}, {"rows", i.rows}, {"permutations", i.permutations}};
  if (i.folds > 0) out["folds"] = i.folds;
  if (i.grouped) out["grouped"] = true;
  out["columns"] = Json::array();
  for (const Importance& one : i.columns) {
    Json entry{{"column", one.column}, {"increase", one.increase}, {"standard_error", one.standard_error}};
    if (!model.classes.empty()) entry["error_increase"] = one.error_increase;
    out["columns"].push_back(std::move(entry));
  }
  return out;
}

Json coefficients_json(const Model& model, const Coefficients& of) {
  if (of.columns.empty()) return nullptr;
  const auto& names = model.classes.size() > 2 ? model.classes : model.target_names;
  const auto named = [&](const std::vector<double>& values) -> Json {
    if (values.size() == 1) return values[0];
    if (names.size() != values.size()) return values;
    Json out = Json::object();
    for (std::size_t c = 0; c < values.size(); ++c) out[names[c]] = values[c];
    return out;
  };
  Json out{{"intercept", named(of.intercept)}, {"columns", Json::array()}};
  for (const Coefficient& c : of.columns) {
    Json entry{{"column", c.column}};
    if (!c.level.empty()) entry["level"] = c.level;
    entry["coefficient"] = named(c.of_output);
    out["columns"].push_back(std::move(entry));
  }
  return out;
}

Json neighbours_json(const Neighbourhood& n) {
  if (!n.missing.empty()) return {{"row", n.row}, {"missing", n.missing}};
  Json out{{"row", n.row}, {"output", n.value}, {"bias", n.rest}};
  const auto list = [&](const char* name, const std::vector<Neighbour>& rows) {
    out[name] = Json::array();
    for (const Neighbour& one : rows)
      out[name].push_back({{"row", one.row ? Json(*one.row) : Json(nullptr)},
                           {"distance", one.distance},
                           {"pull", one.pull},
                           {"target", one.target}});
  };
  list("nearest", n.nearest);
  list("strongest", n.strongest);
  return out;
}

}  // namespace

Json explanation_json(const Model& model, const Explanation& e) {
  Json out{{"predicts", e.predicts}, {"outputs", e.outputs},       {"rows", e.rows},
           {"of_rows", e.of_rows},   {"trained_on", e.trained_on}, {"weighted", e.weighted}};
  if (!e.counted_by.empty()) out["counted_by"] = e.counted_by;
  out["effects"] = effects_json(e);
  if (!e.missing.empty()) out["missing"] = e.missing;
  if (!e.pairs.empty()) out["pairs"] = pairs_json(e);
  out["importance"] = importance_json(model, e.importance);
  out["coefficients"] = coefficients_json(model, e.coefficients);
  out["relevance"] = relevance_json(model);
  if (e.neighbourhood) out["neighbours"] = neighbours_json(*e.neighbourhood);
  return out;
}

}  // namespace lacuna

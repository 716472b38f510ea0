#include "experiment/chart.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace lacuna {

using Json = nlohmann::ordered_json;

Chart chart_of(const std::string& name, const Sheet& sheet, std::string_view specification) {
  Json out{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"}};
  Json values = Json::array();
  for (const auto& row : sheet.rows) {
    Json one = Json::object();
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (const auto* word = std::get_if<std::string>(&row[k])) one[sheet.columns[k]] = *word;
      if (const auto* number = std::get_if<double>(&row[k]); number != nullptr && std::isfinite(*number))
        one[sheet.columns[k]] = *number;
    }
    values.push_back(std::move(one));
  }
  out["data"] = {{"values", std::move(values)}};
  out.update(Json::parse(specification));
  return {name, out.dump(1) + "\n"};
}

}  // namespace lacuna

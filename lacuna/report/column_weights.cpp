#include "lacuna/report/column_weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "lacuna/base/shown.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_shown = 12;       // columns, in a text for people
constexpr double too_little_to_show = 1e-3;  // of all shares

// Which column of the data a feature that the kernel sees is of, by number and by name.
std::pair<std::int64_t, std::string> column_of(const Model& machine, const Encoding& encoding, std::size_t feature) {
  if (!machine.representation.empty()) feature = std::size_t(machine.representation.features[feature].column);
  if (feature >= encoding.features.size()) return {std::int64_t(feature), fmt::format("x{}", feature + 1)};
  const FeatureCode& code = encoding.features[feature];
  if (encoding.sparse) return {code.column, code.name};
  return {code.column, encoding.columns[std::size_t(code.column)].name};
}

}  // namespace

std::vector<ColumnWeight> columns_by_weight(const Model& machine, const Encoding& encoding) {
  const auto weights = column_weights(machine.kernel);
  struct Squares {
    std::string name;
    double squares = 0.0;
    int features = 0;
  };
  std::map<std::int64_t, Squares> columns;
  double total = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto [number, name] = column_of(machine, encoding, k);
    Squares& sum = columns[number];
    sum.name = name;
    sum.squares += weights[k] * weights[k];
    ++sum.features;
    total += weights[k] * weights[k];
  }
  std::vector<ColumnWeight> out;
  for (const auto& [number, sum] : columns)
    out.push_back({sum.name, std::sqrt(sum.squares / sum.features), sum.squares / total});
  std::ranges::stable_sort(out, std::ranges::greater{}, &ColumnWeight::share);
  return out;
}

std::string relevance_lines(const Model& model) {
  const std::vector<ColumnWeight> columns = columns_by_weight(model, model.encoding);
  if (columns.empty()) return "";
  std::string out = fmt::format("  {:<11} of the columns, largest first, and their shares\n", "weights");
  std::size_t width = 4, listed = 0;
  double rest = 1.0;
  while (listed < std::min(most_shown, columns.size()) &&
         (listed == 0 || columns[listed].share >= too_little_to_show)) {
    width = std::max(width, shown(columns[listed].name).size());
    rest -= columns[listed++].share;
  }
  for (std::size_t k = 0; k < listed; ++k)
    out += fmt::format("    {:<10.4g} {:<{}}  {:.1f} %\n", columns[k].weight, shown(columns[k].name), width,
                       100.0 * columns[k].share);
  if (listed < columns.size())
    out += fmt::format("    and {} more, {:.2g} % together (--json has them all)\n", columns.size() - listed,
                       100.0 * std::max(0.0, rest));
  if (const auto& learned = model.report.relevance) {
    std::vector<std::string> criteria;
    for (const double value : learned->criteria) criteria.push_back(fmt::format("{:.4g}", value));
    out += fmt::format("  {:<11} learned: the criterion was {} from round to round, and the least is kept\n", "",
                       fmt::join(criteria, ", "));
  }
  return out;
}

std::string relevance_command(const Model& model) {
  // Weights of features that a choice made of the columns are none that `fit` would take.
  if (column_weights(model.kernel).empty() || !model.representation.empty()) return "";
  return fmt::format("with these weights again: --kernel \"{}\"\n", kernel_text(model.kernel));
}

nlohmann::ordered_json column_weights_json(const Model& machine, const Encoding& encoding) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& [name, weight, share] : columns_by_weight(machine, encoding))
    out.push_back({{"name", name}, {"weight", weight}, {"share", share}});
  return out;
}

nlohmann::ordered_json relevance_json(const Model& model) {
  using Json = nlohmann::ordered_json;
  Json columns = column_weights_json(model, model.encoding);
  if (columns.empty()) return nullptr;
  Json out{{"learned", model.report.relevance.has_value()}, {"kernel", kernel_text(model.kernel)}};
  if (const auto& learned = model.report.relevance) out["rounds"] = learned->criteria, out["kept"] = learned->kept;
  out["columns"] = std::move(columns);
  return out;
}

std::string relevance_caution(const FitReport& report) {
  if (!report.relevance) return "";
  return "  (optimistic: the weights of the columns saw all rows; `lacuna evaluate` learns them without the rows it "
         "tests)\n";
}

}  // namespace lacuna

#include "lacuna/report/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

std::string short_text(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr || std::isnan(*number)) return "";
  return fmt::format("{:.4g}", *number);
}

std::string csv_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return std::isnan(*number) ? "" : fmt::format("{}", *number);
  const auto* word = std::get_if<std::string>(&cell);
  if (word == nullptr) return "";
  if (word->find_first_of(",\"\n") == std::string::npos) return *word;
  std::string out = "\"";
  for (const char c : *word) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Json json_of(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const auto* number = std::get_if<double>(&cell);
  return number == nullptr || !std::isfinite(*number) ? Json(nullptr) : Json(*number);
}

template <class F>
std::string row_text(const auto& cells, std::string_view before, std::string_view between, std::string_view after,
                     const F& text) {
  std::string out(before);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k > 0) out += between;
    out += text(cells[k]);
  }
  return out + std::string(after);
}

}  // namespace

std::string study_markdown(const Study& study) {
  std::string out = fmt::format("# {}\n", study.title);
  for (const std::string& r : study.remarks) out += fmt::format("\n{}\n", r);
  for (const Sheet& sheet : study.sheets) {
    if (sheet.detail) continue;
    out += fmt::format("\n## {}\n\n{}\n\n", sheet.name, sheet.caption);
    out += row_text(sheet.columns, "| ", " | ", " |\n", [](const std::string& c) { return c; });
    out += row_text(sheet.columns, "|", "|", "|\n", [](const std::string&) { return std::string("---"); });
    for (const auto& row : sheet.rows) out += row_text(row, "| ", " | ", " |\n", short_text);
  }
  return out;
}

Json study_json(const Study& study) {
  Json out{{"experiment", study.name}, {"title", study.title}, {"remarks", study.remarks}, {"sheets", Json::object()}};
  for (const Sheet& sheet : study.sheets) {
    Json rows = Json::array();
    for (const auto& row : sheet.rows) {
      Json one = Json::object();
      for (std::size_t k = 0; k < row.size(); ++k) one[sheet.columns[k]] = json_of(row[k]);
      rows.push_back(std::move(one));
    }
    out["sheets"][sheet.name] = std::move(rows);
  }
  return out;
}

std::string sheet_csv(const Sheet& sheet) {
  std::string out = row_text(sheet.columns, "", ",", "\n", [](const std::string& c) { return csv_text(Cell(c)); });
  for (const auto& row : sheet.rows) out += row_text(row, "", ",", "\n", csv_text);
  return out;
}

}  // namespace lacuna

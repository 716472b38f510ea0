#include "experiment/study_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// What people see.
std::string short_text(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  if (const auto* number = std::get_if<double>(&cell))
    return std::isfinite(*number) ? fmt::format("{:.4g}", *number) : "";
  if (const auto* f = std::get_if<Figure>(&cell)) {
    if (!std::isfinite(f->value)) return "";
    return (f->with_sign ? fmt::format("{:+.{}f}", f->value, f->digits) : fmt::format("{:.{}f}", f->value, f->digits)) +
           f->mark;
  }
  const auto* e = std::get_if<Measured>(&cell);
  if (e == nullptr || !std::isfinite(e->mean)) return "";
  std::string out = fmt::format("{:.{}f}", e->mean, e->digits);
  if (std::isfinite(e->se)) out += fmt::format(" ± {:.{}f}", e->se, e->digits);
  if (e->splits > 0) out += fmt::format(" ({})", e->splits);
  return out;
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
std::string number_csv(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

// What programs read. An estimate takes the cells that its column has: mean, standard error and number of splits.
std::string csv_text(const Cell& cell, bool is_estimate, bool has_splits) {
  if (is_estimate) {
    const auto* e = std::get_if<Measured>(&cell);
    std::string out = e == nullptr ? "," : number_csv(e->mean) + ',' + number_csv(e->se);
    if (has_splits) out += e == nullptr ? "," : fmt::format(",{}", e->splits);
    return out;
  }
  if (const auto* number = std::get_if<double>(&cell)) return number_csv(*number);
  if (const auto* f = std::get_if<Figure>(&cell)) return number_csv(f->value);
  const auto* word = std::get_if<std::string>(&cell);
  if (word == nullptr) return "";
  if (word->find_first_of(",\"\n") == std::string::npos) return *word;
  std::string out = "\"";
  for (const char c : *word) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Json json_of(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  if (const auto* number = std::get_if<double>(&cell)) return number_json(*number);
  if (const auto* f = std::get_if<Figure>(&cell)) return number_json(f->value);
  const auto* e = std::get_if<Measured>(&cell);
  if (e == nullptr || !std::isfinite(e->mean)) return nullptr;
  Json out{{"mean", e->mean}, {"se", number_json(e->se)}};
  if (e->splits > 0) out["splits"] = e->splits;
  return out;
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
  std::vector<bool> is_estimate(sheet.columns.size()), has_splits(sheet.columns.size());
  for (const auto& row : sheet.rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      if (const auto* e = std::get_if<Measured>(&row[k])) {
        is_estimate[k] = true;
        has_splits[k] = has_splits[k] || e->splits > 0;
      }
  std::string out;
  const auto add_line = [&](const auto& text_of) {
    for (std::size_t k = 0; k < sheet.columns.size(); ++k) out += (k > 0 ? "," : "") + text_of(k);
    out += '\n';
  };
  add_line([&](std::size_t k) {
    std::string names = csv_text(sheet.columns[k], false, false);
    if (is_estimate[k]) names += ',' + csv_text(sheet.columns[k] + " s.e.", false, false);
    if (has_splits[k]) names += ',' + csv_text(sheet.columns[k] + " count", false, false);
    return names;
  });
  for (const auto& row : sheet.rows)
    add_line([&](std::size_t k) { return csv_text(row[k], is_estimate[k], has_splits[k]); });
  return out;
}

}  // namespace lacuna

#include "experiment/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiment/annulus.hpp"
#include "experiment/study_text.hpp"
#include "lacuna/report/options.hpp"
#include "lacuna/report/page/map.hpp"

namespace lacuna {
namespace {

using namespace page;

constexpr std::size_t most_rows = 400;

const Sheet* sheet_named(const Study& study, const std::string& name) {
  const auto at = std::ranges::find(study.sheets, name, &Sheet::name);
  return at == study.sheets.end() ? nullptr : &*at;
}

std::size_t column_of(const Sheet& sheet, const std::string& name) {
  return std::size_t(std::ranges::find(sheet.columns, name) - sheet.columns.begin());
}

double number_in(const std::vector<Cell>& row, std::size_t column) {
  const auto* value = column < row.size() ? std::get_if<double>(&row[column]) : nullptr;
  return value != nullptr ? *value : std::nan("");
}

std::string word_in(const std::vector<Cell>& row, std::size_t column) {
  const auto* word = column < row.size() ? std::get_if<std::string>(&row[column]) : nullptr;
  return word != nullptr ? *word : "";
}

struct Axis {
  std::string column, title;
};

// Several columns of a sheet over one; `chart` is lines, lines-log-y or lines-log.
Json line_chart(const Sheet& sheet, const std::string& chart_name, const std::string& title,
                const std::string& words_of, const Axis& x, const std::string& y,
                const std::vector<std::string>& columns, const std::string& only = "") {
  Json data = columns_of({"x", "y", "of"});
  const bool log = chart_name != "lines";
  std::vector<double> xs, ys;
  for (const std::string& column : columns)
    for (const auto& row : sheet.rows) {
      const double at = number_in(row, column_of(sheet, x.column)), value = number_in(row, column_of(sheet, column));
      if (!std::isfinite(at) || !std::isfinite(value) || (log && !(value > 0.0))) continue;
      if (!only.empty() && word_in(row, 0) != only) continue;
      xs.push_back(at);
      ys.push_back(value);
      data["of"].push_back(column);
    }
  if (xs.empty()) return nullptr;
  data["x"] = numbers(xs);
  data["y"] = numbers(ys);
  const auto [left, right] = std::ranges::minmax(xs);
  const auto [low, high] = std::ranges::minmax(ys);
  return chart(chart_name, title, words_of, {{"lines", std::move(data)}}, "lines",
               {{"of", "of", false}, {"x", x.title, true, ".4~g"}, {"y", y, true, ".4~g"}},
               {{"xname", x.title},
                {"yname", y},
                {"legend", columns.size() > 1},
                {"xticks", log_ticks(left, right)},
                {"yticks", log_ticks(low, high)}});
}

// A column of the plane of hyper-parameters as a map, in the colours of `low` to `most`; values above are drawn as
// that.
Json plane_map(const Sheet& plane, const std::string& column, double low, double most) {
  Json cells = columns_of({"x", "x2", "y", "y2", "z", "value"});
  double least = std::numeric_limits<double>::infinity();
  Json at = columns_of({"x", "y"});
  for (const auto& row : plane.rows) {
    const double x = number_in(row, 0), y = number_in(row, 1), z = number_in(row, column_of(plane, column));
    if (!std::isfinite(z)) continue;
    cells["x"].push_back(number(x - 0.25));
    cells["x2"].push_back(number(x + 0.25));
    cells["y"].push_back(number(y - 0.25));
    cells["y2"].push_back(number(y + 0.25));
    cells["z"].push_back(number(std::min(z, most)));
    cells["value"].push_back(number(z));
    if (!(z < least)) continue;
    least = z;
    at = {{"x", {number(x)}}, {"y", {number(y)}}};
  }
  return chart(
      "heights", "Cross-entropy: " + column,
      fmt::format("Mean over rows, at every point of the plane; the mark is where it is least. Values above {} "
                  "are drawn as that.",
                  most),
      {{"cells", std::move(cells)}, {"rows", std::move(at)}}, "cells",
      {{"x", "log2 theta from", true, ".3~g"},
       {"y", "log2 lambda from", true, ".3~g"},
       {"value", "cross-entropy", true, ".4~g"}},
      {{"xname", "log2 theta"},
       {"yname", "log2 lambda"},
       {"zname", "cross-entropy"},
       {"low", number(low)},
       {"high", number(most)}});
}

std::vector<Json> ripley_figures(const Study& study) {
  std::vector<Json> out, maps, slices;
  const Sheet *plane = sheet_named(study, "plane"), *along = sheet_named(study, "slices");
  const std::vector<std::string> losses{"approximate leave-one-out", "exact leave-one-out", "10-fold", "test"};
  if (plane != nullptr) {
    double low = 0.7;
    for (const std::string& loss : losses)
      for (const auto& row : plane->rows) low = std::fmin(low, number_in(row, column_of(*plane, loss)));
    for (const std::string& loss : losses) maps.push_back(plane_map(*plane, loss, low, 0.7));
  }
  if (along != nullptr)
    for (const std::string parameter : {"theta", "lambda"})
      if (Json c = line_chart(*along, "lines", "Slice along " + parameter,
                              "Through the optimum of approximate leave-one-out.", {"log2", "log2 " + parameter},
                              "cross-entropy", losses, parameter);
          !c.is_null())
        slices.push_back(std::move(c));
  if (!maps.empty()) out.push_back(grid(std::move(maps)));
  if (!slices.empty()) out.push_back(grid(std::move(slices)));
  return out;
}

std::vector<Json> motorcycle_figures(const Study& study) {
  std::vector<Json> out;
  if (const Sheet* fit = sheet_named(study, "fit")) {
    Json curve = columns_of({"x", "y", "lower", "upper", "of"});
    std::vector<double> x, y;
    for (const std::string column : {"fitted", "held out"})
      for (const auto& row : fit->rows) {
        curve["x"].push_back(number(number_in(row, 0)));
        curve["y"].push_back(number(number_in(row, column_of(*fit, column))));
        curve["lower"].push_back(nullptr);
        curve["upper"].push_back(nullptr);
        curve["of"].push_back(column);
      }
    std::vector<double> basis_x, basis_y;
    for (const auto& row : fit->rows) {
      const bool basis = word_in(row, column_of(*fit, "basis")) == "yes";
      (basis ? basis_x : x).push_back(number_in(row, 0));
      (basis ? basis_y : y).push_back(number_in(row, 1));
    }
    out.push_back(chart("fit", "Data, fit and held-out outputs",
                        "Each held-out output is of a machine without that row. Rings are the rows of the basis.",
                        {{"curve", std::move(curve)},
                         {"rows", {{"x", numbers(x)}, {"y", numbers(y)}}},
                         {"ringed", {{"x", numbers(basis_x)}, {"y", numbers(basis_y)}}}},
                        "curve",
                        {{"of", "of", false}, {"x", "time", true, ".4~g"}, {"y", "acceleration", true, ".4~g"}},
                        {{"xname", "time"}, {"yname", "acceleration"}}));
  }
  if (const Sheet* sizes = sheet_named(study, "sizes")) {
    std::vector<Json> charts;
    for (auto& c : {line_chart(*sizes, "lines-log-y", "Reconstruction error", "Of a greedy basis as it grows.",
                               {"basis vectors", "basis vectors"}, "reconstruction error", {"reconstruction error"}),
                    line_chart(*sizes, "lines-log-y", "Run time of leave-one-out", "Fast and explicit, one thread.",
                               {"basis vectors", "basis vectors"}, "seconds", {"fast", "explicit"})})
      if (!c.is_null()) charts.push_back(c);
    out.push_back(grid(std::move(charts)));
  }
  return out;
}

std::vector<Json> complexity_figures(const Study& study) {
  const Sheet *patterns = sheet_named(study, "annulus"), *plane = sheet_named(study, "plane"),
              *seconds = sheet_named(study, "seconds");
  std::vector<Json> out;
  if (patterns != nullptr && plane != nullptr) {
    Vector at(annulus_side);
    Matrix height(annulus_side, annulus_side);
    for (std::size_t k = 0; k < plane->rows.size(); ++k) {
      const Index i = Index(k) / annulus_side, j = Index(k) % annulus_side;
      at[i] = number_in(plane->rows[k], 0);
      height(i, j) = number_in(plane->rows[k], 2);
    }
    Json rows = columns_of({"x", "y", "class"});
    for (const auto& row : patterns->rows) {
      rows["x"].push_back(number(number_in(row, 0)));
      rows["y"].push_back(number(number_in(row, 1)));
      rows["class"].push_back(word_in(row, 2));
    }
    out.push_back(chart(
        "map", "The discriminant on the annulus ([KFD] figure 1)",
        plane->caption + " Marks are the patterns; the dark line is the boundary.",
        {{"cells", map_cells(at, at, height)}, {"half", lines_at(at, at, height, 0.0)}, {"rows", std::move(rows)}},
        "cells", map_columns("x1", "x2", "output"),
        {{"xname", "x1"}, {"yname", "x2"}, {"zname", "output"}, {"middle", 0}}));
  }
  if (seconds != nullptr)
    out.push_back(line_chart(*seconds, "lines-log", "Run time of leaving out ([KFD] figure 2)",
                             "Seconds of one thread against the number of rows.", {"rows", "rows"}, "seconds",
                             {"fast", "naive", "ten_fold", "ten_fold_anew", "ten_fold_dual"}));
  return out;
}

// Whatever sheets the study has of these names and columns.
std::vector<Json> other_figures(const Study& study) {
  std::vector<Json> out;
  const auto add = [&](Json c) {
    if (!c.is_null()) out.push_back(std::move(c));
  };
  for (const Sheet& s : study.sheets) {
    const auto fuller = [&](const Sheet& other) {
      return other.columns == s.columns && other.rows.size() > s.rows.size();
    };
    if (std::ranges::any_of(study.sheets, fuller)) continue;
    const auto has = [&](const char* column) { return std::ranges::find(s.columns, column) != s.columns.end(); };
    if (has("rows") && has("fast") && has("explicit"))
      add(line_chart(s, "lines-log-y", "Run time of leave-one-out", s.caption, {"rows", "rows"}, "seconds",
                     {"fast", "explicit"}));
    else if (has("basis vectors") && has("reconstruction error"))
      add(line_chart(s, "lines-log-y", "Reconstruction error", s.caption, {"basis vectors", "basis vectors"},
                     "reconstruction error", {"reconstruction error"}));
  }
  return out;
}

// As table.js takes cells: numbers are sorted by their values, whatever text they have.
Json cell_json(const Cell& cell) {
  if (const auto* value = std::get_if<double>(&cell)) return number(*value);
  if (const auto* word = std::get_if<std::string>(&cell)) return brief(*word, 200);
  if (const auto* figure = std::get_if<Figure>(&cell)) {
    if (!std::isfinite(figure->value)) return nullptr;
    std::string text = figure->with_sign ? fmt::format("{:+.{}f}", figure->value, figure->digits)
                                         : fmt::format("{:.{}f}", figure->value, figure->digits);
    if (text[0] == '-') text = "−" + text.substr(1);  // as the page's own numbers
    return {number(figure->value), "", text + figure->mark};
  }
  if (const auto* measured = std::get_if<Measured>(&cell)) {
    if (!std::isfinite(measured->mean)) return nullptr;
    std::string text = fmt::format("{:.{}f}", measured->mean, measured->digits);
    if (std::isfinite(measured->se)) text += fmt::format(" ± {:.{}f}", measured->se, measured->digits);
    if (measured->splits > 0) text += fmt::format(" ({})", measured->splits);
    return {number(measured->mean), "", text};
  }
  return nullptr;
}

Json sheet_table(const Sheet& sheet) {
  std::vector<page::Column> columns;
  std::vector<std::size_t> shown;  // those that say something of some row
  for (std::size_t k = 0; k < sheet.columns.size(); ++k) {
    const auto some = [&](const auto& is) {
      return std::ranges::any_of(sheet.rows, [&](const auto& row) { return k < row.size() && is(row[k]); });
    };
    if (!some([](const Cell& c) { return !cell_json(c).is_null(); })) continue;
    const bool words = some([](const Cell& c) { return std::holds_alternative<std::string>(c); });
    shown.push_back(k);
    columns.push_back({"", brief(sheet.columns[k], 60), !words, ".4~g"});
  }
  Json rows = Json::array();
  for (const auto& row : sheet.rows) {
    Json one = Json::array();
    for (const std::size_t k : shown) one.push_back(k < row.size() ? cell_json(row[k]) : nullptr);
    rows.push_back(std::move(one));
    if (rows.size() == most_rows) break;
  }
  std::string text = sheet.caption;
  if (sheet.rows.size() > most_rows)
    text += fmt::format(" The first {} of {} rows; the CSV of -o has them all.", most_rows, sheet.rows.size());
  return table({.title = sheet.name,
                .text = text,
                .caption = sheet.name,
                .sortable = true,
                .searchable = sheet.rows.size() > 12},
               columns, std::move(rows));
}

}  // namespace

nlohmann::ordered_json study_page_json(const Study& study, const std::string& command) {
  std::vector<Json> first, tables, details;
  for (const std::string& remark : study.remarks) first.push_back(words(with_flags(remark)));
  std::vector<Json> figures_of = study.name == "ripley"       ? ripley_figures(study)
                                 : study.name == "motorcycle" ? motorcycle_figures(study)
                                 : study.name == "complexity" ? complexity_figures(study)
                                                              : other_figures(study);
  for (const Sheet& s : study.sheets)
    if (!s.rows.empty()) (s.detail ? details : tables).push_back(sheet_table(s));
  Json sections = Json::array();
  const auto add = [&](const char* id, const char* title, std::vector<Json> blocks) {
    if (!blocks.empty()) sections.push_back(section(id, title, std::move(blocks)));
  };
  add("about", "What was done", std::move(first));
  add("figures", "Figures, from our own runs", std::move(figures_of));
  add("tables", "Tables", std::move(tables));
  add("details", "Every value", std::move(details));
  add("reproduce", "How to reproduce it", {code("Command", command), facts({{"Lacuna", LACUNA_VERSION}})});
  return {{"title", study.title},
          {"subtitle", fmt::format("lacuna experiment {}", study.name)},
          {"footer", "Written by Lacuna " LACUNA_VERSION ". This file needs no network and sends nothing anywhere."},
          {"sections", std::move(sections)}};
}

}  // namespace lacuna

// report/page/what_it_looks_like.cpp (of subject.hpp) -- one numeric column: data, fit and band; two: a map of
// predictions; more: the effect of each column, and by how much each matters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/base/error.hpp"
#include "lacuna/explain/columns.hpp"
#include "lacuna/explain/effects.hpp"
#include "lacuna/report/page/map.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

constexpr std::size_t most_effects = 12, most_maps = 6;

struct Range {
  double low = 0.0, high = 1.0;
};
Range range_of(const Vector& values) {
  Range out{values.minCoeff(), values.maxCoeff()};
  const double margin = out.high > out.low ? 0.05 * (out.high - out.low) : 0.5;
  return {out.low - margin, out.high + margin};
}

// A row for each pair of values of one or two columns; what the others hold is that of the first row.
Rows rows_at(const RowsView& X, const std::vector<const InputColumn*>& columns, const std::vector<Vector>& values) {
  const std::vector<Index> first(std::size_t(values[0].size()), Index(0));
  Rows out = take_rows(X, first);
  for (std::size_t k = 0; k < columns.size(); ++k) out = with_values(out, *columns[k], values[k]);
  return out;
}

Vector offsets(const Subject& about, Index n) {
  return about.rows.offset.size() > 0 ? Vector(Vector::Zero(n)) : Vector();
}

// How values of a column are shown in a table (numbers.js).
std::string format_of(const InputColumn& column) { return column.date ? "date" : ".5~g"; }
// The axes that have dates (dates.js).
Json dates_of(const std::vector<std::pair<const char*, const InputColumn*>>& axes) {
  Json out = Json::array();
  for (const auto& [axis, column] : axes)
    if (column->date) out.push_back(axis);
  return out;
}

std::vector<Index> drawn_rows(const Subject& about, Index most) { return thinned(about.rows.size(), most); }

std::vector<Json> one_column(const Subject& about, const InputColumn& column) {
  const Model& model = about.model;
  constexpr Index points = 161;
  const Vector values = column_values(column, about.rows.X);
  const Range r = range_of(values);
  const Vector at = Vector::LinSpaced(points, r.low, r.high);
  const Predictions said = predict(model, rows_at(about.rows.X, {&column}, {at}), offsets(about, points));
  const Matrix value = told(model, said);
  const std::vector<std::string> outputs = briefly(told_outputs(model), 30);
  Json curve = columns_of({"x", "y", "lower", "upper", "of"});
  const bool alone = about.outputs_drawn.size() == 1;
  for (const std::size_t c : about.outputs_drawn)
    for (Index i = 0; i < points; ++i) {
      curve["x"].push_back(number(at[i]));
      curve["y"].push_back(number(value(i, Index(c))));
      const bool band = said.lower.size() > 0 && alone;
      curve["lower"].push_back(band ? number(said.lower(i, Index(c))) : Json(nullptr));
      curve["upper"].push_back(band ? number(said.upper(i, Index(c))) : Json(nullptr));
      curve["of"].push_back(outputs[c]);
    }
  std::vector<double> x, y;
  std::vector<Index> drawn;
  for (const Index i : drawn_rows(about, most_points)) {
    double t = std::nan("");
    if (model.task == Task::binary && !about.rows.label.empty())
      t = about.rows.label[std::size_t(i)] == 1 ? 1.0 : 0.0;
    else if (model.classes.empty() && about.rows.target.size() > 0)
      t = about.rows.target(i, 0);
    if (!std::isfinite(t)) continue;
    x.push_back(values[i]);
    y.push_back(t);
    drawn.push_back(i);
  }
  Json rows{{"x", numbers(x)}, {"y", numbers(y)}};
  if (Json size = dot_sizes(about.rows.weight, drawn); !size.is_null()) rows["size"] = std::move(size);
  const std::string name = brief(column.name, 40), what = told_name(model);
  std::string text = fmt::format("The {} along {}; dots are rows of the data.", what, name);
  if (said.lower.size() > 0)
    text += fmt::format(" The band is the interval for {} of new values, by held-out residuals.",
                        percent(model.intervals.level));
  return {chart(
      "fit", "Data and fit", text, {{"curve", std::move(curve)}, {"rows", std::move(rows)}}, "curve",
      {{"of", "of", false},
       {"x", name, true, format_of(column)},
       {"y", what, true, ".5~g"},
       {"lower", "lower", true, ".5~g"},
       {"upper", "upper", true, ".5~g"}},
      {{"xname", name},
       {"dates", dates_of({{"x", &column}})},
       {"legend", !alone},
       {"yname", model.classes.empty() && !model.target_names.empty() ? brief(model.target_names[0], 40) : what}})};
}

std::vector<Json> two_columns(const Subject& about, const std::vector<InputColumn>& columns) {
  const Model& model = about.model;
  constexpr Index side = 45;
  const Vector first = column_values(columns[0], about.rows.X), second = column_values(columns[1], about.rows.X);
  const Range rx = range_of(first), ry = range_of(second);
  const Vector x = Vector::LinSpaced(side, rx.low, rx.high), y = Vector::LinSpaced(side, ry.low, ry.high);
  Vector at_x(side * side), at_y(side * side);
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) at_x[i * side + j] = x[i], at_y[i * side + j] = y[j];
  const Predictions said =
      predict(model, rows_at(about.rows.X, {&columns[0], &columns[1]}, {at_x, at_y}), offsets(about, side * side));
  const Matrix value = told(model, said);
  const std::vector<std::string> outputs = briefly(told_outputs(model), 30);
  const std::string names[] = {brief(columns[0].name, 40), brief(columns[1].name, 40)};
  const std::vector<std::string> classes = briefly(model.classes, 30);
  std::vector<Json> charts;
  for (std::size_t k = 0; k < std::min(most_maps, about.outputs_drawn.size()); ++k) {
    const auto c = Index(about.outputs_drawn[k]);
    Matrix height(side, side);
    for (Index i = 0; i < side; ++i)
      for (Index j = 0; j < side; ++j) height(i, j) = value(i * side + j, c);
    Json cells = map_cells(x, y, height);
    Json rows = columns_of({"x", "y", "class"});
    for (const Index i : drawn_rows(about, 600)) {
      const int label = about.rows.label.empty() ? -1 : about.rows.label[std::size_t(i)];
      rows["x"].push_back(number(first[i]));
      rows["y"].push_back(number(second[i]));
      const bool known = label >= 0 && std::size_t(label) < model.classes.size();
      rows["class"].push_back(known ? classes[std::size_t(label)] : "rows");
    }
    const bool probability = told_name(model) == "probability";
    const std::string of = fmt::format("{} of {}", told_name(model), outputs[std::size_t(c)]);
    const std::vector<Column> table = map_columns(names[0], names[1], of, format_of(columns[0]), format_of(columns[1]));
    Json signals{{"xname", names[0]},
                 {"yname", names[1]},
                 {"dates", dates_of({{"x", &columns[0]}, {"y", &columns[1]}})},
                 {"zname", of}};
    if (model.classes.empty()) {
      charts.push_back(chart("heights", fmt::format("A map of the {}", of),
                             fmt::format("Predictions over {} and {}; dots are rows of the data.", names[0], names[1]),
                             {{"cells", std::move(cells)}, {"rows", std::move(rows)}}, "cells", table, signals));
      continue;
    }
    const double middle = probability ? 0.5 : 0.0;
    signals["middle"] = middle;
    charts.push_back(
        chart("map", fmt::format("A map of the {}", of),
              fmt::format("Over {} and {}; on the dark line it is {}. Marks are rows of the data{}.", names[0],
                          names[1], probability ? "one half" : "0", about.rows.size() > 600 ? ", 600 of them" : ""),
              {{"cells", std::move(cells)}, {"half", lines_at(x, y, height, middle)}, {"rows", std::move(rows)}},
              "cells", table, signals));
  }
  if (charts.size() == 1) return charts;
  return {grid(std::move(charts))};
}

// How far the lines of a column that are drawn move up and down.
double drawn_range(const Explanation& e, const std::string& column, const std::vector<std::size_t>& outputs) {
  double out = 0.0;
  for (const std::size_t output : outputs) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const CurvePoint& p : e.curves)
      if (p.column == column && std::size_t(p.output) == output)
        low = std::min(low, p.mean), high = std::max(high, p.mean);
    if (high > low) out = std::max(out, high - low);
  }
  return out;
}

Json effect_chart(const Explanation& e, const InputColumn& column, const Vector& values,
                  const std::vector<std::size_t>& outputs) {
  const bool bands = outputs.size() <= 3;  // more cover one another
  const char* key = column.categorical ? "level" : "x";
  Json data = columns_of({key, "y", "lower", "upper", "of"});
  const std::vector<std::string> levels = briefly(column.levels, 24), of = briefly(e.outputs, 24);
  const auto level = [&](const std::string& said) {
    const auto at = std::ranges::find(column.levels, said);
    return at == column.levels.end() ? brief(said, 24) : levels[std::size_t(at - column.levels.begin())];
  };
  for (const CurvePoint& p : e.curves) {
    if (p.column != column.name || std::ranges::find(outputs, std::size_t(p.output)) == outputs.end()) continue;
    data[key].push_back(column.categorical ? Json(level(p.value)) : number(p.at));
    data["y"].push_back(number(p.mean));
    data["lower"].push_back(bands ? number(p.lower) : Json(nullptr));
    data["upper"].push_back(bands ? number(p.upper) : Json(nullptr));
    data["of"].push_back(of[std::size_t(p.output)]);
  }
  const std::string name = brief(column.name, 40), mean = "mean " + e.predicts;
  const std::string band = bands ? "; the band holds 80 of 100 rows" : "";
  const std::vector<Column> table{{key, name, !column.categorical, format_of(column)},
                                  {"of", "of", false},
                                  {"y", mean, true, ".4~g"},
                                  {"lower", "10 %", true, ".4~g"},
                                  {"upper", "90 %", true, ".4~g"}};
  if (column.categorical)
    return chart("levels", name, fmt::format("Mean over rows at each level{}.", band), {{"levels", std::move(data)}},
                 "levels", table, {{"xname", mean}, {"legend", e.outputs.size() > 1}});
  std::vector<double> rug;
  for (const Index i : thinned(values.size(), 120)) rug.push_back(values[i]);
  return chart("effect", name, fmt::format("Mean over rows{}. Ticks are the data.", band),
               {{"curve", std::move(data)}, {"rug", {{"x", numbers(rug)}}}}, "curve", table,
               {{"yname", mean}, {"dates", dates_of({{"x", &column}})}, {"legend", e.outputs.size() > 1}});
}

Json importance_chart(const ImportanceReport& report) {
  Json bars = columns_of({"name", "value", "lower", "upper", "se"});
  constexpr std::size_t most = 25;
  std::vector<std::string> columns;
  for (const Importance& i : report.columns) columns.push_back(i.column);
  columns = briefly(columns, 30);
  for (std::size_t k = 0; k < std::min(most, report.columns.size()); ++k) {
    const Importance& i = report.columns[k];
    bars["name"].push_back(columns[k]);
    bars["value"].push_back(number(i.increase));
    bars["lower"].push_back(number(i.increase - i.standard_error));
    bars["upper"].push_back(number(i.increase + i.standard_error));
    bars["se"].push_back(number(i.standard_error));
  }
  return chart(
      "bars", "How much each column matters",
      fmt::format("By how much the {} of {} rows grows when the column is permuted, with one standard error{}.",
                  report.loss, report.how, report.columns.size() > most ? "; the largest 25" : ""),
      {{"bars", std::move(bars)}}, "bars",
      {{"name", "column", false}, {"value", "increase", true, ".4~g"}, {"se", "s.e.", true, ".2~g"}},
      {{"xname", fmt::format("increase of the {}", report.loss)}});
}

std::vector<Json> many_columns(const Subject& about, const std::vector<InputColumn>& columns) {
  ExplainOptions options;
  options.curves = true;
  options.rows = 200;
  options.permutations = 3;
  options.importance = about.rows.size() <= 2000 && columns.size() <= 60;
  options.observer = about.options.observer;
  const Explanation e = explain(about.model, about.rows, options);
  if (!e.missing.empty()) return {missing("Effects are", e.missing, "lacuna report MODEL DATA draws them.")};
  std::vector<Json> out, charts;
  if (!e.importance.columns.empty()) out.push_back(importance_chart(e.importance));
  struct Moved {
    std::vector<InputColumn>::const_iterator column;
    double range;
  };
  std::vector<Moved> drawn;
  for (const Effect& effect : e.effects) {
    const auto column = std::ranges::find(columns, effect.column, &InputColumn::name);
    // Columns of one name cannot be told apart in an explanation.
    if (column == columns.end() || std::ranges::find(drawn, column, &Moved::column) != drawn.end()) continue;
    drawn.push_back({column, drawn_range(e, effect.column, about.outputs_drawn)});
  }
  std::ranges::stable_sort(drawn, std::ranges::greater{}, &Moved::range);
  for (std::size_t k = 0; k < std::min(most_effects, drawn.size()); ++k)
    charts.push_back(
        effect_chart(e, *drawn[k].column, column_values(*drawn[k].column, about.rows.X), about.outputs_drawn));
  std::string text = fmt::format(
      "The {} when one column is set to each value in every row and the others stay as they are: "
      "means over {} rows, the columns that move it most first.",
      e.predicts, e.rows);
  if (columns.size() > charts.size())
    text += fmt::format(" {} of {} columns are drawn.", charts.size(), columns.size());
  if (!e.counted_by.empty()) text += fmt::format(" Rows count by {}.", e.counted_by);
  if (e.basis) text += " The rows are those of the basis.";
  out.push_back(words(text));
  out.push_back(grid(std::move(charts), true));
  return out;
}

}  // namespace

std::vector<Json> what_it_looks_like(const Subject& about) {
  if (!about.rows.missing.empty() || about.rows.size() == 0)
    return {missing("Drawings of what is predicted are",
                    about.rows.missing.empty() ? "the model keeps no rows" : about.rows.missing,
                    "lacuna report MODEL DATA draws them with rows of DATA.")};
  const std::vector<InputColumn> columns = input_columns(about.model);
  const bool numeric = std::ranges::none_of(columns, &InputColumn::categorical);
  std::vector<Json> out;
  if (columns.empty()) return out;
  if (columns.size() == 1 && numeric)
    out = one_column(about, columns[0]);
  else if (columns.size() == 2 && numeric)
    out = two_columns(about, columns);
  if (columns.size() == 1 && numeric) return out;
  for (Json& b : many_columns(about, columns)) out.push_back(std::move(b));
  return out;
}

}  // namespace lacuna::page

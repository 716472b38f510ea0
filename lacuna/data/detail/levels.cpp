#include "lacuna/data/detail/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {
namespace {

Levels number_levels(const Column& column, const std::vector<std::int64_t>& rows) {
  std::vector<double> values;
  for (const std::int64_t i : rows)
    if (const double x = column.number[std::size_t(i)]; !std::isnan(x)) values.push_back(x);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Levels out;
  for (const double x : values) out.names.push_back(number_text(x));
  for (const std::int64_t i : rows) {
    const double x = column.number[std::size_t(i)];
    const auto at = std::lower_bound(values.begin(), values.end(), x);
    out.of_row.push_back(std::isnan(x) ? -1 : std::int32_t(at - values.begin()));
  }
  return out;
}

Levels text_levels(const Column& column, const std::vector<std::int64_t>& rows) {
  std::vector<bool> occurs(column.levels.size());
  for (const std::int64_t i : rows)
    if (const std::int32_t c = column.code[std::size_t(i)]; c >= 0) occurs[std::size_t(c)] = true;
  Levels out;
  for (std::size_t c = 0; c < occurs.size(); ++c)
    if (occurs[c]) out.names.push_back(column.levels[c]);
  sort_labels(out.names);
  std::unordered_map<std::string_view, std::int32_t> rank;
  for (const std::string& level : out.names) rank.emplace(level, std::int32_t(rank.size()));
  std::vector<std::int32_t> new_code(column.levels.size(), -1);
  for (std::size_t c = 0; c < occurs.size(); ++c)
    if (occurs[c]) new_code[c] = rank.at(column.levels[c]);
  for (const std::int64_t i : rows) {
    const std::int32_t c = column.code[std::size_t(i)];
    out.of_row.push_back(c < 0 ? -1 : new_code[std::size_t(c)]);
  }
  return out;
}

}  // namespace

void require_all_levels(const Table& table, std::size_t j) {
  if (const Column& column = table.columns[j]; !column.levels_complete)
    fail_data(fmt::format("data: {}, {}: more than {} different texts are too many for rows that stay on disk",
                          table.source, column_words(table, j), column.levels.size()));
}

Levels levels_of(const Table& table, std::size_t j, const std::vector<std::int64_t>& rows) {
  require_all_levels(table, j);
  const LoadedColumn column(table, j);
  return column->is_text ? text_levels(*column, rows) : number_levels(*column, rows);
}

void refuse_stray_text(const Table& table, std::size_t j, const std::string& advice) {
  const TextCells& text = table.columns[j].text;
  if (!table.columns[j].is_text || text.numbers + text.dates == text.cells) return;
  const std::string where = place(table, text.first_stray, j), value = quoted(text.stray);
  if (2 * text.numbers > text.cells)
    fail_data(fmt::format("data: {}: {} is not a number, and {} of the column's {} cells are; {}", where, value,
                          text.numbers, text.cells, advice));
  if (2 * text.dates > text.cells)
    fail_data(fmt::format("data: {}: {} is no date that a calendar has, and {} of the column's {} cells are dates; {}",
                          where, value, text.dates, text.cells, advice));
  if (2 * text.other_decimals > text.cells) {
    const bool comma = text.stray.find(',') != std::string::npos;
    fail_data(fmt::format("data: {}: {} has a decimal {}; `decimal={}` reads such numbers; or {}", where, value,
                          comma ? "comma" : "point", comma ? "comma" : "point", advice));
  }
}

}  // namespace lacuna::detail

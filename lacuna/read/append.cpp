#include "lacuna/read/append.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

// A column of numbers without a single one, as the column of texts that it may be as well.
void become_text(Column& column) {
  column.is_text = true;
  column.code.assign(column.number.size(), -1);
  column.number = {};
}

void append_texts(Column& to, const Column& from) {
  std::unordered_map<std::string, std::int32_t> known;
  for (std::size_t c = 0; c < to.levels.size(); ++c) known.emplace(to.levels[c], std::int32_t(c));
  std::vector<std::int32_t> code;
  for (const std::string& level : from.levels) {
    const auto [at, fresh] = known.emplace(level, std::int32_t(to.levels.size()));
    if (fresh) to.levels.push_back(level);
    code.push_back(at->second);
  }
  for (const std::int32_t c : from.code) to.code.push_back(c < 0 ? c : code[std::size_t(c)]);
  to.levels_complete = to.levels_complete && from.levels_complete;
  if (to.text.first_stray < 0 && from.text.first_stray >= 0) {
    to.text.first_stray = std::int64_t(to.code.size() - from.code.size()) + from.text.first_stray;
    to.text.stray = from.text.stray;
  }
  to.text.cells += from.text.cells;
  to.text.numbers += from.text.numbers;
  to.text.dates += from.text.dates;
  to.text.other_decimals += from.text.other_decimals;
}

void append_column(const Table& table, Column& to, const Column& from, std::int64_t more) {
  const bool empty = to.missing == table.rows, nothing = from.missing == more;
  if (to.is_text != from.is_text && !empty && !nothing)
    fail_data(
        fmt::format("data: column {} holds numbers in one part of {} and texts in another", to.name, table.source));
  if (from.missing > 0 && to.missing == 0) to.first_missing = table.rows + from.first_missing;
  to.missing += from.missing;
  to.whole = (empty || to.whole) && (nothing || from.whole);
  to.dates = (empty ? from.dates : to.dates) && (nothing || from.dates);
  to.largest = std::max(to.largest, from.largest);
  if (from.is_text && !to.is_text) become_text(to);
  if (to.is_text && !from.is_text)
    to.code.insert(to.code.end(), std::size_t(more), -1);
  else if (to.is_text)
    append_texts(to, from);
  else
    to.number.insert(to.number.end(), from.number.begin(), from.number.end());
}

}  // namespace

void append_rows(Table& table, const Table& more) {
  if (table.columns.empty()) {
    table = more;
    return;
  }
  if (more.columns.size() != table.columns.size() || more.has_header != table.has_header)
    fail_data(fmt::format("data: {}: one part has {} columns and another {}", table.source, table.columns.size(),
                          more.columns.size()));
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Column* from = more.has_header ? more.find(table.columns[j].name) : &more.columns[j];
    if (from == nullptr)
      fail_data(fmt::format("data: {}: one part has no column {}", table.source, table.columns[j].name));
    append_column(table, table.columns[j], *from, more.rows);
  }
  for (std::int64_t i = 0; i < more.rows; ++i) table.line.push_back(table.rows + i + 1);
  table.rows += more.rows;
}

}  // namespace lacuna

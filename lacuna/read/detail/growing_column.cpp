#include "lacuna/read/detail/growing_column.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/read/cell.hpp"
#include "lacuna/read/date.hpp"

namespace lacuna::detail {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Growth::LevelKind kind_of(std::string_view cell, bool takes_dates, char decimal) {
  return {.number = read_cell(cell, decimal).kind == CellKind::number,
          .date = takes_dates && read_date(cell),
          .other_decimal = read_cell(cell, decimal == '.' ? ',' : '.').kind == CellKind::number};
}

void count_missing(Column& column, std::int64_t row) {
  if (column.missing++ == 0) column.first_missing = row;
}

}  // namespace

void grow_number(Column& column, Growth& growth, std::int64_t row, std::string_view cell_text, char decimal) {
  const Cell cell = read_cell(cell_text, decimal);
  switch (cell.kind) {
    case CellKind::number:
      column.number.push_back(cell.number);
      return;
    case CellKind::missing:
      count_missing(column, row);
      column.number.push_back(nan);
      return;
    case CellKind::not_finite:
      if (growth.offending_row < 0) {
        growth.offending_row = row;
        growth.offending_cell = cell_text;
      }
      column.number.push_back(nan);
      return;
    case CellKind::text:
      if (const auto days = growth.takes_dates ? read_date(cell_text) : std::nullopt) {
        if (growth.dates++ == 0) growth.first_date = row;
        column.number.push_back(*days);
        return;
      }
      column.is_text = true;
      column.number = {};
      return;
  }
}

void begin_text(Column& column) {
  column.missing = 0;
  column.first_missing = -1;
}

void grow_text(Column& column, Growth& growth, std::int64_t row, std::string_view cell, std::size_t most_levels,
               char decimal) {
  if (is_missing(cell)) {
    count_missing(column, row);
    column.code.push_back(-1);
    return;
  }
  Growth::LevelKind kind;
  if (const auto known = growth.codes.find(cell); known != growth.codes.end()) {
    column.code.push_back(known->second);
    kind = growth.kinds[std::size_t(known->second)];
  } else if (kind = kind_of(cell, growth.takes_dates, decimal); column.levels.size() < most_levels) {
    const auto code = std::int32_t(column.levels.size());
    column.code.push_back(code);
    column.levels.emplace_back(cell);
    growth.codes.emplace(cell, code);
    growth.kinds.push_back(kind);
  } else {
    column.code.push_back(-2);
    column.levels_complete = false;
  }
  TextCells& text = column.text;
  ++text.cells;
  text.numbers += kind.number;
  text.dates += kind.date;
  text.other_decimals += kind.other_decimal;
  if (text.first_stray < 0 && !kind.number && !kind.date) {
    text.first_stray = row;
    text.stray = cell;
  }
}

void note_values(Column& column, std::size_t first) {
  bool whole = column.whole;
  double largest = column.largest;
  for (std::size_t i = first; i < column.number.size(); ++i) {
    const double x = column.number[i];
    whole = whole && (x == std::floor(x) || std::isnan(x));
    largest = std::max(largest, std::abs(x));  // NaN leaves it as it is
  }
  column.whole = whole;
  column.largest = largest;
}

}  // namespace lacuna::detail

#include "lacuna/data/detail/encode_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {

double finite_value(const FeatureCode& feature, double x, const Table& table, std::int64_t row, std::size_t column) {
  const double value = encoded_value(feature, x);
  if (!(std::abs(value) <= largest_feature))
    fail_data(
        fmt::format("data: {}: {} is too large to be computed with: as a feature it is {:.3g}, and at most {:.0e} can "
                    "be; look for a mistake in the cell, or divide the column by a constant",
                    place(table, row, column), number_text(x), value, largest_feature));
  return value;
}

LevelOf::LevelOf(const Column& column, const ColumnCode& code) {
  if (!column.is_text) {
    for (std::size_t c = 0; c < code.levels.size(); ++c) {
      const Cell cell = read_cell(code.levels[c]);
      if (cell.kind != CellKind::number) continue;
      const auto [known, fresh] = of_value_.emplace(cell.number, std::int32_t(c));
      if (!fresh && code.levels[c] == number_text(cell.number)) known->second = std::int32_t(c);
    }
    return;
  }
  // Levels are found by their text; where one side was read as numbers, by their value.
  std::unordered_map<std::string, std::int32_t> by_text, by_value;
  const auto value_text = [](const std::string& level) {
    const Cell cell = read_cell(level);
    return cell.kind == CellKind::number ? number_text(cell.number) : level;
  };
  for (std::size_t c = 0; c < code.levels.size(); ++c) {
    by_text.emplace(code.levels[c], std::int32_t(c));
    by_value.emplace(value_text(code.levels[c]), std::int32_t(c));
  }
  for (const std::string& level : column.levels) {
    const auto text = by_text.find(level);
    const auto value = by_value.find(value_text(level));
    of_code_.push_back(text != by_text.end() ? text->second : value != by_value.end() ? value->second : -1);
  }
}

RawColumn raw_column(const Table& table, std::size_t j, const ColumnCode& code, const RowList& rows) {
  RawColumn out;
  if (!code.categorical) require_numeric(table, j, numbers_in_training);
  const LoadedColumn column(table, j);
  if (!code.categorical) {
    out.number.reserve(rows.size());
    for (const std::int64_t i : rows) {
      const double x = column->number[std::size_t(i)];
      out.number.push_back(std::isnan(x) ? code.fill : x);
      if (column->missing > 0) out.level.push_back(std::isnan(x) ? missing_level(code) : -1);
    }
    return out;
  }
  const LevelOf level_of(*column, code);
  out.level.reserve(rows.size());
  for (const std::int64_t i : rows) {
    const auto row = std::size_t(i);
    out.level.push_back(column->is_text ? level_of.code(column->code[row]) : level_of.value(column->number[row]));
    if (out.level.back() >= 0) continue;
    if (cell_missing(*column, i)) {
      out.level.back() = missing_level(code);
    } else if (out.unseen++ == 0) {
      out.first_unseen = i;
      out.first_text = cell_text(*column, i);
    }
  }
  return out;
}

void note_unseen(const Table& table, const ColumnCode& code, const RawColumn& raw, Warnings& notes) {
  if (raw.unseen > 0)
    notes.push_back(
        {Warning::Code::unseen_category,
         fmt::format("column {}: {} cell{} with a category not seen in training (first: {}, {}); encoded as none",
                     code.name, raw.unseen, raw.unseen == 1 ? "" : "s", quoted(raw.first_text),
                     place(table, raw.first_unseen))});
}

RowMatrix encode_rows(const Table& table, const Encoding& encoding, const std::vector<std::size_t>& source,
                      const RowList& rows, Warnings& notes) {
  RowMatrix X(Index(rows.size()), Index(encoding.features.size()));
  RawColumn raw;
  std::int32_t current = -1;
  for (std::size_t f = 0; f < encoding.features.size(); ++f) {
    const FeatureCode& feature = encoding.features[f];
    const auto k = std::size_t(feature.column);
    const ColumnCode& code = encoding.columns[k];
    if (feature.column != current) {
      raw = raw_column(table, source[k], code, rows);
      current = feature.column;
      note_unseen(table, code, raw, notes);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      X(Index(i), Index(f)) = finite_value(feature, raw.at(i, feature), table, rows[i], source[k]);
    }
  }
  return X;
}

}  // namespace lacuna::detail

#include "lacuna/read/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lacuna/base/shown.hpp"

namespace lacuna::detail {

std::string quoted(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 60);
  while (end > 57 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80)
    --end;  // whole UTF-8
  return fmt::format("\"{}{}\"", shown(text.substr(0, end)), end < text.size() ? "..." : "");
}

std::string place(std::string_view source, std::int64_t line, std::size_t column, std::string_view name) {
  std::string out = fmt::format("{} line {}, column {}", source, line, column + 1);
  if (!name.empty()) out += fmt::format(" ({})", name);
  return out;
}

std::string place(const Table& table, std::int64_t row) {
  // A table that was not read from a file has no lines; its rows are then counted from 1.
  if (row >= table.line.size()) return fmt::format("{} row {}", table.source, row + 1);
  return fmt::format("{} line {}", table.source, table.line[row]);
}

std::string place(const Table& table, std::int64_t row, std::size_t column) {
  return fmt::format("{}, {}", place(table, row), column_words(table, column));
}

std::string column_words(const Table& table, std::size_t column) {
  if (!table.has_header) return fmt::format("column {}", column + 1);
  return fmt::format("column {} ({})", column + 1, table.columns[column].name);
}

std::string cell_text(const Column& column, std::int64_t row) {
  const auto i = std::size_t(row);
  if (!column.is_text) return std::isnan(column.number[i]) ? "" : number_text(column.number[i]);
  return column.code[i] < 0 ? "" : column.levels[std::size_t(column.code[i])];
}

std::optional<std::size_t> find_column(const Table& table, std::string_view given) {
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (table.columns[j].name == given) return j;
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(given.data(), given.data() + given.size(), index);
  if (code != std::errc() || end != given.data() + given.size()) return std::nullopt;
  if (index < 1 || index > table.columns.size()) return std::nullopt;
  return index - 1;
}

}  // namespace lacuna::detail

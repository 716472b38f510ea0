#include "lacuna/data/detail/place.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "lacuna/data/dataset.hpp"

namespace lacuna::detail {

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", unsigned(byte));
    else
      out += c;
  }
  if (text.size() > longest) out += "...";
  return out + "\"";
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

// data/read_weights.cpp (of dataset.hpp) -- what new rows count by, where their table says it.
#include <fmt/format.h>

#include <optional>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

std::optional<std::size_t> weight_place(const Table& table, const Encoding& encoding) {
  if (encoding.weight_column.empty()) return {};
  if ((table.has_header && encoding.has_names) || table.sparse) {
    const Column* column = table.find(encoding.weight_column);
    if (column == nullptr) return {};
    return std::size_t(column - table.columns.data());
  }
  if (std::size_t(encoding.table_columns) != table.columns.size()) return {};
  return std::size_t(encoding.weight_position);
}

}  // namespace

Vector read_weights(const Table& table, const Encoding& encoding, const std::vector<std::int64_t>& source_row) {
  const std::optional<std::size_t> j = weight_place(table, encoding);
  if (!j) return {};
  std::vector<std::int64_t> rows;
  for (const std::int64_t row : source_row) rows.push_back(row - 1);
  detail::check_weights(table, *j, rows);
  if (const auto gap = detail::first_missing(table, {*j}, rows); gap.row >= 0)
    fail_data(fmt::format("data: {}: the cell is missing, and the model was trained with rows counted by this column",
                          detail::place(table, gap.row, *j)));
  Vector out = detail::gather(table, *j, rows);
  take_unit_out(out);
  return out;
}

}  // namespace lacuna

#include "lacuna/data/prices.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

std::size_t price_column(const Table& table, const std::string& name) {
  if (!table.has_header)
    fail_data(fmt::format("data: {} has no column names, and the column of prices {} goes by its name", table.source,
                          detail::quoted(name)));
  if (const Column* column = table.find(name)) return std::size_t(column - table.columns.data());
  std::vector<std::string> names;
  for (const Column& c : table.columns) names.push_back(c.name);
  fail_data(fmt::format("data: {} has no column {}, which says what mistakes about each row cost{}", table.source,
                        detail::quoted(name), did_you_mean(name, names)));
}

}  // namespace

RowPrices take_rows(const RowPrices& prices, std::span<const Index> rows) {
  if (prices.empty()) return {};
  RowPrices out{prices.name, Matrix(Index(rows.size()), prices.value.cols())};
  for (std::size_t k = 0; k < rows.size(); ++k) out.value.row(Index(k)) = prices.value.row(rows[k]);
  return out;
}

RowPrices read_prices(const Table& table, const std::vector<std::string>& names,
                      const std::vector<std::int64_t>& rows) {
  if (names.empty()) return {};
  RowPrices out{names, Matrix(Index(rows.size()), Index(names.size()))};
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::size_t j = price_column(table, names[c]);
    detail::require_numeric(table, j, "prices must be numbers");
    if (const auto gap = detail::first_missing(table, {j}, rows); gap.row >= 0)
      fail_data(fmt::format("data: {}: the cell is missing, and it says what a mistake about this row costs",
                            detail::place(table, gap.row, j)));
    out.value.col(Index(c)) = detail::gather(table, j, rows);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (const double price = out.value(Index(k), Index(c)); price < 0.0)
        fail_data(fmt::format("data: {}: {} is negative, and no mistake costs less than nothing",
                              detail::place(table, rows[k], j), number_text(price)));
  }
  return out;
}

}  // namespace lacuna

// data/prices.hpp -- what single rows say that mistakes about them cost: columns of numbers, by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

struct RowPrices {
  std::vector<std::string> name{};  ///< of the columns, each once; none: rows have no prices of their own
  Matrix value{};                   ///< l x columns, >= 0
  bool empty() const { return name.empty(); }
  bool operator==(const RowPrices&) const = default;
};

/// Some of the rows, in the order given.
RowPrices take_rows(const RowPrices& prices, std::span<const Index> rows);

/// The columns of these names in these rows of the table (from 0). Throws Error(data) for a column that is not there,
/// and for a cell that is missing, no number, or negative.
RowPrices read_prices(const Table& table, const std::vector<std::string>& names,
                      const std::vector<std::int64_t>& rows);

}  // namespace lacuna

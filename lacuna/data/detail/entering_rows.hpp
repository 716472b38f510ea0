// data/detail/entering_rows.hpp -- which rows enter: not those of weight 0, nor (Missing::drop) those with a missing
// cell. Rows of weight 0 go first, so that nothing in them matters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/data/detail/roles.hpp"

namespace lacuna::detail {

inline bool cell_missing(const Column& column, std::int64_t row) {
  const auto i = std::size_t(row);
  return column.is_text ? column.code[i] == -1 : column.number[i] != column.number[i];
}

struct MissingCell {
  std::int64_t row = -1;  ///< -1: none
  std::size_t column = 0;
};
/// The first missing cell of these columns in these rows, in reading order.
MissingCell first_missing(const Table& table, const std::vector<std::size_t>& columns,
                          const std::vector<std::int64_t>& rows);
/// The rows without a missing cell in these columns. Notes how many were left out.
std::vector<std::int64_t> without_gaps(const Table& table, const std::vector<std::size_t>& columns,
                                       std::vector<std::int64_t> rows, Warnings& notes);

/// All rows of the table.
std::vector<std::int64_t> all_rows(const Table& table);

/// Rows of the table (from 0) that stay, ascending; at least one. Throws Error(data) for weights that are negative, not
/// numbers or all zero, and for missing cells that the policy does not allow.
std::vector<std::int64_t> kept_rows(const Table& table, const Roles& roles, Missing missing, Warnings& notes);

/// Features of which the table holds a value: a gap in another one leaves no row out.
std::vector<std::size_t> features_with_values(const Table& table, const Roles& roles);

/// The same for a part of a table, of which no row need stay, with a look at these features.
std::vector<std::int64_t> kept_rows_of_part(const Table& table, const Roles& roles, Missing missing,
                                            const std::vector<std::size_t>& features, Warnings& notes);

/// The numbers of a column in these rows.
Vector gather(const Table& table, std::size_t column, const std::vector<std::int64_t>& rows);

/// Whether some weight of these rows is above 0. Throws Error(data) for weights that are negative or no numbers.
bool check_weights(const Table& table, std::size_t column, const std::vector<std::int64_t>& rows);

/// Refuses a column that must hold numbers and does not, naming its first text and the rule.
void require_numeric(const Table& table, std::size_t column, const char* rule);

}  // namespace lacuna::detail

// data/detail/levels.hpp -- the distinct values of a column (labels, groups, categories), in natural order, and the
// text columns that are no such thing: columns of numbers with a stray word, or with decimal commas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/read/table.hpp"

namespace lacuna::detail {

/// Refuses a text column of which not all texts could be kept.
void require_all_levels(const Table& table, std::size_t column);

struct Levels {
  std::vector<std::string> names;    ///< natural order; only those that occur in the rows
  std::vector<std::int32_t> of_row;  ///< index into names for each of the rows; -1: missing
};
/// Throws Error(data) for a column with more texts than could be kept.
Levels levels_of(const Table& table, std::size_t column, const std::vector<std::int64_t>& rows);

/// Refuses a text column more than half of whose cells (but not all: then it was declared text) are numbers, naming the
/// first that is none; likewise numbers with decimal commas. `advice` ends the message.
void refuse_stray_text(const Table& table, std::size_t column, const std::string& advice);

}  // namespace lacuna::detail

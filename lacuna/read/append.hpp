// read/append.hpp -- parts of one table joined.
#pragma once

#include "lacuna/read/table.hpp"

namespace lacuna {

/// Adds the rows of another part of the same table: the same columns, each of numbers or of texts in both (a column
/// without a single cell is of either). Requires: both in memory, without sparse rows. Throws Error(data).
void append_rows(Table& table, const Table& more);

}  // namespace lacuna

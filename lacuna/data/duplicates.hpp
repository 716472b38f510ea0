// data/duplicates.hpp -- rows that occur more than once. Leave-one-out sees the twin of a row it leaves out, so its
// estimates are then too hopeful; training warns.
#pragma once

#include "lacuna/data/rows.hpp"

namespace lacuna {

/// How many rows equal an earlier row in every element (so rows() minus this are distinct). 0 and -0 are equal, and a
/// zero that sparse rows write out equals one that they leave out. Cost: one pass, and O(rows) memory.
Index count_duplicate_rows(const RowsView& X);

}  // namespace lacuna

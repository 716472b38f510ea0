// data/duplicates.hpp -- rows that occur more than once. Leave-one-out sees the twin of a row it leaves out, so its
// estimates are then optimistic; training warns.
#pragma once

#include <vector>

#include "lacuna/data/dataset.hpp"
#include "lacuna/data/row_source.hpp"

namespace lacuna {

/// How many rows equal an earlier row in every element (so rows() minus this are distinct). 0 and -0 are equal, and a
/// zero that sparse rows write out equals one that they leave out. Cost: one pass, and O(rows) memory.
Index count_duplicate_rows(const RowsView& X);

/// For each row the first that has the same inputs, class or targets, offset and group: copies that are held out
/// together with it. Inputs are X, whatever `data` holds of them. Rows are told apart by 128 bits of them.
std::vector<Index> first_of_copies(const Dataset& data, const RowSource& X);

}  // namespace lacuna

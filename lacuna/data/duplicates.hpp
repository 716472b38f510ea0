// data/duplicates.hpp -- rows that occur more than once. Leave-one-out sees the twin of a row it leaves out, so its
// estimates are then optimistic; training warns.
#pragma once

#include <vector>

#include "lacuna/data/dataset.hpp"
#include "lacuna/data/row_source.hpp"

namespace lacuna {

/// For each row the first that has the same inputs, class or targets, offset and group: copies that are held out
/// together with it. Inputs are X, whatever `data` holds of them. 0 and -0 are equal, and a zero that sparse rows write
/// out equals one that they leave out. Rows are told apart by 128 bits of them. Cost: one pass, and O(rows) memory.
std::vector<Index> first_of_copies(const Dataset& data, const RowSource& X);
/// How many rows are copies of an earlier one. Equal inputs with other targets are none: few features of few values
/// repeat by themselves.
Index count_copies(const Dataset& data);

}  // namespace lacuna

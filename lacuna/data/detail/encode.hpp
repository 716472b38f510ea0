// data/detail/encode.hpp -- what encode() does wherever the inputs will live.
#pragma once

#include "lacuna/data/detail/encode_rows.hpp"

namespace lacuna::detail {

/// Decides roles, rows, targets, weights and the encoding. Returns the rows of the table that stay, ascending.
RowList encode_all_but_inputs(const Table& table, const DataOptions& options, Dataset& data, Encoding& encoding);

}  // namespace lacuna::detail

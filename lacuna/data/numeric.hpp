// data/numeric.hpp -- rows of numbers that are in memory already (an array, not a table) as encoded rows. The encoding
// is the one that encode() learns from a table with these columns and complete cells, so that a model of arrays
// predicts tables and the other way round; but nothing is copied on the way to the encoded rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lacuna/data/dataset.hpp"

namespace lacuna {

/// `names`: one for each column, or none (they are then x1, x2, ...). `weights`: one for each row, > 0, or none. Of the
/// options `standardise` and `encode_features` matter. Constant features are left out with a note; no feature left is
/// Error(data), and so is an element that is not finite.
Encoding learn_numeric(const RowsView& X, std::span<const std::string> names, const Vector& weights,
                       const DataOptions& options, Warnings& notes);

/// Other rows with the same columns through that encoding. Throws Error(data) for another number of columns.
Rows encode_numeric(const RowsView& X, const Encoding& encoding);

}  // namespace lacuna

// data/detail/features.hpp -- from columns to features: learning an encoding from a training table, and carrying it
// out. Dense tables here; sparse rows in data/detail/sparse_features.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/data/detail/roles.hpp"

namespace lacuna::detail {

using RowList = std::vector<std::int64_t>;

/// Columns, levels, fills and moments from these rows. `weights` is empty (all 1) or one for each row.
/// Constant features are left out with a note; no feature left is an error.
void learn_features(const Table& table, const Roles& roles, const DataOptions& options, const RowList& rows,
                    const Vector& weights, Encoding& encoding, std::vector<std::string>& notes);

/// One column of the table in the encoding's terms: its numbers with missing ones filled in, or the features' levels
/// (-1: missing or not seen in training). Unseen categories are counted, the first is remembered.
struct RawColumn {
  std::vector<double> number;
  std::vector<std::int32_t> level;
  std::int64_t unseen = 0;
  std::int64_t first_unseen = -1;  ///< row of the table
};
RawColumn raw_column(const Table& table, std::size_t column, const ColumnCode& code, const RowList& rows);

/// The encoded rows. `source[k]` is the table's column for encoding.columns[k]; columns no feature uses are not looked
/// at. Throws Error(data) for a number so large that its feature is not finite.
RowMatrix encode_rows(const Table& table, const Encoding& encoding, const std::vector<std::size_t>& source,
                      const RowList& rows, std::vector<std::string>& notes);

}  // namespace lacuna::detail

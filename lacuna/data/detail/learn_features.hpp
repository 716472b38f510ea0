// data/detail/learn_features.hpp -- from columns to features: learning an encoding from a training table. Dense tables here;
// sparse rows in data/detail/sparse_features.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/data/detail/roles.hpp"

namespace lacuna::detail {

/// Columns, levels, fills and moments from these rows. `weights` is empty (all 1) or one for each row.
/// Constant features are left out with a note; no feature left is an error.
void learn_features(const Table& table, const Roles& roles, const DataOptions& options, const RowList& rows,
                    const Vector& weights, Encoding& encoding, Warnings& notes);

/// Says which features were left out as constant; Error(data) when no other is left.
void note_constant(const std::vector<std::string>& constant, const std::string& source, const Encoding& encoding,
                   Warnings& notes);

}  // namespace lacuna::detail

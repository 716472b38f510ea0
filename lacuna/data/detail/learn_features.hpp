// data/detail/learn_features.hpp -- from columns to features: learning an encoding from a training table. Dense tables
// here; sparse rows in data/detail/sparse_features.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/data/detail/roles.hpp"
#include "lacuna/data/standardise.hpp"

namespace lacuna::detail {

/// Columns, levels, fills and moments from these rows. `weights` is empty (all 1) or one for each row.
/// Constant features are left out with a note; no feature left is an error.
void learn_features(const Table& table, const Roles& roles, const DataOptions& options, const RowList& rows,
                    const Vector& weights, Encoding& encoding, Warnings& notes);

/// What is to be known of a column of features before it has a code.
struct ColumnFacts {
  std::string name{};
  std::string words{};  ///< what messages call it
  std::int32_t position = 0;
  bool categorical = false;
  bool dates = false;
  bool digits_of_days = false;        ///< all numbers look like 20210403
  std::int64_t missing = 0;           ///< cells
  double missing_share = 0.0;         ///< of the weight, their rows'
  Moments present{}, complete{};      ///< numbers: without these cells, and with the mean in their place
  std::string twin{};                 ///< numbers: an earlier column with the same ones; empty: none
  std::vector<std::string> levels{};  ///< categories, in their order ...
  std::vector<double> share{};        ///< ... and the share of the weight that each has
};
/// The same from facts that come from elsewhere, of so many rows.
void learn_features(std::vector<ColumnFacts> columns, const std::string& source, std::int64_t rows,
                    const DataOptions& options, Encoding& encoding, Warnings& notes);

/// Says which features were left out as constant; Error(data) when no other is left.
void note_constant(const std::vector<std::string>& constant, const std::string& source, const Encoding& encoding,
                   Warnings& notes);

}  // namespace lacuna::detail

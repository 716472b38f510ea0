// data/detail/roles.hpp -- which column is what: target, weights, group, offset, ignored; every other is a feature.
// A column has one role (the training and selection weights may be the same column); prices of mistakes are besides.
#pragma once

#include <optional>
#include <vector>

#include "lacuna/data/dataset.hpp"

namespace lacuna::detail {

struct Roles {
  std::vector<std::size_t> targets;
  std::vector<std::size_t> features;  ///< ascending
  std::vector<bool> categorical;      ///< one for each column of the table: declared so
  std::vector<std::size_t> prices;    ///< whatever else these columns are
  std::optional<std::size_t> weights, train_weights, select_weights, group, offset, exposure;
};

/// Throws Error(usage) for unknown columns (suggesting the nearest name) and for columns with two roles.
Roles assign_roles(const Table& table, const DataOptions& options);

}  // namespace lacuna::detail

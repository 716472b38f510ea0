// data/detail/target.hpp -- what is to be learned: the task, and labels or real targets.
//
//   asked for          classification, regression or counts, if the column can serve
//   otherwise          text, and numbers with exactly two distinct values: classes; other numbers: regression
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/data/detail/roles.hpp"

namespace lacuna::detail {

/// Fills task, classes, label, targets, target_names of `data` for these rows, and adds notes.
void encode_target(const Table& table, const Roles& roles, const DataOptions& options,
                   const std::vector<std::int64_t>& rows, Dataset& data);

}  // namespace lacuna::detail

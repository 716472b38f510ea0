// evaluate/detail/common_rows.hpp -- what all contenders have in common: the rows that they are judged on, the groups
// that stay together, and the splits.
#pragma once

#include <vector>

#include "lacuna/evaluate/evaluate.hpp"

namespace lacuna::detail {

/// Throws Error(usage) for no contender, equal ones, and kernels that cannot be split.
void check_contenders(const std::vector<Contender>& contenders);

/// Groups that one contender knows of hold for all, in the splits and in the selection inside them; their column is an
/// input of none. Throws Error(usage) where they know of different ones.
std::vector<Contender> with_groups(std::vector<Contender> contenders);

/// Columns of prices that one contender decides by are read for all, since contenders may share a fit.
std::vector<Contender> with_prices(std::vector<Contender> contenders);

/// Rows that some contender leaves out (missing cells, weight 0) are left out for all. Encoded as the first asks.
Dataset rows_of_all(const Table& table, const std::vector<Contender>& contenders);

/// The splits of the plan among these rows; `count`: how many random ones. Throws Error(data) when they need more
/// memory than is allowed, divide a group, or leave nothing to train or test.
std::vector<TrainTest> splits_of(const Table& table, const EvaluateOptions& options, const Dataset& all, int count);

}  // namespace lacuna::detail

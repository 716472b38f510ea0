// curves/independent.hpp -- how many rows that are independent of one another say as much as these do. Rows of one
// group (one patient, one day) are alike, and a share of n of them is known as well as that of
//
//   n_eff = p (1 - p)/se^2   rows, with p the share and se its standard error over groups (base/paired.hpp);
//
// as many as there are groups where all rows agree, which leaves nothing to measure by.
#pragma once

#include <span>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Of `rows`, whose `hit` is 0 or 1; each counts by its weight. Without groups: the rows that weights count. At least
/// one, unless there are no rows.
double independent_rows(const Vector& hit, const Vector& weight, const std::vector<int>& group,
                        std::span<const Index> rows);
/// Of all rows.
double independent_rows(const Vector& hit, const Vector& weight, const std::vector<int>& group);

}  // namespace lacuna

// model/finite.hpp -- outputs that are no numbers: a row of extreme values can be too far away for a kernel that grows
// with its rows. Nothing can be said about such a row, and it is refused by its number rather than answered with
// nothing.
#pragma once

#include <cstdint>
#include <span>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// Throws Error(data) naming the first row whose outputs, or their variances where there are any, are not all finite.
/// `row` numbers the rows; empty: from 1.
void require_finite(const Model& model, const Matrix& output, const Matrix& variance,
                    std::span<const std::int64_t> row);

}  // namespace lacuna

// data/detail/offset.hpp -- the known part of the output: an offset column as it is, or log(exposure).
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/read/table.hpp"

namespace lacuna::detail {

/// Requires: no missing cell in these rows. Throws Error(data) for text, and for exposures that are not positive.
Vector read_offset(const Table& table, std::size_t column, bool is_exposure, const std::vector<std::int64_t>& rows);

}  // namespace lacuna::detail

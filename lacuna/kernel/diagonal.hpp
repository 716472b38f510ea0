// kernel/diagonal.hpp -- k(x, x) of every row.
#pragma once

#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

Vector kernel_diagonal(const Kernel& kernel, const RowsView& X);

}  // namespace lacuna

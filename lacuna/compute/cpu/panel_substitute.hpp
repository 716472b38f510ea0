// compute/cpu/panel_substitute.hpp -- X := X L^-T for a tall X, by substitution at the speed of a matrix product.
#pragma once

#include "lacuna/base/matrix.hpp"

namespace lacuna::compute::cpu {

/// The longest row of X.
inline constexpr Index kPanel = 384;

/// X is m x n; L is the lower triangle of the pair P (triangular.hpp) of order n <= kPanel. n^2 m flops.
void substitute_panel(Index n, const double* P, Index ld, Index m, double* X, Index ldx);

}  // namespace lacuna::compute::cpu

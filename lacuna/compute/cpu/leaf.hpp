// compute/cpu/leaf.hpp -- the bottom of the recursion in triangular.cpp: blocks of at most kLeaf rows, where BLAS and
// LAPACK run at a fraction of their speed. Our own vector loops, for the widest registers the processor has.
#pragma once

#include "lacuna/base/matrix.hpp"

namespace lacuna::compute::cpu {

/// Rows of a leaf.
inline constexpr Index kLeaf = 32;

/// L and S of a pair (triangular.hpp) of order n <= kLeaf, in one elimination. Write column k of the square as w: above
/// the diagonal the part of S' found so far, below it what is left of A. Step k scales w by 1/sqrt(w_k), which
/// completes column k of both L and S', and subtracts w_i w from every later column i. n^3 flops instead of 2/3 n^3,
/// but all in full vectors. Returns 0, or the order of the first leading minor that is not positive.
Index factor_and_invert_leaf(Index n, double* P, Index ld);

enum class Side { lower, lower_transposed };

/// X := L^-1 X (Side::lower_transposed) or X := L^-T X (Side::lower) by substitution, n <= kLeaf the order of the pair;
/// X is n x m. (Named for the transpose, X' L^-T or X' L^-1, whose rows are solved side by side.) n^2 m flops.
void substitute_leaf(Side side, Index n, const double* P, Index ld, Index m, double* X, Index ldx);

}  // namespace lacuna::compute::cpu

// compute/cpu/transpose.hpp -- transposed copies of column-major matrices, at the speed of memory rather than of
// strides.
#pragma once

#include "lacuna/base/matrix.hpp"

namespace lacuna::compute::cpu {

/// B := A', A is m x n, B is n x m; they must not overlap.
void transpose(Index m, Index n, const double* A, Index lda, double* B, Index ldb);

/// Copies the lower triangle of an n x n matrix onto its upper one.
void mirror_lower(Index n, double* C, Index ldc);
/// Copies the upper triangle of an n x n matrix onto its lower one.
void mirror_upper(Index n, double* C, Index ldc);

}  // namespace lacuna::compute::cpu

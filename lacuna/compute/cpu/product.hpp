// compute/cpu/product.hpp -- C := C + alpha A B', or the lower triangle of it, for the column panels that
// triangular.cpp meets: panels that end in a triangle, and panels picked and weighted column by column.
//
// Why not dgemm and dsyrk: they know no panel that ends in a triangle, so that one panel takes several calls and
// copies, and their small products are slow (docs/decisions/2026-11-16-arithmetic-by-hand.md has the figures). With
// vectors of 2 doubles (no AVX2) this is written to be right, not fast. As in any dgemm the operands are packed into
// the order in which the innermost loop (microkernel.hpp) reads them.
#pragma once

#include <limits>

#include "lacuna/base/matrix.hpp"

namespace lacuna::compute::cpu {

enum class Part { all, lower };

/// Rows x k, column-major. Rows from `whole` on begin later and later, as in a triangle: row i at column i - whole.
/// What is stored before that is not read.
struct Panel {
  const double* data;
  Index ld;
  Index whole = std::numeric_limits<Index>::max() / 2;
};

/// Columns to use, in this order, instead of 0 .. k - 1, and the weight of each: A diag(weight) B'.
struct Columns {
  const Index* which;
  const double* weight;
};

/// Rows of C from this on are overwritten with the product instead of added to: they may hold anything before.
inline constexpr Index kNoRow = std::numeric_limits<Index>::max() / 2;

/// C is m x n; the lower triangle includes the diagonal and leaves the upper one alone. Each entry is summed in the
/// same order whatever the number of threads. C must not overlap what is read of A and B.
void add_product(Part part, Index m, Index n, Index k, double alpha, const Panel& A, const Panel& B, double* C,
                 Index ldc, Index fresh_from = kNoRow, const Columns* columns = nullptr);

}  // namespace lacuna::compute::cpu

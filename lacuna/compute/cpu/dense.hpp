// compute/cpu/dense.hpp -- plain dense matrices in and out, on BLAS and LAPACK: for this back end itself, and for
// studies and tests that want to look at a whole matrix. Algorithms use the door (compute.hpp), which hands out none.
#pragma once

#include "lacuna/base/rows.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna::compute::cpu {

/// k(x_i, y_j), from exact distances (tiles.hpp).
Matrix kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y);
RowMatrix dense_copy(const RowsView& X);
/// As Backend::squared_slopes (slopes.cpp).
Vector squared_slopes(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A,
                      const Vector& weights);
/// A B.
Matrix multiply(const Matrix& A, const Matrix& B);
/// S += V diag(w) V', w of any sign; the lower triangle counts. An empty S begins at zero.
void add_square(const Matrix& V, const Vector& w, Matrix& S);

/// Eigenvalues (ascending) and eigenvectors (columns) of a symmetric matrix, of which the lower triangle counts.
struct Spectrum {
  Vector omega;
  Matrix U;  ///< not set when only the values were asked for
};
Spectrum spectrum(Matrix A, bool vectors = true);

}  // namespace lacuna::compute::cpu

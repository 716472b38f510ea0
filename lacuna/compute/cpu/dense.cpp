#include "lacuna/compute/cpu/dense.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/cpu/tiles.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {

RowMatrix dense_copy(const RowsView& X) {
  RowMatrix out(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) dense_row(X, i, out.row(i).data());
  return out;
}

Matrix kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y) {
  if (X.is_sparse() != Y.is_sparse())  // tiles want rows of one kind
    return X.is_sparse() ? kernel_matrix(kernel, dense_copy(X), Y) : kernel_matrix(kernel, X, dense_copy(Y));
  const KernelTiles tiles(kernel, X, Y, Distances::exact);
  Matrix K(X.rows(), Y.rows());
  const Index columns = (K.cols() + kTile - 1) / kTile, rows = (K.rows() + kTile - 1) / kTile;
  parallel_for(columns * rows, [&](Index k) {
    const Index i0 = k % rows * kTile, j0 = k / rows * kTile;
    tiles.evaluate(i0, std::min(kTile, K.rows() - i0), j0, std::min(kTile, K.cols() - j0), &K(i0, j0), K.rows());
  });
  return K;
}

Matrix multiply(const Matrix& A, const Matrix& B) {
  Matrix C(A.rows(), B.cols());
  if (C.size() == 0) return C;
  if (A.cols() == 0) return C.setZero();
  gemm(Op::as_is, Op::as_is, C.rows(), C.cols(), A.cols(), 1.0, A.data(), A.rows(), B.data(), B.rows(), 0.0, C.data(),
       C.rows());
  return C;
}

void add_square(const Matrix& V, const Vector& w, Matrix& S) {
  const Index n = V.rows();
  if (S.size() == 0) S = Matrix::Zero(n, n);
  // The columns with w > 0, then those with w < 0.
  for (const double sign : {1.0, -1.0}) {
    Matrix scaled(n, V.cols());
    Index m = 0;
    for (Index j = 0; j < V.cols(); ++j)
      if (sign * w[j] > 0.0) scaled.col(m++) = std::sqrt(sign * w[j]) * V.col(j);
    if (m > 0) syrk_lower(n, m, sign, scaled.data(), n, 1.0, S.data(), n);
  }
}

Spectrum spectrum(Matrix A, bool vectors) {
  Spectrum out{Vector(A.rows()), std::move(A)};
  const int n = int(out.U.rows());
  const ThreadScope one_in_blas(0);
  if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, vectors ? 'V' : 'N', 'L', n, out.U.data(), n, out.omega.data()) != 0)
    fail_numerical("eigenvalues: LAPACK's dsyevd did not converge");
  return out;
}

}  // namespace lacuna::compute::cpu

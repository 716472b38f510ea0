// compute/cpu/blas.hpp -- what the cpu back end takes from BLAS, column-major. Large products are cut into strips
// that the threads of parallel.hpp share out, one BLAS thread each; so they neither spin while they wait for one
// another nor are out of reach of a request to stop. The cut depends on the number of threads alone: the same number
// gives the same bits.
#pragma once

#include "lacuna/base/matrix.hpp"

namespace lacuna::compute::cpu {

enum class Op { as_is, transposed };

/// C := alpha op(A) op(B) + beta C; C is m x n, op(A) m x k.
void gemm(Op a, Op b, Index m, Index n, Index k, double alpha, const double* A, Index lda, const double* B, Index ldb,
          double beta, double* C, Index ldc);
/// The lower triangle of C := alpha A A' + beta C; A is n x k.
void syrk_lower(Index n, Index k, double alpha, const double* A, Index lda, double beta, double* C, Index ldc);
/// The lower triangle of C := alpha (A B' + B A') + C; A and B are n x k.
void add_syr2k_lower(Index n, Index k, double alpha, const double* A, const double* B, Index ld, double* C, Index ldc);
/// C := A B for symmetric A of which the lower triangle is stored; B is n x m.
void symm_lower(Index n, Index m, const double* A, Index lda, const double* B, Index ldb, double* C, Index ldc);
/// B := L' B for lower triangular L; B is n x m.
void trmm_lower_transposed(Index n, Index m, const double* L, Index ldl, double* B, Index ldb);
/// x := op(L)^-1 x for lower triangular L of order n.
void trsv_lower(Op l, Index n, const double* L, Index ldl, double* x);
/// B := op(L)^-1 B for lower triangular L of order n; B is n x m.
void trsm_from_left(Op l, Index n, Index m, const double* L, Index ldl, double* B, Index ldb);
/// B := B L^-1 for lower triangular L of order n; B is m x n.
void trsm_from_right(Index m, Index n, const double* L, Index ldl, double* B, Index ldb);

}  // namespace lacuna::compute::cpu

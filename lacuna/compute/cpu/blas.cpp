#include "lacuna/compute/cpu/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {
namespace {

constexpr auto kCol = CblasColMajor;
constexpr double kWorthSharing = 5e5;  // multiplications: about what waking a thread costs
constexpr double kLongest = 1e9;       // multiplications of a strip: some 30 ms, and a request to stop waits no longer
constexpr Index kNarrowest = 32;  // columns or rows of a strip: narrower ones are packed more often than they are used

CBLAS_TRANSPOSE blas(Op op) { return op == Op::as_is ? CblasNoTrans : CblasTrans; }

// body(first, size) for strips of a range of length n, whose work is so many multiplications in all.
template <class Body>
void in_strips(Index n, double work, const Body& body) {
  const int threads = work < kWorthSharing ? 1 : thread_count();
  const auto pieces = std::max<Index>(threads > 1 ? 2 * threads : 1, Index(std::ceil(work / kLongest)));
  const ThreadScope one_in_blas(0);
  if (pieces == 1 || n < 2 * kNarrowest) return body(Index(0), n);
  const Index size = std::max(kNarrowest, (n / pieces + 8) / 8 * 8);
  parallel_ranges(n, size, [&](Index first, Index last) { body(first, last - first); });
}

double product_of(Index a, Index b, Index c) { return double(a) * double(b) * double(c); }

}  // namespace

void gemm(Op a, Op b, Index m, Index n, Index k, double alpha, const double* A, Index lda, const double* B, Index ldb,
          double beta, double* C, Index ldc) {
  if (n >= m) {
    in_strips(n, product_of(m, n, k), [&](Index j, Index width) {
      cblas_dgemm(kCol, blas(a), blas(b), int(m), int(width), int(k), alpha, A, int(lda),
                  B + (b == Op::as_is ? j * ldb : j), int(ldb), beta, C + j * ldc, int(ldc));
    });
    return;
  }
  in_strips(m, product_of(m, n, k), [&](Index i, Index height) {
    cblas_dgemm(kCol, blas(a), blas(b), int(height), int(n), int(k), alpha, A + (a == Op::as_is ? i : i * lda),
                int(lda), B, int(ldb), beta, C + i, int(ldc));
  });
}

void syrk_lower(Index n, Index k, double alpha, const double* A, Index lda, double beta, double* C, Index ldc) {
  in_strips(n, product_of(n, n, k) / 2.0, [&](Index j, Index width) {
    double* diagonal = C + j * (ldc + 1);
    cblas_dsyrk(kCol, CblasLower, CblasNoTrans, int(width), int(k), alpha, A + j, int(lda), beta, diagonal, int(ldc));
    if (const Index below = n - j - width; below > 0)
      cblas_dgemm(kCol, CblasNoTrans, CblasTrans, int(below), int(width), int(k), alpha, A + j + width, int(lda), A + j,
                  int(lda), beta, diagonal + width, int(ldc));
  });
}

void add_syr2k_lower(Index n, Index k, double alpha, const double* A, const double* B, Index ld, double* C, Index ldc) {
  in_strips(n, product_of(n, n, k), [&](Index j, Index width) {
    double* diagonal = C + j * (ldc + 1);
    cblas_dsyr2k(kCol, CblasLower, CblasNoTrans, int(width), int(k), alpha, A + j, int(ld), B + j, int(ld), 1.0,
                 diagonal, int(ldc));
    const Index below = n - j - width;
    if (below == 0) return;
    const auto add = [&](const double* left, const double* right) {
      cblas_dgemm(kCol, CblasNoTrans, CblasTrans, int(below), int(width), int(k), alpha, left + j + width, int(ld),
                  right + j, int(ld), 1.0, diagonal + width, int(ldc));
    };
    add(A, B);
    add(B, A);
  });
}

void symm_lower(Index n, Index m, const double* A, Index lda, const double* B, Index ldb, double* C, Index ldc) {
  in_strips(m, product_of(n, n, m), [&](Index j, Index width) {
    cblas_dsymm(kCol, CblasLeft, CblasLower, int(n), int(width), 1.0, A, int(lda), B + j * ldb, int(ldb), 0.0,
                C + j * ldc, int(ldc));
  });
}

void trmm_lower_transposed(Index n, Index m, const double* L, Index ldl, double* B, Index ldb) {
  in_strips(m, product_of(n, n, m) / 2.0, [&](Index j, Index width) {
    cblas_dtrmm(kCol, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, int(n), int(width), 1.0, L, int(ldl),
                B + j * ldb, int(ldb));
  });
}

void trsv_lower(Op l, Index n, const double* L, Index ldl, double* x) {
  const ThreadScope one_in_blas(0);
  cblas_dtrsv(kCol, CblasLower, blas(l), CblasNonUnit, int(n), L, int(ldl), x, 1);
}

void trsm_from_left(Op l, Index n, Index m, const double* L, Index ldl, double* B, Index ldb) {
  in_strips(m, product_of(n, n, m) / 2.0, [&](Index j, Index width) {
    cblas_dtrsm(kCol, CblasLeft, CblasLower, blas(l), CblasNonUnit, int(n), int(width), 1.0, L, int(ldl), B + j * ldb,
                int(ldb));
  });
}

void trsm_from_right(Index m, Index n, const double* L, Index ldl, double* B, Index ldb) {
  in_strips(m, product_of(n, n, m) / 2.0, [&](Index i, Index height) {
    cblas_dtrsm(kCol, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, int(height), int(n), 1.0, L, int(ldl), B + i,
                int(ldb));
  });
}

}  // namespace lacuna::compute::cpu

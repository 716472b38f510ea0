#include "lacuna/compute/cpu/triangular.hpp"

#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/leaf.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/cpu/wide.hpp"

namespace lacuna::cpu {
namespace {

constexpr auto kCol = CblasColMajor;
constexpr Index kPanel = 384;  // columns of a workspace panel: the depth dgemm and dsyrk like best

// Columns eliminated at a time in a matrix of order n > kLeaf: deep enough for dgemm, few enough that the panels, which
// run slower, stay a small part of the work. Measured; flat around these values.
Index block(Index n) { return n > 1536 ? 384 : n > 384 ? 160 : n > 128 ? 64 : kLeaf; }

// Up to this order dsyrk is slower than a dgemm of the whole square; use it where the other triangle is free.
constexpr Index kSmall = 64;

// Where to cut a triangle of order n > kLeaf in two: about half, so that every leaf but the last is whole.
Index half(Index n) { return (n / 2 + kLeaf - 1) / kLeaf * kLeaf; }

// C := C + alpha op(A) op(B), C is m x n.
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, double alpha, const double* A, Index lda,
          const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(kCol, ta, tb, int(m), int(n), int(k), alpha, A, int(lda), B, int(ldb), 1.0, C, int(ldc));
}

// X := X L^-T or X := X L^-1 for the pair P of order n; X is m x n.
void solve_right(Side side, Index n, const double* P, Index ld, Index m, double* X, Index ldx) {
  if (m == 0) return;
  if (n <= kLeaf) return substitute_leaf(side, Layout::rows, n, P, ld, m, X, ldx);
  const Index n1 = half(n);
  const Index n2 = n - n1;
  const double* L21 = P + n1;
  const double* P22 = P + n1 * (ld + 1);
  double* X2 = X + n1 * ldx;
  if (side == Side::lower_transposed) {
    solve_right(side, n1, P, ld, m, X, ldx);
    gemm(CblasNoTrans, CblasTrans, m, n2, n1, -1.0, X, ldx, L21, ld, X2, ldx);
    solve_right(side, n2, P22, ld, m, X2, ldx);
  } else {
    solve_right(side, n2, P22, ld, m, X2, ldx);
    gemm(CblasNoTrans, CblasNoTrans, m, n1, n2, -1.0, X2, ldx, L21, ld, X, ldx);
    solve_right(side, n1, P, ld, m, X, ldx);
  }
}

// The same with the rows of a tall X shared out among the threads.
void solve_right_shared(Side side, Index n, const double* P, Index ld, Index m, double* X, Index ldx) {
  const Index threads = omp_in_parallel() ? 1 : omp_get_max_threads();
  if (threads == 1 || m < 256) return solve_right(side, n, P, ld, m, X, ldx);
  const Index share = (m / threads / kLeaf + 1) * kLeaf;
#pragma omp parallel for schedule(static, 1)
  for (Index i = 0; i < m; i += share) solve_right(side, n, P, ld, std::min(share, m - i), X + i, ldx);
}

// L: eliminate a block of columns, then its effect on the columns to the right (method 3).
// 0, or the order of the first leading minor that is not positive.
Index factor_from(Index n, double* P, Index ld) {
  if (n <= kLeaf) return factor_and_invert_leaf(n, P, ld);
  for (Index c = 0; c < n; c += block(n)) {
    const Index w = std::min(block(n), n - c);
    const Index r = n - c - w;
    double* D = P + c * (ld + 1);  // the pair of the diagonal block
    if (const Index failed = factor_from(w, D, ld)) return c + failed;
    double* Lr = D + w;
    double* rest = Lr + w * ld;
    solve_right_shared(Side::lower_transposed, w, D, ld, r, Lr, ld);
    if (r <= kSmall)
      gemm(CblasNoTrans, CblasTrans, r, r, w, -1.0, Lr, ld, Lr, ld, rest, ld);
    else
      cblas_dsyrk(kCol, CblasLower, CblasNoTrans, int(r), int(w), -1.0, Lr, int(ld), 1.0, rest, int(ld));
  }
  return 0;
}

// S', the same elimination applied to the identity: block column c of U = S' is complete once multiplied by L_cc^-T,
// and is then subtracted from those to its right, U_:i -= U_:c L_ic'. `work`: n * block(n) doubles.
void invert_in(Index n, double* P, Index ld, double* work) {
  if (n <= kLeaf) return;  // done by `factor`
  for (Index c = 0; c < n; c += block(n)) {
    const Index w = std::min(block(n), n - c);
    const Index r = n - c - w;
    double* D = P + c * (ld + 1);
    double* Uc = P + (c + 1) * ld;
    invert_in(w, D, ld, work);
    solve_right_shared(Side::lower_transposed, w, D, ld, c, Uc, ld);
    if (r == 0) break;
    const double* Lr = D + w;
    double* Ur = Uc + w * ld;
    gemm(CblasNoTrans, CblasTrans, c, r, w, -1.0, Uc, ld, Lr, ld, Ur, ld);
    // Rows c .. c + w of U begin here: -S_cc' L_rc', as the transpose of -L_rc L_cc^-1, because tall matrices go
    // faster than wide ones.
    for (Index j = 0; j < w; ++j)
      for (Index i = 0; i < r; ++i) work[i + j * r] = -Lr[i + j * ld];
    solve_right_shared(Side::lower, w, D, ld, r, work, r);
    transpose(r, w, work, r, Ur + c, ld);
  }
}

// The upper triangle of C := U U', U upper triangular (and the lower one spoilt): each block of columns of U adds its
// own product.
void upper_times_transpose(Index n, const double* U, Index ldu, double* C, Index ldc) {
  if (n <= kLeaf) {  // a full product of small squares takes less time than loops over half of one
    double square[kLeaf * kLeaf];
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) square[i + j * n] = i <= j ? U[i + j * ldu] : 0.0;
    cblas_dgemm(kCol, CblasNoTrans, CblasTrans, int(n), int(n), int(n), 1.0, square, int(n), square, int(n), 0.0, C,
                int(ldc));
    return;
  }
  for (Index c = 0; c < n; c += block(n)) {
    const Index w = std::min(block(n), n - c);
    const double* Uc = U + c * ldu;
    double* Cc = C + c * ldc;
    if (c > 0) {
      if (c <= kSmall)
        gemm(CblasNoTrans, CblasTrans, c, c, w, 1.0, Uc, ldu, Uc, ldu, C, ldc);
      else
        cblas_dsyrk(kCol, CblasUpper, CblasNoTrans, int(c), int(w), 1.0, Uc, int(ldu), 1.0, C, int(ldc));
      for (Index j = 0; j < w; ++j) std::copy_n(Uc + j * ldu, c, Cc + j * ldc);
      cblas_dtrmm(kCol, CblasRight, CblasUpper, CblasTrans, CblasNonUnit, int(c), int(w), 1.0, Uc + c, int(ldu), Cc,
                  int(ldc));
    }
    upper_times_transpose(w, Uc + c, ldu, Cc + c, ldc);
  }
}

}  // namespace

bool factor(Index n, double* P, Index ld, Index* failed_order) {
  const Index failed = factor_from(n, P, ld);
  if (failed_order) *failed_order = failed;
  return failed == 0;
}

void invert(Index n, double* P, Index ld) {
  if (n <= kLeaf) return;
  Buffer work(n * block(n));
  invert_in(n, P, ld, work.data());
}

bool factor_and_invert(Index n, double* P, Index ld, Index* failed_order) {
  if (!factor(n, P, ld, failed_order)) return false;
  invert(n, P, ld);
  return true;
}

void solve_lower(Index n, const double* P, Index ld, Index m, double* B, Index ldb) {
  if (n == 0 || m == 0) return;
  if (n <= kLeaf) return substitute_leaf(Side::lower_transposed, Layout::columns, n, P, ld, m, B, ldb);
  const Index n1 = half(n);
  solve_lower(n1, P, ld, m, B, ldb);
  gemm(CblasNoTrans, CblasNoTrans, n - n1, m, n1, -1.0, P + n1, ld, B, ldb, B + n1, ldb);
  solve_lower(n - n1, P + n1 * (ld + 1), ld, m, B + n1, ldb);
}

void solve_lower_transposed(Index n, const double* P, Index ld, Index m, double* B, Index ldb) {
  if (n == 0 || m == 0) return;
  if (n <= kLeaf) return substitute_leaf(Side::lower, Layout::columns, n, P, ld, m, B, ldb);
  const Index n1 = half(n);
  solve_lower_transposed(n - n1, P + n1 * (ld + 1), ld, m, B + n1, ldb);
  gemm(CblasTrans, CblasNoTrans, n1, m, n - n1, -1.0, P + n1, ld, B + n1, ldb, B, ldb);
  solve_lower_transposed(n1, P, ld, m, B, ldb);
}

void solve(Index n, const double* P, Index ld, Index m, double* B, Index ldb) {
  solve_lower(n, P, ld, m, B, ldb);
  solve_lower_transposed(n, P, ld, m, B, ldb);
}

double log_determinant(Index n, const double* P, Index ld) {
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) sum += std::log(P[i * (ld + 1)]);
  return 2.0 * sum;
}

namespace {

// d_i for rows i0 <= i < i1 of S': sweeps the columns, four for each pass over d, so that memory is read in order. Each
// sum is taken in the same order whatever the band, hence whatever the number of threads.
LACUNA_WIDE void sweep_rows(Index n, const double* U, Index ld, Index i0, Index i1, double* d) {
  constexpr Index kColumns = 4;
  for (Index i = i0; i < i1; ++i) d[i] = 0.0;
  for (Index j = i0; j < n; j += kColumns) {
    const double* u = U + j * ld;
    const Index whole = j + kColumns <= n ? std::min(i1, j + 1) : i0;  // rows in which all four columns have entries
#pragma omp simd
    for (Index i = i0; i < whole; ++i)
      d[i] = (((d[i] + u[i] * u[i]) + u[i + ld] * u[i + ld]) + u[i + 2 * ld] * u[i + 2 * ld]) +
             u[i + 3 * ld] * u[i + 3 * ld];
    for (Index k = j; k < std::min(n, j + kColumns); ++k)
      for (Index i = whole; i < std::min(i1, k + 1); ++i) d[i] += U[i + k * ld] * U[i + k * ld];
  }
}

}  // namespace

void inverse_diagonal(Index n, const double* P, Index ld, double* d) {
  // Column j of S is row j of S': threads take bands of rows.
  const double* U = P + ld;
  const Index threads = omp_in_parallel() ? 1 : omp_get_max_threads();
  const Index band = threads == 1 ? 2048 : std::max<Index>(256, n / (4 * threads) / 4 * 4);
#pragma omp parallel for schedule(dynamic, 1) if (threads > 1 && band < n)
  for (Index i0 = 0; i0 < n; i0 += band) sweep_rows(n, U, ld, i0, std::min(n, i0 + band), d);
}

void inverse_block(Index n, const double* P, Index ld, std::span<const Index> F, double* C, Index ldc) {
  const Index m = Index(F.size());
  if (m == 0) return;
  const double* U = P + ld;
  Buffer storage(m * std::min(n, kPanel));
  double* panel = storage.data();
  double beta = 0.0;
  for (Index j0 = *std::min_element(F.begin(), F.end()); j0 < n; j0 += kPanel) {
    const Index width = std::min(kPanel, n - j0);
#pragma omp parallel for schedule(static) if (m * width > 256 * 256)
    for (Index j = 0; j < width; ++j)
      for (Index f = 0; f < m; ++f)
        panel[f + j * m] = F[std::size_t(f)] <= j0 + j ? U[F[std::size_t(f)] + (j0 + j) * ld] : 0.0;
    cblas_dsyrk(kCol, CblasLower, CblasNoTrans, int(m), int(width), 1.0, panel, int(m), beta, C, int(ldc));
    beta = 1.0;
  }
  mirror_lower(m, C, ldc);
}

void inverse(Index n, const double* P, Index ld, double* C, Index ldc) {
  upper_times_transpose(n, P + ld, ld, C, ldc);
  mirror_upper(n, C, ldc);
}

void weighted_square(Index n, const double* Q, Index ldq, const double* v, double* T, Index ldt) {
  for (Index j = 0; j < n; ++j) std::fill_n(T + j * ldt + j, n - j, 0.0);
  Buffer storage(n * std::min(n, kPanel));
  double* panel = storage.data();
  std::vector<Index> columns;
  for (const double sign : {1.0, -1.0}) {
    columns.clear();
    for (Index j = 0; j < n; ++j)
      if (sign > 0.0 ? !(v[j] <= 0.0) : v[j] < 0.0) columns.push_back(j);  // NaN belongs somewhere: it must show
    for (std::size_t first = 0; first < columns.size(); first += std::size_t(kPanel)) {
      const Index width = std::min(kPanel, Index(columns.size() - first));
#pragma omp parallel for schedule(static) if (n * width > 256 * 256)
      for (Index p = 0; p < width; ++p) {
        const Index j = columns[first + std::size_t(p)];
        const double scale = std::sqrt(std::abs(v[j]));
        for (Index i = 0; i < n; ++i) panel[i + p * n] = scale * Q[i + j * ldq];
      }
      cblas_dsyrk(kCol, CblasLower, CblasNoTrans, int(n), int(width), sign, panel, int(n), 1.0, T, int(ldt));
    }
  }
}

}  // namespace lacuna::cpu

#include "lacuna/compute/cpu/triangular.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lacuna/compute/cpu/leaf.hpp"

namespace lacuna::cpu {
namespace {

constexpr auto kCol = CblasColMajor;
constexpr Index kPanel = 256;  // columns of a workspace panel: deep enough for dsyrk to run at full speed

// Where to cut n in two: about half, on a multiple of the leaf, so that every leaf but the last is whole.
Index half(Index n) { return (n / 2 + kLeaf - 1) / kLeaf * kLeaf; }

// C := C + sign * op(A) op(B), C is m x n.
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, double alpha, const double* A, Index lda,
          const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(kCol, ta, tb, int(m), int(n), int(k), alpha, A, int(lda), B, int(ldb), 1.0, C, int(ldc));
}

// B := alpha * op(U) B or B op(U), U upper triangular, B is m x n.
void trmm(CBLAS_SIDE side, CBLAS_TRANSPOSE t, Index m, Index n, double alpha, const double* U, Index ldu, double* B,
          Index ldb) {
  cblas_dtrmm(kCol, side, CblasUpper, t, CblasNonUnit, int(m), int(n), alpha, U, int(ldu), B, int(ldb));
}

// X := X L^-T for the pair P of order n; X is m x n.
void solve_right_transposed(Index n, const double* P, Index ld, Index m, double* X, Index ldx) {
  if (n <= kLeaf) return substitute_leaf(Side::lower_transposed, n, P, ld, m, {X, 1, ldx}, {X, 1, ldx});
  const Index n1 = half(n);
  const Index n2 = n - n1;
  double* X2 = X + n1 * ldx;
  solve_right_transposed(n1, P, ld, m, X, ldx);
  gemm(CblasNoTrans, CblasTrans, m, n2, n1, -1.0, X, ldx, P + n1, ld, X2, ldx);
  solve_right_transposed(n2, P + n1 * (ld + 1), ld, m, X2, ldx);
}

// 0, or the order of the first leading minor that is not positive.
Index factor_from(Index n, double* P, Index ld) {
  if (n <= kLeaf) return factor_and_invert_leaf(n, P, ld);
  const Index n1 = half(n);
  const Index n2 = n - n1;
  double* A21 = P + n1;
  double* P22 = P + n1 * (ld + 1);
  if (const Index failed = factor_from(n1, P, ld)) return failed;
  solve_right_transposed(n1, P, ld, n2, A21, ld);  // L21 = A21 L11^-T
  cblas_dsyrk(kCol, CblasLower, CblasNoTrans, int(n2), int(n1), -1.0, A21, int(ld), 1.0, P22, int(ld));
  const Index failed = factor_from(n2, P22, ld);
  return failed == 0 ? 0 : n1 + failed;
}

// W := S' Y', the pair P of order n, Y m x n: S' Y' = [ S11' Y1' + S21' Y2' ; S22' Y2' ]. Needs S.
void transpose_and_multiply(Index n, const double* P, Index ld, Index m, const double* Y, Index ldy, double* W,
                            Index ldw) {
  if (n <= kLeaf) return substitute_leaf(Side::lower, n, P, ld, m, {Y, 1, ldy}, {W, ldw, 1});
  const Index n1 = half(n);
  const Index n2 = n - n1;
  const double* Y2 = Y + n1 * ldy;
  transpose_and_multiply(n1, P, ld, m, Y, ldy, W, ldw);
  gemm(CblasNoTrans, CblasTrans, n1, m, n2, 1.0, P + (n1 + 1) * ld, ld, Y2, ldy, W, ldw);
  transpose_and_multiply(n2, P + n1 * (ld + 1), ld, m, Y2, ldy, W + n1, ldw);
}

// The upper triangle of C := U U', U upper triangular.
void upper_times_transpose(Index n, const double* U, Index ldu, double* C, Index ldc) {
  if (n <= kLeaf) {
    for (Index j = 0; j < n; ++j) std::fill_n(C + j * ldc, j + 1, 0.0);
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j <= k; ++j)
        for (Index i = 0; i <= j; ++i) C[i + j * ldc] += U[i + k * ldu] * U[j + k * ldu];
    return;
  }
  const Index n1 = half(n);
  const Index n2 = n - n1;
  const double* U12 = U + n1 * ldu;
  const double* U22 = U12 + n1;
  double* C12 = C + n1 * ldc;
  for (Index j = 0; j < n2; ++j) std::copy_n(U12 + j * ldu, n1, C12 + j * ldc);
  trmm(CblasRight, CblasTrans, n1, n2, 1.0, U22, ldu, C12, ldc);  // C12 = U12 U22'
  upper_times_transpose(n1, U, ldu, C, ldc);                      // C11 = U11 U11' + U12 U12'
  cblas_dsyrk(kCol, CblasUpper, CblasNoTrans, int(n1), int(n2), 1.0, U12, int(ldu), 1.0, C, int(ldc));
  upper_times_transpose(n2, U22, ldu, C12 + n1, ldc);  // C22 = U22 U22'
}

// Copies one triangle onto the other in tiles, both of which fit the first-level cache.
template <bool from_lower>
void mirror(Index n, double* C, Index ldc) {
  constexpr Index kTile = 32;
#pragma omp parallel for schedule(static, 1) if (n > 256)
  for (Index j0 = 0; j0 < n; j0 += kTile)
    for (Index i0 = j0; i0 < n; i0 += kTile)
      for (Index j = j0; j < std::min(n, j0 + kTile); ++j)
        for (Index i = std::max(i0, j + 1); i < std::min(n, i0 + kTile); ++i) {
          if constexpr (from_lower)
            C[j + i * ldc] = C[i + j * ldc];
          else
            C[i + j * ldc] = C[j + i * ldc];
        }
}

}  // namespace

bool factor(Index n, double* P, Index ld, Index* failed_order) {
  const Index failed = factor_from(n, P, ld);
  if (failed_order) *failed_order = failed;
  return failed == 0;
}

void invert(Index n, double* P, Index ld) {
  if (n <= kLeaf) return;  // done by `factor`
  const Index n1 = half(n);
  const Index n2 = n - n1;
  double* P22 = P + n1 * (ld + 1);
  invert(n1, P, ld);
  invert(n2, P22, ld);
  double* U12 = P + (n1 + 1) * ld;
  transpose_and_multiply(n1, P, ld, n2, P + n1, ld, U12, ld);  // S11' L21'
  solve_right_transposed(n2, P22, ld, n1, U12, ld);            // S21' = -S11' L21' L22^-T
  for (Index j = 0; j < n2; ++j)
    for (Index i = 0; i < n1; ++i) U12[i + j * ld] = -U12[i + j * ld];
}

bool factor_and_invert(Index n, double* P, Index ld, Index* failed_order) {
  if (!factor(n, P, ld, failed_order)) return false;
  invert(n, P, ld);
  return true;
}

void solve_lower(Index n, const double* P, Index ld, Index m, double* B, Index ldb) {
  if (n == 0 || m == 0) return;
  if (n <= kLeaf) return substitute_leaf(Side::lower_transposed, n, P, ld, m, {B, ldb, 1}, {B, ldb, 1});
  const Index n1 = half(n);
  solve_lower(n1, P, ld, m, B, ldb);
  gemm(CblasNoTrans, CblasNoTrans, n - n1, m, n1, -1.0, P + n1, ld, B, ldb, B + n1, ldb);
  solve_lower(n - n1, P + n1 * (ld + 1), ld, m, B + n1, ldb);
}

void solve_lower_transposed(Index n, const double* P, Index ld, Index m, double* B, Index ldb) {
  if (n == 0 || m == 0) return;
  if (n <= kLeaf) return substitute_leaf(Side::lower, n, P, ld, m, {B, ldb, 1}, {B, ldb, 1});
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

void inverse_diagonal(Index n, const double* P, Index ld, double* d) {
  // Column j of S is row j of S': threads take bands of rows and sweep the columns, so that memory is read in order and
  // each sum is in the same order whatever the number of threads.
  constexpr Index kBand = 256;
  const double* U = P + ld;
#pragma omp parallel for schedule(static, 1) if (n > kBand)
  for (Index i0 = 0; i0 < n; i0 += kBand) {
    const Index i1 = std::min(n, i0 + kBand);
    std::fill(d + i0, d + i1, 0.0);
    for (Index j = i0; j < n; ++j) {
      const double* u = U + j * ld;
      const Index end = std::min(i1, j + 1);
      for (Index i = i0; i < end; ++i) d[i] += u[i] * u[i];
    }
  }
}

void inverse_block(Index n, const double* P, Index ld, std::span<const Index> F, double* C, Index ldc) {
  const Index m = Index(F.size());
  if (m == 0) return;
  const double* U = P + ld;
  std::vector<double> panel(std::size_t(m * std::min(n, kPanel)));
  double beta = 0.0;
  for (Index j0 = *std::min_element(F.begin(), F.end()); j0 < n; j0 += kPanel) {
    const Index width = std::min(kPanel, n - j0);
#pragma omp parallel for schedule(static) if (m * width > 256 * 256)
    for (Index j = 0; j < width; ++j)
      for (Index f = 0; f < m; ++f)
        panel[std::size_t(f + j * m)] = F[std::size_t(f)] <= j0 + j ? U[F[std::size_t(f)] + (j0 + j) * ld] : 0.0;
    cblas_dsyrk(kCol, CblasLower, CblasNoTrans, int(m), int(width), 1.0, panel.data(), int(m), beta, C, int(ldc));
    beta = 1.0;
  }
  mirror_lower(m, C, ldc);
}

void inverse(Index n, const double* P, Index ld, double* C, Index ldc) {
  upper_times_transpose(n, P + ld, ld, C, ldc);
  mirror<false>(n, C, ldc);
}

void weighted_square(Index n, const double* Q, Index ldq, const double* v, double* T, Index ldt) {
  for (Index j = 0; j < n; ++j) std::fill_n(T + j * ldt + j, n - j, 0.0);
  std::vector<double> panel(std::size_t(n * std::min(n, kPanel)));
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
        for (Index i = 0; i < n; ++i) panel[std::size_t(i + p * n)] = scale * Q[i + j * ldq];
      }
      cblas_dsyrk(kCol, CblasLower, CblasNoTrans, int(n), int(width), sign, panel.data(), int(n), 1.0, T, int(ldt));
    }
  }
  mirror_lower(n, T, ldt);
}

void mirror_lower(Index n, double* C, Index ldc) { mirror<true>(n, C, ldc); }

}  // namespace lacuna::cpu

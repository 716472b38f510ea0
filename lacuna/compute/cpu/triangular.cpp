#include "lacuna/compute/cpu/triangular.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/leaf.hpp"
#include "lacuna/compute/cpu/panel_substitute.hpp"
#include "lacuna/compute/cpu/product.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/cpu/wide.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {
namespace {

// Columns eliminated at a time in a matrix of order n > kLeaf: deep enough for a product's full speed, few enough that
// the panels, which run slower, stay a small part of the work. Measured; flat around these values.
Index block(Index n) { return n > 1536 ? 384 : n > 384 ? 160 : n > 128 ? 64 : kLeaf; }

// Where to cut a triangle of order n > kLeaf in two: about half, so that every leaf but the last is whole.
Index half(Index n) { return (n / 2 + kLeaf - 1) / kLeaf * kLeaf; }

// L: eliminate a block of columns, then its effect on the columns to the right (method 3).
// 0, or the order of the first leading minor that is not positive.
Index factor_from(Index n, double* P, Index ld) {
  if (n <= kLeaf) return factor_and_invert_leaf(n, P, ld);
  for (Index c = 0; c < n; c += block(n)) {
    check_stop();
    const Index w = std::min(block(n), n - c);
    const Index r = n - c - w;
    double* D = P + c * (ld + 1);  // the pair of the diagonal block
    if (const Index failed = factor_from(w, D, ld)) return c + failed;
    double* Lr = D + w;
    double* rest = Lr + w * ld;
    substitute_panel(w, D, ld, r, Lr, ld);
    add_product(Part::lower, r, r, w, -1.0, {Lr, ld}, {Lr, ld}, rest, ld);
  }
  return 0;
}

// S', the same elimination applied to the identity: block column c of U = S' is complete once multiplied by L_cc^-T,
// and is then subtracted from those to its right, U_:i -= U_:c L_ic'. Rows c .. c + w of those begin here, with zero.
void invert_from(Index n, double* P, Index ld) {
  if (n <= kLeaf) return;  // done by `factor`
  for (Index c = 0; c < n; c += block(n)) {
    check_stop();
    const Index w = std::min(block(n), n - c);
    const Index r = n - c - w;
    double* D = P + c * (ld + 1);
    double* Uc = P + (c + 1) * ld;
    invert_from(w, D, ld);
    substitute_panel(w, D, ld, c, Uc, ld);
    add_product(Part::all, c + w, r, w, -1.0, {Uc, ld, c}, {D + w, ld}, Uc + w * ld, ld, c);
  }
}

}  // namespace

bool factor(Index n, double* P, Index ld, Index* failed_order) {
  const Index failed = factor_from(n, P, ld);
  if (failed_order) *failed_order = failed;
  return failed == 0;
}

void invert(Index n, double* P, Index ld) { invert_from(n, P, ld); }

bool factor_and_invert(Index n, double* P, Index ld, Index* failed_order) {
  if (!factor(n, P, ld, failed_order)) return false;
  invert(n, P, ld);
  return true;
}

void solve_lower(Index n, const double* P, Index ld, Index m, double* B, Index ldb) {
  if (n == 0 || m == 0) return;
  if (m == 1) return trsv_lower(Op::as_is, n, P, ld, B);
  if (n <= kLeaf) return substitute_leaf(Side::lower_transposed, n, P, ld, m, B, ldb);
  const Index n1 = half(n);
  solve_lower(n1, P, ld, m, B, ldb);
  gemm(Op::as_is, Op::as_is, n - n1, m, n1, -1.0, P + n1, ld, B, ldb, 1.0, B + n1, ldb);
  solve_lower(n - n1, P + n1 * (ld + 1), ld, m, B + n1, ldb);
}

void solve_lower_transposed(Index n, const double* P, Index ld, Index m, double* B, Index ldb) {
  if (n == 0 || m == 0) return;
  if (m == 1) return trsv_lower(Op::transposed, n, P, ld, B);
  if (n <= kLeaf) return substitute_leaf(Side::lower, n, P, ld, m, B, ldb);
  const Index n1 = half(n);
  solve_lower_transposed(n - n1, P + n1 * (ld + 1), ld, m, B + n1, ldb);
  gemm(Op::transposed, Op::as_is, n1, m, n - n1, -1.0, P + n1, ld, B + n1, ldb, 1.0, B, ldb);
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
  const Index threads = thread_count();
  const Index band = threads == 1 ? 2048 : std::max<Index>(256, n / (4 * threads) / 4 * 4);
  parallel_ranges(n, band, [&](Index first, Index last) { sweep_rows(n, U, ld, first, last, d); });
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
    parallel_ranges(width, m * width > Index(256) * 256 ? 32 : width, [&](Index first, Index last) {
      for (Index j = first; j < last; ++j)
        for (Index f = 0; f < m; ++f)
          panel[f + j * m] = F[std::size_t(f)] <= j0 + j ? U[F[std::size_t(f)] + (j0 + j) * ld] : 0.0;
    });
    syrk_lower(m, width, 1.0, panel, m, beta, C, ldc);
    beta = 1.0;
  }
  mirror_lower(m, C, ldc);
}

void inverse_lower(Index n, const double* P, Index ld, double* C, Index ldc) {
  for (Index c = 0; c < n; c += kPanel) {  // U U', one block of columns of U after another
    const Index w = std::min(kPanel, n - c);
    const Panel Uc{P + (c + 1) * ld, ld, c};
    add_product(Part::lower, c + w, c + w, w, 1.0, Uc, Uc, C, ldc, c);
  }
}

void inverse(Index n, const double* P, Index ld, double* C, Index ldc) {
  inverse_lower(n, P, ld, C, ldc);
  mirror_lower(n, C, ldc);
}

void weighted_square(Index n, const double* Q, Index ldq, const double* v, double* T, Index ldt) {
  std::vector<Index> which;
  std::vector<double> weight;
  for (Index j = 0; j < n; ++j) {
    if (v[j] == 0.0) continue;
    which.push_back(j);
    weight.push_back(v[j]);
  }
  const Columns columns{which.data(), weight.data()};
  add_product(Part::lower, n, n, Index(which.size()), 1.0, {Q, ldq}, {Q, ldq}, T, ldt, 0, &columns);
}

}  // namespace lacuna::compute::cpu

#include "lacuna/compute/cpu/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna::cpu {
namespace {

// The same source for each vector width (in doubles). The compiler's vector types rather than a library's, so that one
// file serves every processor and the choice is made when the program runs.
template <int width>
struct VectorOf;
template <>
struct VectorOf<2> {
  using Type = double __attribute__((vector_size(16)));
  using Mask = long long __attribute__((vector_size(16)));
};
template <>
struct VectorOf<4> {
  using Type = double __attribute__((vector_size(32)));
  using Mask = long long __attribute__((vector_size(32)));
};
template <>
struct VectorOf<8> {
  using Type = double __attribute__((vector_size(64)));
  using Mask = long long __attribute__((vector_size(64)));
};

struct alignas(64) Square {
  double column[kLeaf][kLeaf];  // column[j][i]
  double L_diagonal[kLeaf];
};

template <int width>
[[gnu::always_inline]] inline Index eliminate(Index n, Square& square) {
  using V = typename VectorOf<width>::Type;
  using Mask = typename VectorOf<width>::Mask;
  constexpr int kParts = int(kLeaf) / width;
  for (Index k = 0; k < n; ++k) {
    double* w = square.column[k];
    const double pivot = w[k];
    if (!(pivot > 0.0) || pivot > std::numeric_limits<double>::max()) return k + 1;  // also catches NaN and infinity
    const double root = std::sqrt(pivot);
    square.L_diagonal[k] = root;
    V r[kParts];
    for (int p = 0; p < kParts; ++p) r[p] = reinterpret_cast<V*>(w)[p] * (1.0 / root);
    for (int p = 0; p < kParts; ++p) reinterpret_cast<V*>(w)[p] = r[p];
    w[k] = 1.0 / root;
    const int kp = int(k) / width;
    r[kp][int(k) % width] = 1.0 / root;
    // Row k of the later columns held A; from now on it holds S', which starts from zero.
    Mask keep;
    for (int lane = 0; lane < width; ++lane) keep[lane] = lane == int(k) % width ? 0 : -1;
    for (Index i = k + 1; i < n; ++i) {
      V* c = reinterpret_cast<V*>(square.column[i]);
      const double factor = w[i];
      c[kp] = reinterpret_cast<V>(reinterpret_cast<Mask>(c[kp]) & keep);
      for (int p = 0; p < kParts; ++p) c[p] -= factor * r[p];
    }
  }
  return 0;
}

// What substitution needs of a triangular factor, whichever way it runs: x_k := (x_k - sum_{j<k} c(k, j) x_j) d(k).
struct Coefficients {
  const double* c;
  const double* d;
  Index row, column, diagonal;  // strides
  double at(Index k, Index j) const { return c[k * row + j * column]; }
  double reciprocal(Index k) const { return d[k * diagonal]; }
};

constexpr int kTileParts = 4;              // vectors of rows solved together ...
constexpr int kTileRows = 8 * kTileParts;  // ... so at most this many rows
using Tile = double[kLeaf][kTileRows];     // tile[k][r]: column k of X, in the order of substitution

// `unroll` unknowns at once, so that each x_j loaded is used that often. `parts` vectors of rows.
template <int width, int parts, int unroll>
[[gnu::always_inline]] inline void substitute_step(Index k, const Coefficients& L, Tile& tile) {
  using V = typename VectorOf<width>::Type;
  V x[unroll][parts];
  for (int u = 0; u < unroll; ++u)
    for (int p = 0; p < parts; ++p) x[u][p] = reinterpret_cast<const V*>(tile[k + u])[p];
  for (Index j = 0; j < k; ++j) {
    const V* t = reinterpret_cast<const V*>(tile[j]);
    for (int u = 0; u < unroll; ++u) {
      const double c = L.at(k + u, j);
      for (int p = 0; p < parts; ++p) x[u][p] -= c * t[p];
    }
  }
  for (int u = 0; u < unroll; ++u) {
    const double r = L.reciprocal(k + u);
    for (int p = 0; p < parts; ++p) x[u][p] *= r;
    for (int later = u + 1; later < unroll; ++later) {
      const double c = L.at(k + later, k + u);
      for (int p = 0; p < parts; ++p) x[later][p] -= c * x[u][p];
    }
    for (int p = 0; p < parts; ++p) reinterpret_cast<V*>(tile[k + u])[p] = x[u][p];
  }
}

template <int width, int unroll>
[[gnu::always_inline]] inline void substitute(Index n, Index rows, const Coefficients& L, Tile& tile) {
  Index k = 0;
  if (rows <= width) {
    for (; k + unroll <= n; k += unroll) substitute_step<width, 1, unroll>(k, L, tile);
    for (; k < n; ++k) substitute_step<width, 1, 1>(k, L, tile);
  } else {
    for (; k + unroll <= n; k += unroll) substitute_step<width, kTileParts, unroll>(k, L, tile);
    for (; k < n; ++k) substitute_step<width, kTileParts, 1>(k, L, tile);
  }
}

struct Loops {
  Index (*eliminate)(Index n, Square& square);
  void (*substitute)(Index n, Index rows, const Coefficients& L, Tile& tile);
  Index tile_rows;
};

Index eliminate_2(Index n, Square& s) { return eliminate<2>(n, s); }
void substitute_2(Index n, Index rows, const Coefficients& L, Tile& t) { substitute<2, 2>(n, rows, L, t); }

#if defined(__x86_64__)
#define LACUNA_AVX2 __attribute__((target("avx2,fma")))
#define LACUNA_AVX512 __attribute__((target("avx512f,avx512dq,avx2,fma")))
LACUNA_AVX2 Index eliminate_4(Index n, Square& s) { return eliminate<4>(n, s); }
LACUNA_AVX2 void substitute_4(Index n, Index rows, const Coefficients& L, Tile& t) { substitute<4, 2>(n, rows, L, t); }
LACUNA_AVX512 Index eliminate_8(Index n, Square& s) { return eliminate<8>(n, s); }
LACUNA_AVX512 void substitute_8(Index n, Index rows, const Coefficients& L, Tile& t) {
  substitute<8, 4>(n, rows, L, t);
}
#endif

Loops widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return {eliminate_8, substitute_8, 8 * kTileParts};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {eliminate_4, substitute_4, 4 * kTileParts};
#endif
  return {eliminate_2, substitute_2, 2 * kTileParts};
}

const Loops& loops() {
  static const Loops chosen = widest();
  return chosen;
}

}  // namespace

Index factor_and_invert_leaf(Index n, double* P, Index ld) {
  Square square;
  for (Index j = 0; j < n; ++j) {
    std::fill_n(square.column[j], j, 0.0);  // never used, but carried along: must be finite
    std::copy_n(P + j * (ld + 1), n - j, square.column[j] + j);
    std::fill(square.column[j] + n, square.column[j] + kLeaf, 0.0);
  }
  if (const Index failed = loops().eliminate(n, square)) return failed;
  for (Index j = 0; j < n; ++j) {
    P[j * (ld + 1)] = square.L_diagonal[j];
    std::copy(square.column[j] + j + 1, square.column[j] + n, P + j * (ld + 1) + 1);
    std::copy_n(square.column[j], j + 1, P + (j + 1) * ld);
  }
  return 0;
}

void substitute_leaf(Side side, Index n, const double* P, Index ld, Index m, Strided<const double> X,
                     Strided<double> Y) {
  if (n == 0) return;
  Coefficients L{P, P + ld, 1, ld, ld + 1};  // x_k from x_0 .. x_{k-1}
  if (side == Side::lower) {                 // x_k from x_{k+1} .. : number the unknowns backwards
    const Index last = (n - 1) * (ld + 1);
    L = {P + last, P + ld + last, -ld, -1, -(ld + 1)};
    X = {X.data + (n - 1) * X.column, X.row, -X.column};
    Y = {Y.data + (n - 1) * Y.column, Y.row, -Y.column};
  }
  alignas(64) Tile tile;
  const Index tile_rows = loops().tile_rows;
  for (Index i0 = 0; i0 < m; i0 += tile_rows) {
    const Index rows = std::min(tile_rows, m - i0);
    for (Index k = 0; k < n; ++k) {
      const double* x = X.data + i0 * X.row + k * X.column;
      if (X.row == 1)
        std::copy_n(x, rows, tile[k]);
      else
        for (Index r = 0; r < rows; ++r) tile[k][r] = x[r * X.row];
      std::fill(tile[k] + rows, tile[k] + tile_rows, 0.0);
    }
    loops().substitute(n, rows, L, tile);
    if (Y.row == 1)
      for (Index k = 0; k < n; ++k) std::copy_n(tile[k], rows, Y.data + i0 + k * Y.column);
    else
      for (Index r = 0; r < rows; ++r)
        for (Index k = 0; k < n; ++k) Y.data[(i0 + r) * Y.row + k * Y.column] = tile[k][r];
  }
}

}  // namespace lacuna::cpu

// compute/cpu/leaf_substitute.cpp (of leaf.hpp) -- substitution in the smallest triangles, some columns at once.
#include <algorithm>

#include "lacuna/compute/cpu/leaf.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/cpu/vector.hpp"

namespace lacuna::compute::cpu {
namespace {

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
using Tile = double[kLeaf][kTileRows];     // tile[k][r]: column k of the solution, in the order of substitution

// `unroll` unknowns at once, so that each x_j loaded is used that often, for `parts` vectors of rows. Column k is at
// x + k * step, right-hand side before and solution after; the tile keeps a copy close together.
template <int width, int parts, int unroll>
[[gnu::always_inline]] inline void substitute_step(Index k, const Coefficients& L, Tile& tile, double* x, Index step) {
  using V = typename VectorOf<width>::Type;
  using Memory = typename VectorOf<width>::Memory;
  V s[unroll][parts];
#pragma GCC unroll 16
  for (int u = 0; u < unroll; ++u)
#pragma GCC unroll 16
    for (int p = 0; p < parts; ++p) s[u][p] = reinterpret_cast<const Memory*>(x + (k + u) * step)[p].v;
  for (Index j = 0; j < k; ++j) {
    const auto* t = reinterpret_cast<const Memory*>(tile[j]);
#pragma GCC unroll 16
    for (int u = 0; u < unroll; ++u) {
      const double c = L.at(k + u, j);
#pragma GCC unroll 16
      for (int p = 0; p < parts; ++p) s[u][p] -= c * t[p].v;
    }
  }
#pragma GCC unroll 16
  for (int u = 0; u < unroll; ++u) {
    const double r = L.reciprocal(k + u);
#pragma GCC unroll 16
    for (int p = 0; p < parts; ++p) s[u][p] *= r;
#pragma GCC unroll 16
    for (int later = u + 1; later < unroll; ++later) {
      const double c = L.at(k + later, k + u);
#pragma GCC unroll 16
      for (int p = 0; p < parts; ++p) s[later][p] -= c * s[u][p];
    }
#pragma GCC unroll 16
    for (int p = 0; p < parts; ++p) {
      reinterpret_cast<Memory*>(tile[k + u])[p].v = s[u][p];
      reinterpret_cast<Memory*>(x + (k + u) * step)[p].v = s[u][p];
    }
  }
}

// `parts` * `width` rows, consecutive in memory.
template <int width, int parts, int unroll>
[[gnu::always_inline]] inline void substitute(Index n, const Coefficients& L, double* x, Index step) {
  alignas(64) Tile tile;
  Index k = 0;
  for (; k + unroll <= n; k += unroll) substitute_step<width, parts, unroll>(k, L, tile, x, step);
  for (; k < n; ++k) substitute_step<width, parts, 1>(k, L, tile, x, step);
}

using Substitute = void (*)(Index n, const Coefficients& L, double* x, Index step);

struct Loops {
  Index width;
  Substitute one;   // `width` rows
  Substitute tile;  // kTileParts * width rows
};

void one_2(Index n, const Coefficients& L, double* x, Index step) { substitute<2, 1, 2>(n, L, x, step); }
void tile_2(Index n, const Coefficients& L, double* x, Index step) { substitute<2, kTileParts, 2>(n, L, x, step); }
#if defined(__x86_64__)
LACUNA_VECTOR_4 void one_4(Index n, const Coefficients& L, double* x, Index step) {
  substitute<4, 1, 4>(n, L, x, step);
}
LACUNA_VECTOR_4 void tile_4(Index n, const Coefficients& L, double* x, Index step) {
  substitute<4, kTileParts, 2>(n, L, x, step);
}
LACUNA_VECTOR_8 void one_8(Index n, const Coefficients& L, double* x, Index step) {
  substitute<8, 1, 4>(n, L, x, step);
}
LACUNA_VECTOR_8 void tile_8(Index n, const Coefficients& L, double* x, Index step) {
  substitute<8, kTileParts, 4>(n, L, x, step);
}
#endif

Loops chosen() {
#if defined(__x86_64__)
  if (widest_vector() == 8) return {8, one_8, tile_8};
  if (widest_vector() == 4) return {4, one_4, tile_4};
#endif
  return {2, one_2, tile_2};
}

}  // namespace

void substitute_leaf(Side side, Index n, const double* P, Index ld, Index m, double* X, Index ldx) {
  if (n == 0) return;
  const bool backwards = side == Side::lower;
  Coefficients L{P, P + ld, 1, ld, ld + 1};  // x_k from x_0 .. x_{k-1}
  if (backwards) {                           // x_k from x_{k+1} .. x_{n-1}: the unknowns numbered backwards
    const Index last = (n - 1) * (ld + 1);
    L = {P + last, P + ld + last, -ld, -1, -(ld + 1)};
  }
  static const Loops run = chosen();
  const Index tile_rows = kTileParts * run.width;
  // By way of a buffer that holds the transpose, with room for whole vectors.
  alignas(64) Tile buffer;
  double* first = buffer[backwards ? n - 1 : 0];
  const Index step = backwards ? -Index(kTileRows) : Index(kTileRows);
  for (Index i = 0; i < m; i += tile_rows) {
    const Index rows = std::min(tile_rows, m - i);
    const bool one = rows <= run.width;
    const Index computed = one ? run.width : tile_rows;
    for (Index k = 0; k < n; ++k)
      for (Index r = rows; r < computed; ++r) buffer[k][r] = 0.0;
    transpose(n, rows, X + i * ldx, ldx, buffer[0], kTileRows);
    (one ? run.one : run.tile)(n, L, first, step);
    transpose(rows, n, buffer[0], kTileRows, X + i * ldx, ldx);
  }
}

}  // namespace lacuna::compute::cpu

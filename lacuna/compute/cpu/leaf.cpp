#include "lacuna/compute/cpu/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/compute/cpu/transpose.hpp"

namespace lacuna::cpu {
namespace {

// The same source for each vector width (in doubles). The compiler's vector types rather than a library's, so that one
// file serves every processor and the choice is made when the program runs. Type and Mask live in registers; Memory and
// MaskMemory are how they are read and written among plain doubles.
template <int width>
struct VectorOf;
template <>
struct VectorOf<2> {
  using Type = double __attribute__((vector_size(16)));
  using Mask = long long __attribute__((vector_size(16)));
  using Memory = double __attribute__((vector_size(16), aligned(8), may_alias));
  using MaskMemory = long long __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct VectorOf<4> {
  using Type = double __attribute__((vector_size(32)));
  using Mask = long long __attribute__((vector_size(32)));
  using Memory = double __attribute__((vector_size(32), aligned(8), may_alias));
  using MaskMemory = long long __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct VectorOf<8> {
  using Type = double __attribute__((vector_size(64)));
  using Mask = long long __attribute__((vector_size(64)));
  using Memory = double __attribute__((vector_size(64), aligned(8), may_alias));
  using MaskMemory = long long __attribute__((vector_size(64), aligned(8), may_alias));
};

struct alignas(64) Square {
  double column[kLeaf][kLeaf];  // column[j][i]
  double L_diagonal[kLeaf];
};

constexpr int kGroup = 4;  // elimination steps taken together: later columns are then read and written once for four

// Masks by sliding window: the kLeaf entries from kOnly.bits + kLeaf - k select row k, and so on. (Clearing the element
// in memory instead would make the next vector load wait for the store.)
struct SlidingMask {
  long long bits[2 * kLeaf] = {};
  constexpr explicit SlidingMask(int ones) {
    for (int i = 0; i < ones; ++i) bits[kLeaf + i] = -1;
  }
};
constexpr SlidingMask kOnly(1);
constexpr SlidingMask kGroupOf(kGroup);
constexpr SlidingMask kFrom(kLeaf);  // rows k, k + 1, ...

// The elimination of leaf.hpp; n is a multiple of kGroup.
template <int width>
[[gnu::always_inline]] inline Index eliminate(Index n, Square& square) {
  using V = typename VectorOf<width>::Type;
  using Mask = typename VectorOf<width>::Mask;
  using Memory = typename VectorOf<width>::Memory;
  using MaskMemory = typename VectorOf<width>::MaskMemory;
  constexpr int kParts = int(kLeaf) / width;
  const auto column = [&](Index j) { return reinterpret_cast<Memory*>(square.column[j]); };
  for (Index k0 = 0; k0 < n; k0 += kGroup) {
    V w[kGroup][kParts];  // the group's columns, as later columns see them
#pragma GCC unroll 16
    for (int u = 0; u < kGroup; ++u) {
      const Index k = k0 + u;
      V c[kParts];
#pragma GCC unroll 16
      for (int p = 0; p < kParts; ++p) c[p] = column(k)[p];
#pragma GCC unroll 16
      for (int t = 0; t < u; ++t) {
        const double factor = square.column[k0 + t][k];
        const auto* only = reinterpret_cast<const MaskMemory*>(kOnly.bits + kLeaf - (k0 + t));
#pragma GCC unroll 16
        for (int p = 0; p < kParts; ++p)
          c[p] = reinterpret_cast<V>(reinterpret_cast<Mask>(c[p]) & ~only[p]) - factor * w[t][p];
      }
#pragma GCC unroll 16
      for (int p = 0; p < kParts; ++p) column(k)[p] = c[p];
      const double pivot = square.column[k][k];
      if (!(pivot > 0.0) || pivot > std::numeric_limits<double>::max()) return k + 1;  // also catches NaN, infinity
      square.L_diagonal[k] = std::sqrt(pivot);
      const double reciprocal = 1.0 / square.L_diagonal[k];
      const auto* only = reinterpret_cast<const MaskMemory*>(kOnly.bits + kLeaf - k);
#pragma GCC unroll 16
      for (int p = 0; p < kParts; ++p) {
        const Mask one = only[p];
        c[p] = reinterpret_cast<V>((reinterpret_cast<Mask>(c[p] * reciprocal) & ~one) |
                                   (reinterpret_cast<Mask>(V{} + reciprocal) & one));
        column(k)[p] = c[p];
        w[u][p] = c[p];
        // Row k of later columns held A; from step k on it holds S', which starts from zero.
#pragma GCC unroll 16
        for (int t = 0; t < u; ++t) w[t][p] = reinterpret_cast<V>(reinterpret_cast<Mask>(w[t][p]) & ~one);
      }
    }
    const auto* group = reinterpret_cast<const MaskMemory*>(kGroupOf.bits + kLeaf - k0);
    for (Index i = k0 + kGroup; i < n; ++i) {
#pragma GCC unroll 16
      for (int p = 0; p < kParts; ++p) {
        V s = reinterpret_cast<V>(reinterpret_cast<MaskMemory*>(square.column[i])[p] & ~group[p]);
#pragma GCC unroll 16
        for (int u = 0; u < kGroup; ++u) s -= square.column[k0 + u][i] * w[u][p];
        column(i)[p] = s;
      }
    }
  }
  return 0;
}

// A whole leaf between the pair and the square, a column of either at a time: column j of the pair is column j of L
// from row j down and column j - 1 of S' above.
template <int width>
[[gnu::always_inline]] inline void load_square(const double* P, Index ld, Square& square) {
  using MaskMemory = typename VectorOf<width>::MaskMemory;
  for (Index j = 0; j < kLeaf; ++j) {
    const auto* from = reinterpret_cast<const MaskMemory*>(kFrom.bits + kLeaf - j);
#pragma GCC unroll 16
    for (int p = 0; p < int(kLeaf) / width; ++p)
      reinterpret_cast<MaskMemory*>(square.column[j])[p] = reinterpret_cast<const MaskMemory*>(P + j * ld)[p] & from[p];
  }
}

template <int width>
[[gnu::always_inline]] inline void store_square(const Square& square, double* P, Index ld) {
  using MaskMemory = typename VectorOf<width>::MaskMemory;
  for (Index j = 0; j <= kLeaf; ++j) {
    const auto* from = reinterpret_cast<const MaskMemory*>(kFrom.bits + kLeaf - j);
    const auto* L = reinterpret_cast<const MaskMemory*>(square.column[std::min(j, kLeaf - 1)]);
    const auto* S = reinterpret_cast<const MaskMemory*>(square.column[std::max(j - 1, Index(0))]);
#pragma GCC unroll 16
    for (int p = 0; p < int(kLeaf) / width; ++p)
      reinterpret_cast<MaskMemory*>(P + j * ld)[p] = (L[p] & from[p]) | (S[p] & ~from[p]);
  }
  for (Index j = 0; j < kLeaf; ++j) P[j * (ld + 1)] = square.L_diagonal[j];
}

template <int width>
[[gnu::always_inline]] inline Index factor_leaf(Index n, double* P, Index ld) {
  Square square;
  if (n == kLeaf) {
    load_square<width>(P, ld, square);
    if (const Index failed = eliminate<width>(n, square)) return failed;
    store_square<width>(square, P, ld);
    return 0;
  }
  const Index whole = (n + kGroup - 1) / kGroup * kGroup;  // padded with rows of the identity
  for (Index j = 0; j < whole; ++j) {
    for (Index i = 0; i < kLeaf; ++i) square.column[j][i] = i == j ? 1.0 : 0.0;
    if (j < n) std::copy_n(P + j * (ld + 1), n - j, square.column[j] + j);
  }
  if (const Index failed = eliminate<width>(whole, square)) return failed;
  for (Index j = 0; j < n; ++j) {
    std::copy_n(square.column[j], j + 1, P + (j + 1) * ld);
    std::copy(square.column[j] + j, square.column[j] + n, P + j * (ld + 1));
    P[j * (ld + 1)] = square.L_diagonal[j];
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
    for (int p = 0; p < parts; ++p) s[u][p] = reinterpret_cast<const Memory*>(x + (k + u) * step)[p];
  for (Index j = 0; j < k; ++j) {
    const auto* t = reinterpret_cast<const Memory*>(tile[j]);
#pragma GCC unroll 16
    for (int u = 0; u < unroll; ++u) {
      const double c = L.at(k + u, j);
#pragma GCC unroll 16
      for (int p = 0; p < parts; ++p) s[u][p] -= c * t[p];
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
      reinterpret_cast<Memory*>(tile[k + u])[p] = s[u][p];
      reinterpret_cast<Memory*>(x + (k + u) * step)[p] = s[u][p];
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

using FactorLeaf = Index (*)(Index n, double* P, Index ld);
using Substitute = void (*)(Index n, const Coefficients& L, double* x, Index step);

struct Loops {
  Index width;
  FactorLeaf factor_leaf;
  Substitute substitute_one;   // `width` rows
  Substitute substitute_tile;  // kTileParts * width rows
};

Index factor_leaf_2(Index n, double* P, Index ld) { return factor_leaf<2>(n, P, ld); }
void substitute_2(Index n, const Coefficients& L, double* x, Index step) { substitute<2, 1, 2>(n, L, x, step); }
void substitute_tile_2(Index n, const Coefficients& L, double* x, Index step) {
  substitute<2, kTileParts, 2>(n, L, x, step);
}

#if defined(__x86_64__)
#define LACUNA_AVX2 __attribute__((target("avx2,fma")))
#define LACUNA_AVX512 __attribute__((target("avx512f,avx512dq,avx2,fma")))
LACUNA_AVX2 Index factor_leaf_4(Index n, double* P, Index ld) { return factor_leaf<4>(n, P, ld); }
LACUNA_AVX2 void substitute_4(Index n, const Coefficients& L, double* x, Index step) {
  substitute<4, 1, 4>(n, L, x, step);
}
LACUNA_AVX2 void substitute_tile_4(Index n, const Coefficients& L, double* x, Index step) {
  substitute<4, kTileParts, 2>(n, L, x, step);
}
LACUNA_AVX512 Index factor_leaf_8(Index n, double* P, Index ld) { return factor_leaf<8>(n, P, ld); }
LACUNA_AVX512 void substitute_8(Index n, const Coefficients& L, double* x, Index step) {
  substitute<8, 1, 4>(n, L, x, step);
}
LACUNA_AVX512 void substitute_tile_8(Index n, const Coefficients& L, double* x, Index step) {
  substitute<8, kTileParts, 4>(n, L, x, step);
}
#endif

Loops widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return {8, factor_leaf_8, substitute_8, substitute_tile_8};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {4, factor_leaf_4, substitute_4, substitute_tile_4};
#endif
  return {2, factor_leaf_2, substitute_2, substitute_tile_2};
}

const Loops& loops() {
  static const Loops chosen = widest();
  return chosen;
}

}  // namespace

Index factor_and_invert_leaf(Index n, double* P, Index ld) { return loops().factor_leaf(n, P, ld); }

void substitute_leaf(Side side, Layout layout, Index n, const double* P, Index ld, Index m, double* X, Index ldx) {
  if (n == 0) return;
  const bool backwards = side == Side::lower;
  Coefficients L{P, P + ld, 1, ld, ld + 1};  // x_k from x_0 .. x_{k-1}
  if (backwards) {                           // x_k from x_{k+1} .. x_{n-1}: the unknowns numbered backwards
    const Index last = (n - 1) * (ld + 1);
    L = {P + last, P + ld + last, -ld, -1, -(ld + 1)};
  }
  const Loops& run = loops();
  const Index tile_rows = kTileParts * run.width;
  Index i = 0;
  if (layout == Layout::rows) {
    double* first = X + (backwards ? (n - 1) * ldx : 0);
    const Index step = backwards ? -ldx : ldx;
    for (; i + tile_rows <= m; i += tile_rows) run.substitute_tile(n, L, first + i, step);
  }
  // What is left, and all that is transposed, goes through a buffer with room for whole vectors.
  alignas(64) Tile buffer;
  double* first = buffer[backwards ? n - 1 : 0];
  const Index step = backwards ? -Index(kTileRows) : Index(kTileRows);
  for (; i < m; i += tile_rows) {
    const Index rows = std::min(tile_rows, m - i);
    const bool one = rows <= run.width;
    const Index computed = one ? run.width : tile_rows;
    for (Index k = 0; k < n; ++k)
      for (Index r = rows; r < computed; ++r) buffer[k][r] = 0.0;
    if (layout == Layout::rows)
      for (Index k = 0; k < n; ++k) std::copy_n(X + i + k * ldx, rows, buffer[k]);
    else
      transpose(n, rows, X + i * ldx, ldx, buffer[0], kTileRows);
    (one ? run.substitute_one : run.substitute_tile)(n, L, first, step);
    if (layout == Layout::rows)
      for (Index k = 0; k < n; ++k) std::copy_n(buffer[k], rows, X + i + k * ldx);
    else
      transpose(rows, n, buffer[0], kTileRows, X + i * ldx, ldx);
  }
}

}  // namespace lacuna::cpu

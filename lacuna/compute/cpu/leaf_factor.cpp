#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/compute/cpu/leaf.hpp"
#include "lacuna/compute/cpu/vector.hpp"

namespace lacuna::cpu {
namespace {

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
      for (int p = 0; p < kParts; ++p) c[p] = column(k)[p].v;
#pragma GCC unroll 16
      for (int t = 0; t < u; ++t) {
        const double factor = square.column[k0 + t][k];
        const auto* only = reinterpret_cast<const MaskMemory*>(kOnly.bits + kLeaf - (k0 + t));
#pragma GCC unroll 16
        for (int p = 0; p < kParts; ++p)
          c[p] = reinterpret_cast<V>(reinterpret_cast<Mask>(c[p]) & ~only[p].v) - factor * w[t][p];
      }
#pragma GCC unroll 16
      for (int p = 0; p < kParts; ++p) column(k)[p].v = c[p];
      const double pivot = square.column[k][k];
      if (!(pivot > 0.0) || pivot > std::numeric_limits<double>::max()) return k + 1;  // also catches NaN, infinity
      square.L_diagonal[k] = std::sqrt(pivot);
      const double reciprocal = 1.0 / square.L_diagonal[k];
      const auto* only = reinterpret_cast<const MaskMemory*>(kOnly.bits + kLeaf - k);
#pragma GCC unroll 16
      for (int p = 0; p < kParts; ++p) {
        const Mask one = only[p].v;
        c[p] = reinterpret_cast<V>((reinterpret_cast<Mask>(c[p] * reciprocal) & ~one) |
                                   (reinterpret_cast<Mask>(V{} + reciprocal) & one));
        column(k)[p].v = c[p];
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
        V s = reinterpret_cast<V>(reinterpret_cast<MaskMemory*>(square.column[i])[p].v & ~group[p].v);
#pragma GCC unroll 16
        for (int u = 0; u < kGroup; ++u) s -= square.column[k0 + u][i] * w[u][p];
        column(i)[p].v = s;
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
      reinterpret_cast<MaskMemory*>(square.column[j])[p].v =
          reinterpret_cast<const MaskMemory*>(P + j * ld)[p].v & from[p].v;
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
      reinterpret_cast<MaskMemory*>(P + j * ld)[p].v = (L[p].v & from[p].v) | (S[p].v & ~from[p].v);
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

using FactorLeaf = Index (*)(Index n, double* P, Index ld);

Index factor_leaf_2(Index n, double* P, Index ld) { return factor_leaf<2>(n, P, ld); }
#if defined(__x86_64__)
LACUNA_VECTOR_4 Index factor_leaf_4(Index n, double* P, Index ld) { return factor_leaf<4>(n, P, ld); }
LACUNA_VECTOR_8 Index factor_leaf_8(Index n, double* P, Index ld) { return factor_leaf<8>(n, P, ld); }
#endif

FactorLeaf chosen() {
#if defined(__x86_64__)
  if (widest_vector() == 8) return factor_leaf_8;
  if (widest_vector() == 4) return factor_leaf_4;
#endif
  return factor_leaf_2;
}

}  // namespace

Index factor_and_invert_leaf(Index n, double* P, Index ld) {
  static const FactorLeaf run = chosen();
  return run(n, P, ld);
}

}  // namespace lacuna::cpu

// compute/cpu/leaf_factor.cpp (of leaf.hpp) -- the smallest Cholesky factor, and its inverse.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/compute/cpu/leaf.hpp"
#include "lacuna/compute/cpu/wide.hpp"

namespace lacuna::compute::cpu {

// Four steps of the elimination are taken together, so that later columns are read and written once for four. All loops
// run over whole columns, of constant length: the compiler makes full vectors of them.
LACUNA_WIDE Index factor_and_invert_leaf(Index n, double* P, Index ld) {
  constexpr Index kGroup = 4;
  static_assert(kLeaf % kGroup == 0);
  alignas(64) double square[kLeaf][kLeaf] = {};  // [column][row]; rows and columns from n on are those of the identity
  alignas(64) double w[kGroup][kLeaf];           // the group's columns, as later columns see them
  double diagonal[kLeaf];
  for (Index j = 0; j < n; ++j) std::copy_n(P + j * (ld + 1), n - j, square[j] + j);
  for (Index j = n; j < kLeaf; ++j) square[j][j] = 1.0;
  for (Index k0 = 0; k0 < n; k0 += kGroup) {
    for (Index u = 0; u < kGroup; ++u) {
      const Index k = k0 + u;
      double* c = square[k];
      for (Index t = 0; t < u; ++t) {
        const double factor = square[k0 + t][k];
        c[k0 + t] = 0.0;  // held A; from step k0 + t on it holds S', which starts from zero
        for (Index i = 0; i < kLeaf; ++i) c[i] -= factor * w[t][i];
      }
      const double pivot = c[k];
      if (!(pivot > 0.0) || pivot > std::numeric_limits<double>::max()) return k + 1;  // also catches NaN, infinity
      diagonal[k] = std::sqrt(pivot);
      for (Index i = 0; i < kLeaf; ++i) c[i] *= 1.0 / diagonal[k];
      c[k] = 1.0 / diagonal[k];
      std::copy_n(c, kLeaf, w[u]);
      for (Index t = 0; t < u; ++t) w[t][k] = 0.0;
    }
    for (Index j = k0 + kGroup; j < n; ++j) {
      double* c = square[j];
      std::fill_n(c + k0, kGroup, 0.0);
      const double f[] = {square[k0][j], square[k0 + 1][j], square[k0 + 2][j], square[k0 + 3][j]};
      for (Index i = 0; i < kLeaf; ++i) c[i] -= f[0] * w[0][i] + f[1] * w[1][i] + f[2] * w[2][i] + f[3] * w[3][i];
    }
  }
  for (Index j = 0; j < n; ++j) {
    std::copy_n(square[j], j + 1, P + (j + 1) * ld);
    std::copy(square[j] + j, square[j] + n, P + j * (ld + 1));
    P[j * (ld + 1)] = diagonal[j];
  }
  return 0;
}

}  // namespace lacuna::compute::cpu

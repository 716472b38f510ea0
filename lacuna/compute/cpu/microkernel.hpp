// compute/cpu/microkernel.hpp -- the innermost loop of every matrix product of ours: a block of kRows x kColumns sums,
// all in registers, over packed operands.
//
//   packed A: for each k, kRows consecutive entries of column k;   packed B: for each k, kColumns of them
//
// The block is as large as the registers allow: every entry loaded is then used in as many multiplications as can be,
// and there are enough independent sums to hide the latency of one.
#pragma once

#include "lacuna/base/matrix.hpp"
#include "lacuna/compute/cpu/vector.hpp"

namespace lacuna::compute::cpu {

// Columns asked for ahead of their use: A comes from the second-level cache, and B the first time from the third.
inline constexpr Index kAhead = 16;

template <int width, int parts = 3>
struct Block {
  using V = typename VectorOf<width>::Type;
  using Memory = typename VectorOf<width>::Memory;
  static constexpr int kParts = parts;
  static constexpr int kRows = parts * width;
  static constexpr int kColumns = width == 8 ? 8 : 4;  // 24 sums in 32 registers, or 12 in 16
  V sum[kColumns][kParts];
};

/// sum += A B' over `depth` columns of the packed operands. Fewer parts than a whole block has: some of its rows only,
/// `a` being the first of them.
template <int width, int parts>
[[gnu::always_inline]] inline void accumulate(Index depth, const double* a, const double* b,
                                              Block<width, parts>& block) {
  using B = Block<width, parts>;
  constexpr int kStep = Block<width>::kRows;
#pragma GCC unroll 4
  for (Index k = 0; k < depth; ++k) {
#pragma GCC unroll 4
    for (int line = 0; line < B::kRows; line += 8) __builtin_prefetch(a + kAhead * kStep + line);
    __builtin_prefetch(b + kAhead * B::kColumns);
    typename B::V column[parts];
#pragma GCC unroll 4
    for (int p = 0; p < parts; ++p) column[p] = reinterpret_cast<const typename B::Memory*>(a)[p].v;
#pragma GCC unroll 16
    for (int j = 0; j < B::kColumns; ++j)
#pragma GCC unroll 4
      for (int p = 0; p < parts; ++p) block.sum[j][p] += column[p] * b[j];
    a += kStep;
    b += B::kColumns;
  }
}

}  // namespace lacuna::compute::cpu

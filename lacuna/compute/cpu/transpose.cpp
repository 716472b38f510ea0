#include "lacuna/compute/cpu/transpose.hpp"

#include <algorithm>

#include "lacuna/compute/cpu/vector.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::cpu {
namespace {

// Two levels: tiles of kSquare x kSquare, whose rows and columns fit the first-level cache and the address cache
// together; inside, 4 x 4 blocks in registers, because one strided store for each element is what makes a plain loop
// slow.
constexpr Index kSquare = 32;
constexpr Index kBlock = 4;

using V = VectorOf<4>::Type;
using Anywhere = VectorOf<4>::Memory;

[[gnu::always_inline]] inline void transpose_block(const double* A, Index lda, double* B, Index ldb) {
  const auto in = [&](Index j) { return reinterpret_cast<const Anywhere*>(A + j * lda); };
  const auto out = [&](Index i) { return reinterpret_cast<Anywhere*>(B + i * ldb); };
  const V a0 = in(0)->v, a1 = in(1)->v, a2 = in(2)->v, a3 = in(3)->v;
  const V even01 = __builtin_shufflevector(a0, a1, 0, 4, 2, 6);  // a0[0] a1[0] a0[2] a1[2]
  const V odd01 = __builtin_shufflevector(a0, a1, 1, 5, 3, 7);
  const V even23 = __builtin_shufflevector(a2, a3, 0, 4, 2, 6);
  const V odd23 = __builtin_shufflevector(a2, a3, 1, 5, 3, 7);
  out(0)->v = __builtin_shufflevector(even01, even23, 0, 1, 4, 5);
  out(1)->v = __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5);
  out(2)->v = __builtin_shufflevector(even01, even23, 2, 3, 6, 7);
  out(3)->v = __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7);
}

[[gnu::always_inline]] inline void transpose_tile(Index m, Index n, const double* A, Index lda, double* B, Index ldb) {
  const Index m4 = m / kBlock * kBlock;
  const Index n4 = n / kBlock * kBlock;
  for (Index i = 0; i < m4; i += kBlock)
    for (Index j = 0; j < n4; j += kBlock) transpose_block(A + i + j * lda, lda, B + j + i * ldb, ldb);
  for (Index j = 0; j < n; ++j)
    for (Index i = j < n4 ? m4 : 0; i < m; ++i) B[j + i * ldb] = A[i + j * lda];
}

using TransposeTile = void (*)(Index m, Index n, const double* A, Index lda, double* B, Index ldb);

void tile_plain(Index m, Index n, const double* A, Index lda, double* B, Index ldb) {
  transpose_tile(m, n, A, lda, B, ldb);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) void tile_avx2(Index m, Index n, const double* A, Index lda, double* B, Index ldb) {
  transpose_tile(m, n, A, lda, B, ldb);
}
#endif

TransposeTile chosen_transpose() {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx2) return tile_avx2;
#endif
  return tile_plain;
}

// One triangle onto the other; tiles on the diagonal by single elements.
void mirror(Index n, double* C, Index ldc, bool from_lower) {
  const TransposeTile tile = chosen_transpose();
  const auto strip = [&](Index j0) {
    const Index width = std::min(kSquare, n - j0);
    for (Index j = j0; j < j0 + width; ++j)
      for (Index i = j + 1; i < j0 + width; ++i)
        (from_lower ? C[j + i * ldc] : C[i + j * ldc]) = from_lower ? C[i + j * ldc] : C[j + i * ldc];
    for (Index i0 = j0 + kSquare; i0 < n; i0 += kSquare) {
      const Index height = std::min(kSquare, n - i0);
      if (from_lower)
        tile(height, width, C + i0 + j0 * ldc, ldc, C + j0 + i0 * ldc, ldc);
      else
        tile(width, height, C + j0 + i0 * ldc, ldc, C + i0 + j0 * ldc, ldc);
    }
  };
  parallel_ranges(n, n > 512 ? 2 * kSquare : n, [&](Index first, Index last) {
    for (Index j0 = first; j0 < last; j0 += kSquare) strip(j0);
  });
}

}  // namespace

void transpose(Index m, Index n, const double* A, Index lda, double* B, Index ldb) {
  const TransposeTile tile = chosen_transpose();
  const auto strip = [=](Index j) {
    for (Index i = 0; i < m; i += kSquare)
      tile(std::min(kSquare, m - i), std::min(kSquare, n - j), A + i + j * lda, lda, B + j + i * ldb, ldb);
  };
  parallel_ranges(n, m * n <= Index(512) * 512 ? n : 4 * kSquare, [&](Index first, Index last) {
    for (Index j = first; j < last; j += kSquare) strip(j);
  });
}

void mirror_lower(Index n, double* C, Index ldc) { mirror(n, C, ldc, true); }
void mirror_upper(Index n, double* C, Index ldc) { mirror(n, C, ldc, false); }

}  // namespace lacuna::compute::cpu

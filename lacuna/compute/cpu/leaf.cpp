#include "lacuna/compute/cpu/leaf.hpp"

#include <cmath>
#include <limits>

#include "lacuna/compute/cpu/triangular.hpp"

namespace lacuna::cpu {
namespace {

// The same source for each vector width; `width` is in doubles. The compiler's vector types rather than a library's,
// so that one file serves every processor and picks when the program runs.
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

struct alignas(64) Buffer {
  double column[kLeaf][kLeaf];  // column[j][i]
  double L_diagonal[kLeaf];
};

template <int width>
[[gnu::always_inline]] inline Index eliminate(Index n, Buffer& buffer) {
  using V = typename VectorOf<width>::Type;
  using Mask = typename VectorOf<width>::Mask;
  constexpr int kParts = int(kLeaf) / width;
  for (Index k = 0; k < n; ++k) {
    V* w = reinterpret_cast<V*>(buffer.column[k]);
    const double pivot = buffer.column[k][k];
    if (!(pivot > 0.0) || pivot > std::numeric_limits<double>::max()) return k + 1;  // also catches NaN and infinity
    const double root = std::sqrt(pivot);
    buffer.L_diagonal[k] = root;
    for (int p = 0; p < kParts; ++p) w[p] *= 1.0 / root;
    buffer.column[k][k] = 1.0 / root;
    V r[kParts];
    for (int p = 0; p < kParts; ++p) r[p] = w[p];
    // Row k of the later columns held A; from now on it holds S', which starts from zero.
    Mask keep;
    for (int lane = 0; lane < width; ++lane) keep[lane] = lane == int(k) % width ? 0 : -1;
    const int kp = int(k) / width;
    for (Index i = k + 1; i < n; ++i) {
      V* c = reinterpret_cast<V*>(buffer.column[i]);
      const double factor = buffer.column[k][i];
      c[kp] = reinterpret_cast<V>(reinterpret_cast<Mask>(c[kp]) & keep);
      for (int p = 0; p < kParts; ++p) c[p] -= factor * r[p];
    }
  }
  return 0;
}

Index eliminate_plain(Index n, Buffer& b) { return eliminate<2>(n, b); }

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) Index eliminate_avx2(Index n, Buffer& b) { return eliminate<4>(n, b); }
__attribute__((target("avx512f,avx512dq,avx2,fma"))) Index eliminate_avx512(Index n, Buffer& b) {
  return eliminate<8>(n, b);
}
#endif

using Eliminate = Index (*)(Index, Buffer&);

Eliminate widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return eliminate_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return eliminate_avx2;
#endif
  return eliminate_plain;
}

}  // namespace

Index factor_and_invert_leaf(Index n, double* P, Index ld) {
  static const Eliminate run = widest();
  Buffer buffer;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) buffer.column[j][i] = 0.0;  // overwritten before it is used, but must be finite
    for (Index i = j; i < n; ++i) buffer.column[j][i] = P[i + j * ld];
    for (Index i = n; i < kLeaf; ++i) buffer.column[j][i] = 0.0;
  }
  if (const Index failed = run(n, buffer)) return failed;
  for (Index j = 0; j < n; ++j) {
    P[j + j * ld] = buffer.L_diagonal[j];
    for (Index i = j + 1; i < n; ++i) P[i + j * ld] = buffer.column[j][i];
    for (Index i = 0; i <= j; ++i) P[i + (j + 1) * ld] = buffer.column[j][i];
  }
  return 0;
}

}  // namespace lacuna::cpu

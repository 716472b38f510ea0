#include "lacuna/compute/cpu/panel_substitute.hpp"

#include <algorithm>

#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/microkernel.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {
namespace {

// L as the substitution reads it: `group` rows at a time, each column of them consecutive, up to and including their
// triangle on the diagonal; then the reciprocals of the diagonal. Rows after the last are those of the identity.
struct PackedFactor {
  Index n, group;
  double* data;

  static Index groups(Index n, Index group) { return (n + group - 1) / group; }
  static Index size(Index n, Index group) {
    const Index g = groups(n, group);
    return group * group * g * (g + 1) / 2 + g * group;
  }
  double* rows(Index j) const { return data + j * (j + group) / 2; }
  double* reciprocals() const { return rows(groups(n, group) * group); }
};

void pack(const double* P, Index ld, const PackedFactor& to) {
  for (Index j = 0; j < to.n; j += to.group) {
    const Index present = std::min(to.group, to.n - j);
    for (Index k = 0; k < j + to.group; ++k) {
      double* out = to.rows(j) + k * to.group;
      const Index first = std::min(to.group, std::max<Index>(0, k - j));
      for (Index r = 0; r < to.group; ++r) out[r] = r >= first && r < present && k < to.n ? P[j + r + k * ld] : 0.0;
    }
    for (Index r = 0; r < to.group; ++r) to.reciprocals()[j + r] = r < present ? P[j + r + (j + r + 1) * ld] : 1.0;
  }
}

// One group of unknowns for one block of rows. `tile` has the unknowns found so far, packed as the micro-kernel reads
// them.
template <int width, bool whole>
[[gnu::always_inline]] inline void step(const PackedFactor& L, Index j, double* tile, double* X, Index ldx) {
  using B = Block<width>;
  const Index columns = whole ? B::kColumns : L.n - j;
  const double* triangle = L.rows(j) + j * B::kColumns;
  const double* reciprocal = L.reciprocals() + j;
  B x = {};
  accumulate(j, tile, L.rows(j), x);
#pragma GCC unroll 16
  for (int c = 0; c < B::kColumns; ++c) {
    if (!whole && c >= columns) break;
    auto* out = reinterpret_cast<typename B::Memory*>(X + (j + c) * ldx);
    auto* kept = reinterpret_cast<typename B::Memory*>(tile + (j + c) * B::kRows);
#pragma GCC unroll 16
    for (int p = 0; p < B::kParts; ++p) x.sum[c][p] = out[p].v - x.sum[c][p];
#pragma GCC unroll 16
    for (int before = 0; before < c; ++before) {
      const double l = triangle[before * B::kColumns + c];
#pragma GCC unroll 16
      for (int p = 0; p < B::kParts; ++p) x.sum[c][p] -= l * x.sum[before][p];
    }
#pragma GCC unroll 16
    for (int p = 0; p < B::kParts; ++p) {
      x.sum[c][p] *= reciprocal[c];
      out[p].v = x.sum[c][p];
      kept[p].v = x.sum[c][p];
    }
  }
}

template <int width>
[[gnu::always_inline]] inline void solve_block(const PackedFactor& L, double* X, Index ldx) {
  using B = Block<width>;
  alignas(64) double tile[kPanel * B::kRows];
  Index j = 0;
  for (; j + B::kColumns <= L.n; j += B::kColumns) step<width, true>(L, j, tile, X, ldx);
  if (j < L.n) step<width, false>(L, j, tile, X, ldx);
}

struct SubstitutionLoops {
  Index rows, columns;
  void (*solve)(const PackedFactor& L, double* X, Index ldx);  // `rows` rows of X
};

void solve_2(const PackedFactor& L, double* X, Index ldx) { solve_block<2>(L, X, ldx); }
#if defined(__x86_64__)
LACUNA_VECTOR_4 void solve_4(const PackedFactor& L, double* X, Index ldx) { solve_block<4>(L, X, ldx); }
LACUNA_VECTOR_8 void solve_8(const PackedFactor& L, double* X, Index ldx) { solve_block<8>(L, X, ldx); }
#endif

template <int width>
constexpr SubstitutionLoops loops(decltype(SubstitutionLoops::solve) solve) {
  return {Block<width>::kRows, Block<width>::kColumns, solve};
}

SubstitutionLoops chosen_substitution() {
#if defined(__x86_64__)
  if (widest_vector() == 8) return loops<8>(solve_8);
  if (widest_vector() == 4) return loops<4>(solve_4);
#endif
  return loops<2>(solve_2);
}

// The last rows, fewer than a block, by way of a whole one.
void solve_last(const SubstitutionLoops& run, const PackedFactor& L, Index rows, double* X, Index ldx) {
  constexpr Index kMost = Block<8>::kRows;
  alignas(64) double block[kPanel * kMost];
  for (Index k = 0; k < L.n; ++k) {
    std::copy_n(X + k * ldx, rows, block + k * run.rows);
    std::fill(block + k * run.rows + rows, block + (k + 1) * run.rows, 0.0);
  }
  run.solve(L, block, run.rows);
  for (Index k = 0; k < L.n; ++k) std::copy_n(block + k * run.rows, rows, X + k * ldx);
}

}  // namespace

void substitute_panel(Index n, const double* P, Index ld, Index m, double* X, Index ldx) {
  if (n == 0 || m == 0) return;
  static const SubstitutionLoops run = chosen_substitution();
  thread_local Scratch scratch;
  const PackedFactor L{n, run.columns, scratch.room(PackedFactor::size(n, run.columns))};
  pack(P, ld, L);
  const Index whole = m / run.rows * run.rows;
  const Index threads = m < 256 ? 1 : thread_count();
  const Index share = threads == 1 ? whole : (whole / run.rows / (2 * threads) + 1) * run.rows;
  parallel_ranges(whole, std::max(share, run.rows), [&](Index first, Index last) {
    for (Index i = first; i < last; i += run.rows) run.solve(L, X + i, ldx);
  });
  if (whole < m) solve_last(run, L, m - whole, X + whole, ldx);
}

}  // namespace lacuna::compute::cpu

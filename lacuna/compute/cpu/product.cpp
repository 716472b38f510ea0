#include "lacuna/compute/cpu/product.hpp"

#include <algorithm>

#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/microkernel.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {
namespace {

// What is packed at a time: kDepth x kWide of B for the third-level cache, kDepth x kTall of A for the second.
constexpr Index kDepth = 384;
constexpr Index kTall = 192;
constexpr Index kWide = 2048;

struct Task {
  Part part;
  double alpha;
  Index fresh_from;  // row of C
  double* C;
  Index ldc;
};

// Packed rows i0 .. i0 + rows of an operand, from column k0 on.
struct Packed {
  double* data;
  Index i0, rows, depth, whole;
  // Columns before this are zero in all rows from i on, and are not packed.
  Index start(Index i) const { return std::min(depth, std::max<Index>(0, i0 + i - whole)); }
};

// One column of one group of rows, of which the first `present` are there; zeros for the others.
template <int width, int group>
[[gnu::always_inline]] inline void pack_column(const double* in, double weight, Index present, double* out) {
  using Memory = typename VectorOf<width>::Memory;
  if (present >= group) {
#pragma GCC unroll 16
    for (int p = 0; p < group / width; ++p)
      reinterpret_cast<Memory*>(out)[p].v = weight * reinterpret_cast<const Memory*>(in)[p].v;
  } else {
    for (Index r = 0; r < group; ++r) out[r] = r < present ? weight * in[r] : 0.0;
  }
}

// Groups of `group` rows, some of them side by side so that more than one cache line of a column is read at a time.
template <int width, int group>
[[gnu::always_inline]] inline void pack(const Panel& from, Index k0, const Columns* columns, bool weighted,
                                        const Packed& to) {
  constexpr Index kSideBySide = 48;
  for (Index first = 0; first < to.rows; first += kSideBySide) {
    const Index last = std::min(to.rows, first + kSideBySide);
    for (Index k = to.start(first); k < to.depth; ++k) {
      const double* in = from.data + to.i0 + (columns ? columns->which[k0 + k] : k0 + k) * from.ld;
      const double weight = weighted ? columns->weight[k0 + k] : 1.0;
      const Index end = std::min(to.rows, k + to.whole - to.i0 + 1);
      for (Index i = first; i < last; i += group)
        pack_column<width, group>(in + i, weight, end - i, to.data + i * to.depth + k * group);
    }
  }
}

template <class B>
[[gnu::always_inline]] inline void store_whole(const B& block, const Task& t, double* C, bool fresh) {
#pragma GCC unroll 16
  for (int j = 0; j < B::kColumns; ++j) {
    auto* c = reinterpret_cast<typename B::Memory*>(C + j * t.ldc);
#pragma GCC unroll 16
    for (int p = 0; p < B::kParts; ++p) c[p].v = fresh ? t.alpha * block.sum[j][p] : c[p].v + t.alpha * block.sum[j][p];
  }
}

// The part of a block that is in C and in the triangle asked for; the block's first entry is (i, j) of C.
template <class B>
[[gnu::always_inline]] inline void store_part(const B& block, const Task& t, Index i, Index j, Index rows,
                                              Index columns) {
  alignas(64) double sum[B::kColumns][B::kRows];
#pragma GCC unroll 16
  for (int c = 0; c < B::kColumns; ++c)
#pragma GCC unroll 16
    for (int p = 0; p < B::kParts; ++p) reinterpret_cast<typename B::Memory*>(sum[c])[p].v = block.sum[c][p];
  for (Index c = 0; c < columns; ++c) {
    double* out = t.C + i + (j + c) * t.ldc;
    for (Index r = t.part == Part::lower ? std::max<Index>(0, j + c - i) : 0; r < rows; ++r)
      out[r] = i + r >= t.fresh_from ? t.alpha * sum[c][r] : out[r] + t.alpha * sum[c][r];
  }
}

// Rows i .. i + rows and columns j .. j + columns of what is packed, `parts` vectors of rows at most.
template <int width, int parts>
[[gnu::always_inline]] inline void multiply_block(const Packed& A, const Packed& B, const Task& t, Index group, Index i,
                                                  Index rows, Index j, Index columns) {
  using Sums = Block<width, parts>;
  const Index row = A.i0 + i, column = B.i0 + j;
  double* C = t.C + row + column * t.ldc;
#pragma GCC unroll 16
  for (int c = 0; c < Sums::kColumns; ++c)
#pragma GCC unroll 16
    for (int r = 0; r < Sums::kRows; r += 8) __builtin_prefetch(C + r + c * t.ldc, 1);
  const Index start = std::max(A.start(group), B.start(j));
  Sums sums = {};
  accumulate(A.depth - start, A.data + group * A.depth + start * Block<width>::kRows + (i - group),
             B.data + j * B.depth + start * Sums::kColumns, sums);
  const bool fresh = row >= t.fresh_from;
  const bool across = (!fresh && row + rows > t.fresh_from) || (t.part == Part::lower && row < column + columns - 1);
  if (rows == Sums::kRows && columns == Sums::kColumns && !across)
    store_whole(sums, t, C, fresh);
  else
    store_part(sums, t, row, column, rows, columns);
}

template <int width>
[[gnu::always_inline]] inline void multiply_packed(const Packed& A, const Packed& B, const Task& t) {
  constexpr Index kRows = Block<width>::kRows, kColumns = Block<width>::kColumns;
  for (Index j = 0; j < B.rows; j += kColumns) {
    const Index columns = std::min(kColumns, B.rows - j);
    for (Index group = 0; group < A.rows; group += kRows) {
      // Vectors of rows that are above the diagonal, or past the last row, are left out.
      const Index above = t.part == Part::lower ? std::max<Index>(0, B.i0 + j - A.i0 - group) / width * width : 0;
      const Index rows = std::min(kRows, A.rows - group) - above;
      if (rows <= 0) continue;
      if (rows > Index(2) * width)
        multiply_block<width, 3>(A, B, t, group, group + above, rows, j, columns);
      else if (rows > width)
        multiply_block<width, 2>(A, B, t, group, group + above, rows, j, columns);
      else
        multiply_block<width, 1>(A, B, t, group, group + above, rows, j, columns);
    }
  }
}

template <int width>
[[gnu::always_inline]] inline void pack_A(const Panel& from, Index k0, const Columns* columns, const Packed& to) {
  pack<width, Block<width>::kRows>(from, k0, columns, false, to);
}
template <int width>
[[gnu::always_inline]] inline void pack_B(const Panel& from, Index k0, const Columns* columns, const Packed& to) {
  pack<width, Block<width>::kColumns>(from, k0, columns, columns != nullptr, to);
}

struct ProductLoops {
  Index rows, columns;
  void (*pack_A)(const Panel&, Index, const Columns*, const Packed&);
  void (*pack_B)(const Panel&, Index, const Columns*, const Packed&);
  void (*multiply)(const Packed&, const Packed&, const Task&);
};

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute takes none
#define LACUNA_PRODUCT_LOOPS(width, attribute)                                                                      \
  attribute void pack_A_##width(const Panel& from, Index k0, const Columns* columns, const Packed& to) {            \
    pack_A<width>(from, k0, columns, to);                                                                           \
  }                                                                                                                 \
  attribute void pack_B_##width(const Panel& from, Index k0, const Columns* columns, const Packed& to) {            \
    pack_B<width>(from, k0, columns, to);                                                                           \
  }                                                                                                                 \
  attribute void multiply_##width(const Packed& A, const Packed& B, const Task& t) {                                \
    multiply_packed<width>(A, B, t);                                                                                \
  }                                                                                                                 \
  constexpr ProductLoops kLoops##width{Block<width>::kRows, Block<width>::kColumns, pack_A_##width, pack_B_##width, \
                                       multiply_##width};
// NOLINTEND(bugprone-macro-parentheses)

LACUNA_PRODUCT_LOOPS(2, )
#if defined(__x86_64__)
LACUNA_PRODUCT_LOOPS(4, LACUNA_VECTOR_4)
LACUNA_PRODUCT_LOOPS(8, LACUNA_VECTOR_8)
#endif

ProductLoops chosen_product() {
#if defined(__x86_64__)
  if (widest_vector() == 8) return kLoops8;
  if (widest_vector() == 4) return kLoops4;
#endif
  return kLoops2;
}

Index up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

// The columns j0 .. j0 + wide of C, with kDepth columns of the operands at a time.
struct Slab {
  const ProductLoops& run;
  const Panel& A;
  const Panel& B;
  const Columns* columns;
  Index k0, depth;
  double* room_B;
  Task task;

  Packed packed_B(Index j0, Index j, Index rows) const {
    return {room_B + j * depth, j0 + j, rows, depth, B.whole + k0};
  }
  void pack(const Packed& to) const { run.pack_B(B, k0, columns, to); }
  void multiply(Index i, Index rows, const Packed& all_B) const {
    thread_local Scratch scratch;
    const Packed some_A{scratch.room(up(rows, run.rows) * depth), i, rows, depth, A.whole + k0};
    run.pack_A(A, k0, columns, some_A);
    run.multiply(some_A, all_B, task);
  }
};

}  // namespace

void add_product(Part part, Index m, Index n, Index k, double alpha, const Panel& A, const Panel& B, double* C,
                 Index ldc, Index fresh_from, const Columns* columns) {
  if (m == 0 || n == 0) return;
  static const ProductLoops run = chosen_product();
  thread_local Scratch scratch;
  const Index threads = m * n * k < Index(64) * 64 * 64 ? 1 : thread_count();
  const Index tall = threads == 1 ? kTall : std::min(kTall, up(m / (4 * threads) + 1, run.rows));
  for (Index j0 = 0; j0 < n; j0 += kWide) {
    const Index wide = std::min(kWide, n - j0);
    // The first row of C in which these columns have entries.
    const Index top = part == Part::lower ? j0 : 0;
    for (Index k0 = 0; k0 < std::max<Index>(k, 1); k0 += kDepth) {
      const Index depth = std::min(kDepth, k - k0);
      const Slab slab{run,
                      A,
                      B,
                      columns,
                      k0,
                      depth,
                      scratch.room(up(wide, run.columns) * depth),
                      {part, alpha, k0 == 0 ? fresh_from : kNoRow, C, ldc}};
      const Packed all_B = slab.packed_B(j0, 0, wide);
      if (threads == 1) {
        check_stop();
        slab.pack(all_B);
        for (Index i = top; i < m; i += tall) slab.multiply(i, std::min(tall, m - i), all_B);
        continue;
      }
      parallel_ranges(wide, up(wide / threads + 1, run.columns),
                      [&](Index j, Index end) { slab.pack(slab.packed_B(j0, j, end - j)); });
      parallel_ranges(m - top, tall, [&](Index i, Index end) { slab.multiply(top + i, end - i, all_B); });
    }
  }
}

}  // namespace lacuna::compute::cpu

// compute/cpu/slopes.cpp (of tiles.hpp) -- how steep expansions in a kernel are along each feature, tile by tile
// (kernel/slope.hpp).
//
// With H = dk/du of a tile and the rows scaled as the formula wants them, sum_j a_j H_ij (x_i - y_j) is two products,
// diag(H a) X - (H diag(a)) Y, for all features together.
#include <cblas.h>

#include <algorithm>
#include <vector>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/cpu/elementwise.hpp"
#include "lacuna/compute/cpu/tiles.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/kernel/slope.hpp"

namespace lacuna::compute::cpu {
namespace {

// Rows that agree to ten digits are one row: their difference is rounding, and a kernel with a cusp (matern12) would
// divide by it.
constexpr double same_row = 1e-20;
constexpr Index most_numbers = 1 << 20;  // of a block of slopes, so that very many features take fewer rows at a time

}  // namespace

void KernelTiles::add_slopes(Index i0, Index ni, Index j0, Index nj, const Matrix& A, RowMatrix& out) const {
  std::size_t leaf = 0;
  const std::vector<double> ones(std::size_t(ni * nj), 1.0);
  add_slopes(kernel_, leaf, {i0, ni, j0, nj}, ones.data(), A, out);
}

// G: what the slopes of this kernel are multiplied by, the other parts of a product around it.
void KernelTiles::add_slopes(const Kernel& kernel, std::size_t& leaf, const Tile& t, const double* G, const Matrix& A,
                             RowMatrix& out) const {
  std::visit(
      [&]<class K>(const K& k) {
        if constexpr (std::is_same_v<K, kernels::Product>) {
          const std::size_t first = leaf;
          const std::vector<std::vector<double>> value = values_of_parts(k.parts, leaf, t);
          leaf = first;
          for (std::size_t i = 0; i < k.parts.size(); ++i)
            add_slopes(k.parts[i], leaf, t, times_others(G, value, i).data(), A, out);
        } else if constexpr (kernels::HasParts<K>) {
          for (const Kernel& part : k.parts) add_slopes(part, leaf, t, G, A, out);
        } else {
          if constexpr (HasSlope<K>) {
            Matrix H(t.ni, t.nj);
            coordinates(leaf, t, H.data(), t.ni);
            const Leaf& at = leaves_[leaf];
            const Vector& x_norm = (same_ ? at.y : at.x).norm;
            for (Index j = 0; j < t.nj; ++j)
              for (Index i = 0; i < t.ni; ++i) {
                double& h = H(i, j);
                const bool twins =
                    at.geometry != kernels::Geometry::dot && h <= same_row * (x_norm[t.i0 + i] + at.y.norm[t.j0 + j]);
                h = twins ? 0.0 : G[i + j * t.ni] * slope_in_u(k, h, k.value(h));
              }
            add_leaf_slopes(leaf, t, H, A, out);
          }
          ++leaf;
        }
      },
      kernel.form);
}

void KernelTiles::add_leaf_slopes(std::size_t index, const Tile& t, const Matrix& H, const Matrix& A,
                                  RowMatrix& out) const {
  const Leaf& leaf = leaves_[index];
  const PreparedRows& y = leaf.y;
  const PreparedRows& x = same_ ? leaf.y : leaf.x;
  const Index d = X_.cols();
  const bool distance = leaf.geometry != kernels::Geometry::dot;
  const Vector scale = leaf.scale.size() > 0 ? leaf.scale : Vector(Vector::Ones(d));
  for (Index c = 0; c < A.cols(); ++c) {
    const Matrix Ha = H * A.col(c).segment(t.j0, t.nj).asDiagonal();
    const Vector sum = Ha.rowwise().sum();
    RowMatrix HY = RowMatrix::Zero(t.ni, d);
    if (y.sparse != nullptr) {
      const SparseView& s = *y.sparse;
      for (Index i = 0; i < t.ni; ++i)
        for (Index j = 0; j < t.nj; ++j)
          for (auto k = s.row_start[t.j0 + j]; k < s.row_start[t.j0 + j + 1]; ++k)
            HY(i, s.column[k]) += Ha(i, j) * s.value[k];
    } else {
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, int(t.ni), int(d), int(t.nj), 1.0, Ha.data(), int(t.ni),
                  y.dense.data() + t.j0 * d, int(d), 0.0, HY.data(), int(d));
    }
    auto block = out.middleCols(c * d, d).topRows(t.ni);
    if (!distance) {
      block += HY * scale.asDiagonal();
      continue;
    }
    block -= 2.0 * (HY * scale.asDiagonal());
    if (x.sparse == nullptr) {
      block += 2.0 * (sum.asDiagonal() * x.dense.middleRows(t.i0, t.ni) * scale.asDiagonal());
      continue;
    }
    const SparseView& s = *x.sparse;
    for (Index i = 0; i < t.ni; ++i)
      for (auto k = s.row_start[t.i0 + i]; k < s.row_start[t.i0 + i + 1]; ++k)
        block(i, s.column[k]) += 2.0 * sum[i] * s.value[k] * scale[s.column[k]];
  }
}

Vector squared_slopes(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A,
                      const Vector& weights) {
  if (X.is_sparse() != Y.is_sparse())  // tiles want rows of one kind
    return X.is_sparse() ? squared_slopes(kernel, dense_copy(X), Y, A, weights)
                         : squared_slopes(kernel, X, dense_copy(Y), A, weights);
  const KernelTiles tiles(kernel, X, Y);
  const Index d = X.cols(), m = A.cols();
  const Index step = std::clamp<Index>(most_numbers / std::max<Index>(1, d * m), 1, kTile);
  const Index blocks = (X.rows() + step - 1) / step;
  Matrix sums(d, blocks);  // one column for each block: the same sum whatever the threads
  parallel_for(blocks, [&](Index b) {
    const Index i0 = b * step, ni = std::min(step, X.rows() - i0);
    RowMatrix slopes = RowMatrix::Zero(ni, d * m);
    for (Index j0 = 0; j0 < Y.rows(); j0 += kTile)
      tiles.add_slopes(i0, ni, j0, std::min(kTile, Y.rows() - j0), A, slopes);
    sums.col(b).setZero();
    for (Index c = 0; c < m; ++c)
      sums.col(b) += slopes.middleCols(c * d, d).cwiseAbs2().transpose() * weights.segment(i0, ni);
  });
  return sums.rowwise().sum();
}

}  // namespace lacuna::compute::cpu

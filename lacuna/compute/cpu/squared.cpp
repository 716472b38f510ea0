// compute/cpu/squared.cpp (of factor.hpp) -- the gradient through the Gram matrix R C R, C = diag(c), of a kernel
// matrix R: since
//
//   <G, dR C R + R C dR> = <H C + C H', dR>,   H = G R
//
// one dense product turns it into a gradient through R itself, and tiles do the rest.
#include <algorithm>

#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/cpu/factor.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::cpu {
namespace {

// -T over the rows in use, 0 elsewhere: all n x n of it, the lower triangle counts.
Buffer spread(Buffer T, const std::vector<Index>& used, Index n) {
  const auto m = Index(used.size());
  if (T.data() != nullptr && m == n) {
    Eigen::Map<Matrix>(T.data(), n, n) *= -1.0;
    return T;
  }
  Buffer all(n * n);
  Eigen::Map<Matrix> G(all.data(), n, n);
  G.setZero();
  if (T.data() == nullptr) return all;
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) G(used[std::size_t(i)], used[std::size_t(j)]) = -T.data()[i + j * m];
  return all;
}

}  // namespace

Vector CpuFactor::contract_squared(const Matrix& left, const Matrix& right, Buffer T) const {
  const Index n = rows();
  Buffer H(n * n);
  {
    Buffer G = spread(std::move(T), used_, n);
    double* g = G.data();
    add_syr2k_lower(n, left.cols(), 0.5, left.data(), right.data(), n, g, n);
    mirror_lower(n, g, n);
    const Buffer R = gram_->root();
    gemm(Op::as_is, Op::as_is, n, n, n, 1.0, g, n, R.data(), n, 0.0, H.data(), n);
  }
  const Eigen::Map<const Matrix> h(H.data(), n, n);
  const Vector& c = gram_->column_weights();
  const KernelTiles& tiles = gram_->tiles();
  const auto list = lower_tiles(n);
  Matrix partial = Matrix::Zero(tiles.parameter_count(), Index(list.size()));  // added up in order, as in contract
  parallel_for(Index(list.size()), [&](Index k) {
    thread_local Scratch scratch;
    const auto& [i0, ni, j0, nj] = list[std::size_t(k)];
    Eigen::Map<Matrix> P(scratch.room(kTile * kTile), ni, nj);
    P = h.block(i0, j0, ni, nj) * c.segment(j0, nj).asDiagonal();
    P += c.segment(i0, ni).asDiagonal() * h.block(j0, i0, nj, ni).transpose();
    if (i0 != j0) P *= 2.0;  // stands for the tile above the diagonal too
    tiles.contract(i0, ni, j0, nj, P.data(), partial.col(k).data());
  });
  return partial.rowwise().sum();
}

}  // namespace lacuna::compute::cpu

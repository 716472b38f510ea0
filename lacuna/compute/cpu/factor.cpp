#include "lacuna/compute/cpu/factor.hpp"

#include <cblas.h>

namespace lacuna::cpu {

AdjointResult CpuFactor::contract(const Adjoint& adjoint) const {
  const Index n = rows();
  AdjointResult out;
  Buffer buffer_T;
  Matrix right = adjoint.right;
  std::vector<Index> packed(std::size_t(n), -1);
  for (Index i = 0; i < n_; ++i) packed[std::size_t(used_[std::size_t(i)])] = i;
  if (adjoint.v.size() > 0) {
    const Buffer Q = packed_Q(gather(adjoint.xi));
    const Vector v = gather(adjoint.v);
    if (adjoint.curvature.size() > 0) out.w = apply_curvature(Q, v, gather(adjoint.curvature), right);
    buffer_T = Buffer(n_ * n_);
    weighted_square(n_, Q.data(), n_, v.data(), buffer_T.data(), n_);
  }
  out.diagonal = adjoint.left.cwiseProduct(right).rowwise().sum();
  if (adjoint.v.size() > 0)
    for (Index i = 0; i < n_; ++i) out.diagonal[used_[std::size_t(i)]] -= buffer_T.data()[i * (n_ + 1)];
  const Eigen::Map<const Matrix> T(buffer_T.data(), n_, n_);
  const KernelTiles* tiles = gram_->tiles();
  if (tiles == nullptr) return out;
  const Index parameters = tiles->parameter_count();
  out.d_log_kernel = Vector::Zero(parameters);
  if (parameters == 0) return out;

  const auto list = lower_tiles(n);
  Matrix partial = Matrix::Zero(parameters, Index(list.size()));  // added up in order: the same bits for any threads
#pragma omp parallel if (list.size() > 1)
  {
    std::vector<double> buffer(std::size_t(std::min(n, kTile) * std::min(n, kTile)));
#pragma omp for schedule(dynamic)
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Index i0 = list[k].i0, ni = list[k].ni, j0 = list[k].j0, nj = list[k].nj, r = adjoint.left.cols();
      Eigen::Map<Matrix> G(buffer.data(), ni, nj);
      const auto rank_r = [&](const Matrix& A, const Matrix& B, double keep) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, int(ni), int(nj), int(r), 0.5, A.data() + i0, int(n),
                    B.data() + j0, int(n), keep, G.data(), int(ni));
      };
      rank_r(adjoint.left, right, 0.0);
      rank_r(right, adjoint.left, 1.0);
      if (T.data() != nullptr && n_ == n) {
        G -= T.block(i0, j0, ni, nj);
      } else if (T.data() != nullptr) {
        for (Index j = 0; j < nj; ++j)
          for (Index i = 0; i < ni; ++i) {
            const Index p = packed[std::size_t(i0 + i)], q = packed[std::size_t(j0 + j)];
            if (p >= q && q >= 0) G(i, j) -= T(p, q);
          }
      }
      if (i0 == j0) G.triangularView<Eigen::StrictlyUpper>() = G.transpose();  // T is lower only
      if (i0 != j0) G *= 2.0;  // stands for the tile above the diagonal too
      tiles->contract(i0, ni, j0, nj, G.data(), partial.col(Index(k)).data());
    }
  }
  for (Index k = 0; k < partial.cols(); ++k) out.d_log_kernel += partial.col(k);
  return out;
}

}  // namespace lacuna::cpu

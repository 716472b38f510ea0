#include "lacuna/compute/cpu/features.hpp"

#include <lapacke.h>

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/cpu/tiles.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/cpu/triangular.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {
namespace {

using Substitution = void (*)(Index, const double*, Index, Index, double*, Index);

// B := L^-1 B or L^-T B, the columns of a wide B shared out among the threads.
void substitute(Substitution half, Index n, const double* P, Matrix& B) {
  const Index threads = thread_count();
  const Index m = B.cols(), ld = std::max<Index>(1, n), ldb = std::max<Index>(1, B.rows());
  if (threads == 1 || m < 64) return half(n, P, ld, m, B.data(), ldb);
  const Index share = (m / threads / 8 + 1) * 8;
  parallel_ranges(m, share, [&](Index i, Index end) { half(n, P, ld, end - i, B.data() + i * ldb, ldb); });
}

Matrix taken(const Matrix& K, const std::vector<Index>& which) {
  Matrix out(Index(which.size()), Index(which.size()));
  for (Index j = 0; j < out.cols(); ++j)
    for (Index i = 0; i < out.rows(); ++i) out(i, j) = K(which[std::size_t(i)], which[std::size_t(j)]);
  return out;
}

// Basis vectors in the order of a pivoted Cholesky factorisation, as far as it goes.
std::vector<Index> pivots(Matrix K) {
  const int n = int(K.rows());
  std::vector<int> order(std::size_t(n), 0);
  int rank = 0;
  const ThreadScope one_in_blas(0);
  LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', n, K.data(), std::max(1, n), order.data(), &rank, -1.0);
  std::vector<Index> kept;
  for (int k = 0; k < rank; ++k) kept.push_back(order[std::size_t(k)] - 1);
  return kept;
}

// Rows for each basis vector from which on cheaper coordinates will do.
constexpr Index kMany = 10;

}  // namespace

CpuFeatures::CpuFeatures(const host::HostBackend& backend, const Kernel& kernel, const RowsView& Z, Index rows)
    : backend_(backend), kernel_(kernel) {
  if (uses_geometry(kernel, kernels::Geometry::given))
    fail_usage("basis: a precomputed kernel has no rows to choose from");
  const Matrix all = kernel_matrix(kernel, Z, Z);
  kept_ = pivots(all);
  coordinates_ = Coordinates(taken(all, kept_), rows >= kMany * Index(kept_.size()));
  n_ = coordinates_.size();
  kept_.resize(std::size_t(n_));  // another order of operations may find the last pivots wanting
  basis_ = take_rows(Z, kept_);
}

Matrix CpuFeatures::coefficients(const Matrix& p) const {
  Matrix a = p;
  coordinates_.adjoint(a);
  return a;
}

Matrix CpuFeatures::penalise(const Matrix& p) const {
  Matrix out = p;
  out.row(n_).setZero();
  coordinates_.penalise(out);
  return out;
}

Matrix CpuFeatures::block(const RowsView& X) const {
  RowMatrix dense;  // rows of the kind that the basis is
  if (X.is_sparse() && !basis_.is_sparse()) {
    dense.resize(X.rows(), X.cols());
    for (Index i = 0; i < X.rows(); ++i) dense_row(X, i, dense.row(i).data());
  } else if (basis_.is_sparse() && !X.is_sparse()) {
    fail_usage("basis: sparse basis vectors for dense rows");
  }
  const RowsView rows = dense.size() > 0 ? RowsView(dense) : X;
  const KernelTiles tiles(kernel_, basis_, rows);
  const Index l = rows.rows(), ld = n_ + 1;
  Matrix Z(ld, l);
  const Index across = (l + kTile - 1) / kTile, down = (n_ + kTile - 1) / kTile;
  parallel_for(across * down, [&](Index k) {
    const Index i0 = k % down * kTile, j0 = k / down * kTile;
    tiles.evaluate(i0, std::min(kTile, n_ - i0), j0, std::min(kTile, l - j0), &Z(i0, j0), ld);
  });
  Z.row(n_).setOnes();
  coordinates_.features(Z);
  return Z;
}

Matrix CpuFeatures::of_block(const RowsView& X, const Matrix& p) const {
  const Matrix Z = block(X);
  Matrix z(X.rows(), p.cols());
  gemm(Op::transposed, Op::as_is, z.rows(), z.cols(), n_ + 1, 1.0, Z.data(), n_ + 1, p.data(), n_ + 1, 0.0, z.data(),
       std::max<Index>(1, z.rows()));
  return z;
}

void CpuFeatures::accumulate(const RowsView& X, const Matrix& p, const host::ReweighBlock& reweigh,
                             host::Sums& sums) const {
  const Index size = n_ + 1, l = X.rows(), m = p.cols();
  if (sums.ZWZ.size() == 0) sums.ZWZ = Matrix::Zero(size, size);
  if (sums.right.size() == 0) sums.right = Matrix::Zero(size, m);
  if (l == 0) return;
  Matrix Z = block(X), z(l, m), R = Matrix::Zero(l, m);
  gemm(Op::transposed, Op::as_is, l, m, size, 1.0, Z.data(), size, p.data(), size, 0.0, z.data(), l);
  Vector beta = Vector::Zero(l);
  reweigh(z, beta, R);
  gemm(Op::as_is, Op::as_is, size, m, l, 1.0, Z.data(), size, R.data(), l, 1.0, sums.right.data(), size);
  Z *= beta.cwiseSqrt().asDiagonal();
  syrk_lower(size, l, 1.0, Z.data(), size, 1.0, sums.ZWZ.data(), size);
}

std::unique_ptr<host::HostFeatureFactor> CpuFeatures::factor(const Matrix& ZWZ, double lambda) const {
  auto self = std::static_pointer_cast<const CpuFeatures>(shared_from_this());
  auto factor = std::make_unique<CpuFeatureFactor>(std::move(self), ZWZ, lambda);
  if (!factor->positive_definite()) return nullptr;
  return factor;
}

std::unique_ptr<host::HostFeatureFactor> CpuFeatures::known_factor(const Matrix& T) const {
  auto self = std::static_pointer_cast<const CpuFeatures>(shared_from_this());
  return std::make_unique<CpuFeatureFactor>(std::move(self), T);
}

Vector CpuFeatures::contract_kernel(const RowsView& X, const Matrix& G) const {
  const KernelTiles tiles(kernel_, basis_, X);
  Vector sum = Vector::Zero(tiles.parameter_count());
  if (sum.size() == 0) return sum;
  const Index l = X.rows();
  for (Index j0 = 0; j0 < l; j0 += kTile)
    for (Index i0 = 0; i0 < n_; i0 += kTile) {
      const Matrix tile = G.block(i0, j0, std::min(kTile, n_ - i0), std::min(kTile, l - j0));
      tiles.contract(i0, tile.rows(), j0, tile.cols(), tile.data(), sum.data());
    }
  return sum;
}

CpuFeatureFactor::CpuFeatureFactor(std::shared_ptr<const CpuFeatures> features, const Matrix& ZWZ, double lambda)
    : HostFeatureFactor(features), features_(std::move(features)), n_(features_->size()), T_(pair_size(n_, n_)) {
  for (Index j = 0; j < n_; ++j) std::copy_n(&ZWZ(j, j), n_ - j, T_.data() + j * (n_ + 1));
  features_->coordinates().add_penalty(lambda, T_.data(), n_);
  positive_definite_ = cpu::factor(n_, T_.data(), n_);
}

CpuFeatureFactor::CpuFeatureFactor(std::shared_ptr<const CpuFeatures> features, const Matrix& T)
    : HostFeatureFactor(features),
      features_(std::move(features)),
      n_(features_->size()),
      T_(n_ * n_),
      pair_(false),
      positive_definite_(true) {
  std::copy_n(T.data(), n_ * n_, T_.data());
}

void CpuFeatureFactor::half_solve(Matrix& B) const {
  if (pair_) return substitute(solve_lower, n_, T_.data(), B);
  trsm_from_left(Op::as_is, n_, B.cols(), T_.data(), n_, B.data(), B.rows());
}

void CpuFeatureFactor::other_half_solve(Matrix& B) const {
  if (pair_) return substitute(solve_lower_transposed, n_, T_.data(), B);
  trsm_from_left(Op::transposed, n_, B.cols(), T_.data(), n_, B.data(), B.rows());
}

Matrix CpuFeatureFactor::solve(const Matrix& right) const {
  Matrix p = right;
  if (pair_) {
    cpu::solve(n_, T_.data(), n_, p.cols(), p.data(), n_);
  } else {
    half_solve(p);
    other_half_solve(p);
  }
  return p;
}

Matrix CpuFeatureFactor::rotate(const Matrix& p) const {
  Matrix out = p;
  trmm_lower_transposed(n_, p.cols(), T_.data(), n_, out.data(), n_);
  return out;
}

Matrix CpuFeatureFactor::rows(const RowsView& X) const {
  Matrix V = features_->block(X);
  half_solve(V);
  return V;
}

Vector CpuFeatureFactor::contract(const RowsView& X, const Matrix& G) const {
  Matrix H = G;
  other_half_solve(H);
  features_->coordinates().adjoint(H);
  return features_->contract_kernel(X, H);
}

host::PenaltyDerivative CpuFeatureFactor::contract_penalty(const Matrix& G) const {
  Matrix H = G;
  other_half_solve(H);
  H.transposeInPlace();
  other_half_solve(H);
  Matrix inner = H.topLeftCorner(n_ - 1, n_ - 1);
  host::PenaltyDerivative out;
  out.along = features_->coordinates().along_penalty(inner);
  features_->coordinates().adjoint(inner);
  inner.transposeInPlace();
  features_->coordinates().adjoint(inner);
  out.d_log_kernel = features_->contract_kernel(features_->basis(), inner);
  return out;
}

}  // namespace lacuna::compute::cpu

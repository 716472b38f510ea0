#include "lacuna/compute/cpu/gram.hpp"

#include <algorithm>

#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/cpu/factor.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/cpu/triangular.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::cpu {
namespace {

// The lower triangle of K; what is above it is not K's.
void build_gram(const KernelTiles& tiles, Index n, double* K) {
  const auto list = lower_tiles(n);
  parallel_for(Index(list.size()), [&](Index k) {
    const auto& [i0, ni, j0, nj] = list[std::size_t(k)];
    tiles.evaluate(i0, ni, j0, nj, K + i0 + j0 * n, n);
  });
}

}  // namespace

CpuGram::CpuGram(const Kernel& kernel, const RowsView& X, const Vector& c, Use use)
    : HostGram(X),
      kernel_(kernel),
      tiles_(kernel, X, X, use == Use::exactly ? Distances::exact : Distances::products),
      n_(X.rows()),
      c_(c) {
  if (use == Use::repeatedly) K_ = built();
}

Vector CpuGram::diagonal() const {
  Vector out(n_);
  if (squared() && !stored()) {  // sum_j c_j R_ij^2, without the cubic product
    const Buffer R = root();
    const Eigen::Map<const Matrix> r(R.data(), n_, n_);
    for (Index i = 0; i < n_; ++i) out[i] = r.col(i).cwiseAbs2().dot(c_);
    return out;
  }
  for (Index i = 0; i < n_; ++i) {
    if (stored())
      out[i] = K_.data()[i * (n_ + 1)];
    else
      tiles_.evaluate(i, 1, i, 1, &out[i], 1);
  }
  return out;
}

Matrix CpuGram::multiply(const Matrix& V) const {
  const Lower K = lower();
  Matrix out(n_, V.cols());
  symm_lower(n_, V.cols(), K.data, n_, V.data(), n_, out.data(), n_);
  return out;
}

Matrix CpuGram::block(std::span<const Index> rows, std::span<const Index> cols) const {
  const Lower K = lower();
  Matrix out(Index(rows.size()), Index(cols.size()));
  for (Index j = 0; j < out.cols(); ++j)
    for (Index i = 0; i < out.rows(); ++i) {
      const auto [low, high] = std::minmax(rows[std::size_t(i)], cols[std::size_t(j)]);
      out(i, j) = K.data[high + low * n_];
    }
  return out;
}

std::unique_ptr<Factor> CpuGram::factor(const Vector& beta, double lambda, Want want) const {
  auto factor = std::make_unique<CpuFactor>(shared_from_this(), beta, lambda, want);
  if (!factor->positive_definite()) return nullptr;
  return factor;
}

Vector CpuGram::eigenvalues() const {
  const Lower K = lower();
  return spectrum(Eigen::Map<const Matrix>(K.data, n_, n_), false).omega;
}

Matrix CpuGram::cross(const RowsView& X) const { return kernel_matrix(kernel_, X, rows()); }

CpuGram::Lower CpuGram::lower() const {
  if (stored()) return {Buffer(), K_.data()};
  Buffer made = built();
  const double* data = made.data();
  return {std::move(made), data};
}

Buffer CpuGram::built() const {
  Buffer K(n_ * n_);
  if (squared())
    square_into(K.data());
  else
    build_gram(tiles_, n_, K.data());
  return K;
}

Buffer CpuGram::root() const {
  Buffer R(n_ * n_);
  build_gram(tiles_, n_, R.data());
  mirror_lower(n_, R.data(), n_);
  return R;
}

void CpuGram::square_into(double* out) const {
  const Buffer R = root();
  weighted_square(n_, R.data(), n_, c_.data(), out, n_);
}

}  // namespace lacuna::compute::cpu

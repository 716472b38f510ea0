// compute/cpu/cpu.cpp -- the door of compute.hpp on BLAS and LAPACK: tiles make the Gram matrix, triangular.hpp does the
// cubic work. OpenMP outside, the BLAS threads inside.
#include <lapacke.h>
#include <cblas.h>

#include <algorithm>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/tiles.hpp"
#include "lacuna/compute/cpu/triangular.hpp"

namespace lacuna {
namespace {

using cpu::kTile;
using cpu::KernelTiles;

// Tiles (I, J) of the lower triangle, I >= J, as first rows and columns.
std::vector<std::pair<Index, Index>> lower_tiles(Index n) {
  std::vector<std::pair<Index, Index>> list;
  for (Index j = 0; j < n; j += kTile)
    for (Index i = j; i < n; i += kTile) list.emplace_back(i, j);
  return list;
}

Matrix build_gram(const KernelTiles& tiles, Index n) {
  Matrix K(n, n);
  const auto list = lower_tiles(n);
#pragma omp parallel if (list.size() > 1)
  {
    std::vector<double> buffer(std::size_t(std::min(n, kTile) * std::min(n, kTile)));
#pragma omp for schedule(dynamic)
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto [i0, j0] = list[k];
      const Index ni = std::min(kTile, n - i0), nj = std::min(kTile, n - j0);
      tiles.evaluate(i0, ni, j0, nj, buffer.data());
      Eigen::Map<Matrix> tile(buffer.data(), ni, nj);
      if (i0 == j0) tile.triangularView<Eigen::StrictlyUpper>() = tile.transpose();  // symmetric to the last bit
      K.block(i0, j0, ni, nj) = tile;
      if (i0 != j0) K.block(j0, i0, nj, ni) = tile.transpose();
    }
  }
  return K;
}

class CpuGram final : public Gram, public std::enable_shared_from_this<CpuGram> {
 public:
  CpuGram(const Kernel& kernel, const RowsView& X)
      : tiles_(std::make_unique<KernelTiles>(kernel, X, X)), K_(build_gram(*tiles_, X.rows())) {}
  explicit CpuGram(Matrix K) : K_(std::move(K)) {}

  Index size() const override { return K_.rows(); }
  Vector diagonal() const override { return K_.diagonal(); }
  Matrix multiply(const Matrix& V) const override {
    Matrix out(size(), V.cols());
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, int(size()), int(V.cols()), int(size()), 1.0, K_.data(),
                int(size()), V.data(), int(size()), 0.0, out.data(), int(size()));
    return out;
  }
  Matrix block(std::span<const Index> rows, std::span<const Index> cols) const override {
    Matrix out(Index(rows.size()), Index(cols.size()));
    for (Index j = 0; j < out.cols(); ++j)
      for (Index i = 0; i < out.rows(); ++i) out(i, j) = K_(rows[std::size_t(i)], cols[std::size_t(j)]);
    return out;
  }
  std::unique_ptr<Factor> factor(const Vector& beta, double lambda, Want want) const override;
  Spectrum spectrum(const Vector& d) const override {
    Spectrum out{Vector(size()), d.asDiagonal() * K_ * d.asDiagonal()};
    const int n = int(size());
    if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, out.U.data(), n, out.omega.data()) != 0)
      fail_numerical("eigenvalues: LAPACK's dsyevd did not converge");
    return out;
  }
  const Matrix& K() const { return K_; }
  const KernelTiles* tiles() const { return tiles_.get(); }

 private:
  std::unique_ptr<KernelTiles> tiles_;  // null: a matrix from elsewhere
  Matrix K_;
};

// Holds L and S of A over the rows in use; rows with beta = 0 are not in it.
class CpuFactor final : public Factor {
 public:
  CpuFactor(std::shared_ptr<const CpuGram> gram, const Vector& beta, double lambda, Want want)
      : gram_(std::move(gram)), lambda_(lambda) {
    for (Index i = 0; i < beta.size(); ++i)
      if (beta[i] > 0.0) used_.push_back(i);
    n_ = Index(used_.size());
    d_.resize(n_);
    for (Index i = 0; i < n_; ++i) d_[i] = std::sqrt(beta[used_[std::size_t(i)]]);
    pair_.reset(new double[std::size_t(cpu::pair_size(n_, n_))]);
    assemble();
    positive_definite_ = want == Want::inverse ? cpu::factor_and_invert(n_, pair_.get(), n_)
                                               : cpu::factor(n_, pair_.get(), n_);
  }
  bool positive_definite() const { return positive_definite_; }

  Matrix solve(const Matrix& B) const override {
    Matrix x = pack(B);
    cpu::solve(n_, pair_.get(), n_, x.cols(), x.data(), n_);
    return unpack(x);
  }
  Vector inverse_diagonal() const override {
    Vector diagonal(n_);
    cpu::inverse_diagonal(n_, pair_.get(), n_, diagonal.data());
    Vector out = Vector::Zero(rows());
    for (Index i = 0; i < n_; ++i) out[used_[std::size_t(i)]] = d_[i] * d_[i] * diagonal[i] / lambda_;
    return out;
  }
  Matrix inverse_block(std::span<const Index> which) const override {
    std::vector<Index> packed, place;
    for (std::size_t k = 0; k < which.size(); ++k) {
      const auto at = std::lower_bound(used_.begin(), used_.end(), which[k]);
      if (at == used_.end() || *at != which[k]) continue;
      packed.push_back(Index(at - used_.begin()));
      place.push_back(Index(k));
    }
    Matrix C(Index(packed.size()), Index(packed.size()));
    cpu::inverse_block(n_, pair_.get(), n_, packed, C.data(), std::max<Index>(1, C.rows()));
    Matrix out = Matrix::Zero(Index(which.size()), Index(which.size()));
    for (Index j = 0; j < C.cols(); ++j)
      for (Index i = 0; i < C.rows(); ++i)
        out(place[std::size_t(i)], place[std::size_t(j)]) =
            d_[packed[std::size_t(i)]] * C(i, j) * d_[packed[std::size_t(j)]] / lambda_;
    return out;
  }
  Matrix inverse() const override {
    Matrix C = packed_inverse();
    if (n_ == rows()) return C;
    Matrix out = Matrix::Zero(rows(), rows());
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) out(used_[std::size_t(i)], used_[std::size_t(j)]) = C(i, j);
    return out;
  }
  AdjointResult contract(const Adjoint& adjoint) const override;

 private:
  Index rows() const { return gram_->size(); }

  // The lower triangle of A = I + D K D / lambda.
  void assemble() {
    const Matrix& K = gram_->K();
    const bool all = n_ == rows();
#pragma omp parallel for schedule(static, 16) if (n_ > 256)
    for (Index j = 0; j < n_; ++j) {
      double* a = pair_.get() + j * n_;
      const double* k = K.data() + used_[std::size_t(j)] * rows();
      const double s = d_[j] / lambda_;
      if (all)
        for (Index i = j; i < n_; ++i) a[i] = s * d_[i] * k[i];
      else
        for (Index i = j; i < n_; ++i) a[i] = s * d_[i] * k[used_[std::size_t(i)]];
      a[j] += 1.0;
    }
  }
  Matrix pack(const Matrix& B) const {
    Matrix x(n_, B.cols());
    for (Index c = 0; c < B.cols(); ++c)
      for (Index i = 0; i < n_; ++i) x(i, c) = d_[i] * B(used_[std::size_t(i)], c);
    return x;
  }
  Matrix unpack(const Matrix& x) const {
    Matrix out = Matrix::Zero(rows(), x.cols());
    for (Index c = 0; c < x.cols(); ++c)
      for (Index i = 0; i < n_; ++i) out(used_[std::size_t(i)], c) = d_[i] * x(i, c) / lambda_;
    return out;
  }
  // M^-1 over the rows in use.
  Matrix packed_inverse() const {
    Matrix C(n_, n_);
    cpu::inverse(n_, pair_.get(), n_, C.data(), n_);
#pragma omp parallel for schedule(static, 16) if (n_ > 256)
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) C(i, j) *= d_[i] * d_[j] / lambda_;
    return C;
  }
  // Q diag(v) Q over the rows in use.
  Matrix packed_square(const Adjoint& adjoint) const {
    Vector xi(n_), v(n_);
    for (Index i = 0; i < n_; ++i) {
      xi[i] = adjoint.xi[used_[std::size_t(i)]];
      v[i] = adjoint.v[used_[std::size_t(i)]];
    }
    Matrix Q = packed_inverse();
    const double one_xi = xi.sum();
#pragma omp parallel for schedule(static, 16) if (n_ > 256)
    for (Index j = 0; j < n_; ++j) Q.col(j) -= (xi[j] / one_xi) * xi;
    Matrix T(n_, n_);
    cpu::weighted_square(n_, Q.data(), n_, v.data(), T.data(), n_);
    return T;
  }

  std::shared_ptr<const CpuGram> gram_;
  double lambda_;
  std::vector<Index> used_;  // rows with beta > 0, ascending
  Index n_ = 0;
  Vector d_;  // sqrt(beta) of those
  std::unique_ptr<double[]> pair_;
  bool positive_definite_ = false;
};

AdjointResult CpuFactor::contract(const Adjoint& adjoint) const {
  const Index n = rows();
  AdjointResult out{Vector(), adjoint.left.cwiseProduct(adjoint.right).rowwise().sum()};
  Matrix T;
  std::vector<Index> packed(std::size_t(n), -1);
  for (Index i = 0; i < n_; ++i) packed[std::size_t(used_[std::size_t(i)])] = i;
  if (adjoint.v.size() > 0) {
    T = packed_square(adjoint);
    for (Index i = 0; i < n_; ++i) out.diagonal[used_[std::size_t(i)]] -= T(i, i);
  }
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
      const auto [i0, j0] = list[k];
      const Index ni = std::min(kTile, n - i0), nj = std::min(kTile, n - j0), r = adjoint.left.cols();
      Eigen::Map<Matrix> G(buffer.data(), ni, nj);
      const auto rank_r = [&](const Matrix& A, const Matrix& B, double keep) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, int(ni), int(nj), int(r), 0.5, A.data() + i0, int(n),
                    B.data() + j0, int(n), keep, G.data(), int(ni));
      };
      rank_r(adjoint.left, adjoint.right, 0.0);
      rank_r(adjoint.right, adjoint.left, 1.0);
      if (T.size() > 0) {
        if (n_ == n) {
          G -= T.block(i0, j0, ni, nj);
        } else {
          for (Index j = 0; j < nj; ++j)
            for (Index i = 0; i < ni; ++i) {
              const Index p = packed[std::size_t(i0 + i)], q = packed[std::size_t(j0 + j)];
              if (p >= 0 && q >= 0) G(i, j) -= T(p, q);
            }
        }
      }
      if (i0 != j0) G *= 2.0;  // stands for the tile above the diagonal too
      tiles->contract(i0, ni, j0, nj, G.data(), partial.col(Index(k)).data());
    }
  }
  for (Index k = 0; k < partial.cols(); ++k) out.d_log_kernel += partial.col(k);
  return out;
}

std::unique_ptr<Factor> CpuGram::factor(const Vector& beta, double lambda, Want want) const {
  auto factor = std::make_unique<CpuFactor>(shared_from_this(), beta, lambda, want);
  if (!factor->positive_definite()) return nullptr;
  return factor;
}

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::shared_ptr<const Gram> gram(const Kernel& kernel, const RowsView& X) const override {
    return std::make_shared<CpuGram>(kernel, X);
  }
  std::shared_ptr<const Gram> gram(Matrix K) const override { return std::make_shared<CpuGram>(std::move(K)); }
  Matrix cross(const Kernel& kernel, const RowsView& X, const RowsView& Y) const override {
    const KernelTiles tiles(kernel, X, Y);
    Matrix K(X.rows(), Y.rows());
    const Index columns = (K.cols() + kTile - 1) / kTile, rows = (K.rows() + kTile - 1) / kTile;
#pragma omp parallel for schedule(dynamic) collapse(2) if (columns * rows > 1)
    for (Index jt = 0; jt < columns; ++jt)
      for (Index it = 0; it < rows; ++it) {
        const Index i0 = it * kTile, j0 = jt * kTile;
        Matrix tile(std::min(kTile, K.rows() - i0), std::min(kTile, K.cols() - j0));
        tiles.evaluate(i0, tile.rows(), j0, tile.cols(), tile.data());
        K.block(i0, j0, tile.rows(), tile.cols()) = tile;
      }
    return K;
  }
};

}  // namespace

const Backend& cpu_backend() {
  static const CpuBackend backend;
  return backend;
}

}  // namespace lacuna

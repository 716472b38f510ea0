// compute/cpu/cpu.cpp -- the door of compute.hpp on BLAS and LAPACK: tiles make the Gram matrix, triangular.hpp does the
// cubic work. OpenMP outside, the BLAS threads inside.
#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/elementwise.hpp"
#include "lacuna/compute/cpu/tiles.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/cpu/triangular.hpp"

namespace lacuna {
namespace {

using cpu::KernelTiles;
using cpu::kTile;

// Tiles of the lower triangle. Those on the diagonal are halved, so that less is computed above it.
struct TileAt {
  Index i0, ni, j0, nj;
};
std::vector<TileAt> lower_tiles(Index n) {
  std::vector<TileAt> list;
  for (Index j = 0; j < n; j += kTile) {
    const Index m = std::min(kTile, n - j), h = (m + 1) / 2;
    list.push_back({j, h, j, h});
    if (m > h) {
      list.push_back({j + h, m - h, j, h});
      list.push_back({j + h, m - h, j + h, m - h});
    }
    for (Index i = j + kTile; i < n; i += kTile) list.push_back({i, std::min(kTile, n - i), j, m});
  }
  return list;
}

using cpu::Buffer;
using MatrixMap = Eigen::Map<Matrix>;

// The lower triangle of K; what is above it is not K's.
void build_gram(const KernelTiles& tiles, Index n, double* K) {
  const auto list = lower_tiles(n);
#pragma omp parallel for schedule(dynamic) if (list.size() > 1)
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto& [i0, ni, j0, nj] = list[k];
    tiles.evaluate(i0, ni, j0, nj, K + i0 + j0 * n, n);
  }
}

// Keeps the lower triangle of K, or nothing when it is used once: then `lower` makes it for whoever asks.
class CpuGram final : public Gram, public std::enable_shared_from_this<CpuGram> {
 public:
  CpuGram(const Kernel& kernel, const RowsView& X, Use use)
      : tiles_(std::make_unique<KernelTiles>(kernel, X, X)), n_(X.rows()) {
    if (use == Use::repeatedly) K_ = built();
  }
  explicit CpuGram(const Matrix& K) : n_(K.rows()), K_(n_ * n_) { MatrixMap(K_.data(), n_, n_) = K; }

  Index size() const override { return n_; }
  Vector diagonal() const override {
    Vector out(n_);
    for (Index i = 0; i < n_; ++i) {
      if (stored())
        out[i] = K_.data()[i * (n_ + 1)];
      else
        tiles_->evaluate(i, 1, i, 1, &out[i], 1);
    }
    return out;
  }
  Matrix multiply(const Matrix& V) const override {
    const Lower K = lower();
    Matrix out(n_, V.cols());
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, int(n_), int(V.cols()), 1.0, K.data, int(n_), V.data(), int(n_),
                0.0, out.data(), int(n_));
    return out;
  }
  Matrix block(std::span<const Index> rows, std::span<const Index> cols) const override {
    const Lower K = lower();
    Matrix out(Index(rows.size()), Index(cols.size()));
    if (rows.data() == cols.data() && rows.size() == cols.size() && std::is_sorted(rows.begin(), rows.end())) {
      for (Index j = 0; j < out.cols(); ++j) {  // down the columns of the lower triangle, then mirrored
        const double* k = K.data + rows[std::size_t(j)] * n_;
        for (Index i = j; i < out.rows(); ++i) out(i, j) = k[rows[std::size_t(i)]];
      }
      cpu::mirror_lower(out.rows(), out.data(), std::max<Index>(1, out.rows()));
      return out;
    }
    for (Index j = 0; j < out.cols(); ++j)
      for (Index i = 0; i < out.rows(); ++i) {
        const auto [low, high] = std::minmax(rows[std::size_t(i)], cols[std::size_t(j)]);
        out(i, j) = K.data[high + low * n_];
      }
    return out;
  }
  std::unique_ptr<Factor> factor(const Vector& beta, double lambda, Want want) const override;
  Spectrum spectrum(const Vector& d) const override {
    const Lower K = lower();
    Spectrum out{Vector(n_), d.asDiagonal() * Eigen::Map<const Matrix>(K.data, n_, n_) * d.asDiagonal()};
    const int n = int(n_);
    if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, out.U.data(), n, out.omega.data()) != 0)
      fail_numerical("eigenvalues: LAPACK's dsyevd did not converge");
    return out;
  }

  bool stored() const { return K_.data() != nullptr; }
  struct Lower {
    Buffer made;         // empty when it is the Gram's own
    const double* data;  // n x n, the lower triangle of K
  };
  Lower lower() const {
    if (stored()) return {Buffer(), K_.data()};
    Buffer made = built();
    const double* data = made.data();
    return {std::move(made), data};
  }
  const KernelTiles* tiles() const { return tiles_.get(); }

 private:
  Buffer built() const {
    Buffer K(n_ * n_);
    build_gram(*tiles_, n_, K.data());
    return K;
  }

  std::unique_ptr<KernelTiles> tiles_;  // null: a matrix from elsewhere
  Index n_;
  Buffer K_;
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
    pair_ = Buffer(cpu::pair_size(n_, n_));
    assemble();
    positive_definite_ =
        want == Want::inverse ? cpu::factor_and_invert(n_, pair_.data(), n_) : cpu::factor(n_, pair_.data(), n_);
  }
  bool positive_definite() const { return positive_definite_; }

  Matrix solve(const Matrix& B) const override {
    Matrix x = pack(B);
    cpu::solve(n_, pair_.data(), n_, x.cols(), x.data(), n_);
    return unpack(x);
  }
  Vector inverse_diagonal() const override {
    Vector diagonal(n_);
    cpu::inverse_diagonal(n_, pair_.data(), n_, diagonal.data());
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
    cpu::inverse_block(n_, pair_.data(), n_, packed, C.data(), std::max<Index>(1, C.rows()));
    Matrix out = Matrix::Zero(Index(which.size()), Index(which.size()));
    for (Index j = 0; j < C.cols(); ++j)
      for (Index i = 0; i < C.rows(); ++i)
        out(place[std::size_t(i)], place[std::size_t(j)]) =
            d_[packed[std::size_t(i)]] * C(i, j) * d_[packed[std::size_t(j)]] / lambda_;
    return out;
  }
  Matrix inverse() const override {
    Buffer buffer(n_ * n_);
    cpu::inverse(n_, pair_.data(), n_, buffer.data(), n_);
    const MatrixMap C(buffer.data(), n_, n_);
    Matrix out = Matrix::Zero(rows(), rows());
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i)
        out(used_[std::size_t(i)], used_[std::size_t(j)]) = d_[i] * C(i, j) * d_[j] / lambda_;
    return out;
  }
  AdjointResult contract(const Adjoint& adjoint) const override;

 private:
  Index rows() const { return gram_->size(); }

  // The lower triangle of A = I + D K D / lambda.
  void assemble() {
    if (n_ == rows() && !gram_->stored()) return assemble_in_place();
    const CpuGram::Lower K = gram_->lower();
#pragma omp parallel for schedule(static, 16) if (n_ > 256)
    for (Index j = 0; j < n_; ++j) {
      double* a = pair_.data() + j * n_;
      const double* k = K.data + used_[std::size_t(j)] * rows();
      const double s = d_[j] / lambda_;
      if (n_ == rows())
        cpu::scaled_product(n_ - j, a + j, s, d_.data() + j, k + j);
      else
        for (Index i = j; i < n_; ++i) a[i] = s * d_[i] * k[used_[std::size_t(i)]];
      a[j] += 1.0;
    }
  }
  // The same without K: every tile is scaled while it is still in cache.
  void assemble_in_place() {
    const auto list = lower_tiles(n_);
#pragma omp parallel for schedule(dynamic) if (list.size() > 1)
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto& [i0, ni, j0, nj] = list[k];
      gram_->tiles()->evaluate(i0, ni, j0, nj, pair_.data() + i0 + j0 * n_, n_);
      for (Index j = j0; j < j0 + nj; ++j) {
        double* a = pair_.data() + i0 + j * n_;
        cpu::scaled_product(ni, a, d_[j] / lambda_, d_.data() + i0, a);
        if (i0 == j0) a[j - i0] += 1.0;
      }
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
  // Q = M^-1 - xi xi'/(1'xi) over the rows in use, in one pass over A^-1.
  Buffer packed_Q(const Vector& xi) const {
    Buffer Q(n_ * n_);
    cpu::inverse(n_, pair_.data(), n_, Q.data(), n_);
    const double one_xi = xi.sum();
#pragma omp parallel for schedule(static, 16) if (n_ > 256)
    for (Index j = 0; j < n_; ++j) {
      auto column = MatrixMap(Q.data(), n_, n_).col(j).array();
      column = column * d_.array() * (d_[j] / lambda_) - (xi[j] / one_xi) * xi.array();
    }
    return Q;
  }
  Vector gather(const Vector& x) const {
    Vector out(n_);
    for (Index i = 0; i < n_; ++i) out[i] = x[used_[std::size_t(i)]];
    return out;
  }
  // w = -lambda o, and -lambda Q (w o s) added to the right factor.
  Vector apply_curvature(const Buffer& buffer_Q, const Vector& v, const Vector& s, Matrix& right) const {
    const Eigen::Map<const Matrix> Q(buffer_Q.data(), n_, n_);
    Vector w(n_);
#pragma omp parallel for schedule(static, 16) if (n_ > 256)
    for (Index j = 0; j < n_; ++j) {
      const auto q = Q.col(j).array();
      w[j] = -lambda_ * ((q.head(j).square() * v.array().head(j)).sum() +
                         (q.tail(n_ - j - 1).square() * v.array().tail(n_ - j - 1)).sum());
    }
    const Vector change = Q * (lambda_ * w.cwiseProduct(s));
    Vector all = Vector::Zero(rows());
    for (Index i = 0; i < n_; ++i) {
      right(used_[std::size_t(i)], 0) -= change[i];
      all[used_[std::size_t(i)]] = w[i];
    }
    return all;
  }

  std::shared_ptr<const CpuGram> gram_;
  double lambda_;
  std::vector<Index> used_;  // rows with beta > 0, ascending
  Index n_ = 0;
  Vector d_;  // sqrt(beta) of those
  Buffer pair_;
  bool positive_definite_ = false;
};

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
    cpu::weighted_square(n_, Q.data(), n_, v.data(), buffer_T.data(), n_);
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

std::unique_ptr<Factor> CpuGram::factor(const Vector& beta, double lambda, Want want) const {
  auto factor = std::make_unique<CpuFactor>(shared_from_this(), beta, lambda, want);
  if (!factor->positive_definite()) return nullptr;
  return factor;
}

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::unique_ptr<Workspace> workspace() const override { return cpu::keep_buffers(); }
  std::shared_ptr<const Gram> gram(const Kernel& kernel, const RowsView& X, Use use) const override {
    return std::make_shared<CpuGram>(kernel, X, use);
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
        tiles.evaluate(i0, std::min(kTile, K.rows() - i0), j0, std::min(kTile, K.cols() - j0), &K(i0, j0), K.rows());
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

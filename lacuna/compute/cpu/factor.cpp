#include "lacuna/compute/cpu/factor.hpp"

#include <algorithm>

#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/cpu/elementwise.hpp"
#include "lacuna/compute/cpu/transpose.hpp"
#include "lacuna/compute/cpu/triangular.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::cpu {
namespace {

using MatrixMap = Eigen::Map<Matrix>;

// step(j) for the columns of a matrix of order n, some at a time; a small one is not worth another thread.
template <class Step>
void for_columns(Index n, const Step& step) {
  parallel_ranges(n, n > 256 ? 16 : n, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) step(j);
  });
}

}  // namespace

CpuFactor::CpuFactor(std::shared_ptr<const CpuGram> gram, const Vector& beta, double lambda, Want want)
    : HostFactor(beta, lambda, want == Want::inverse), gram_(std::move(gram)) {
  for (Index i = 0; i < beta.size(); ++i)
    if (beta[i] > 0.0) used_.push_back(i);
  n_ = Index(used_.size());
  d_.resize(n_);
  for (Index i = 0; i < n_; ++i) d_[i] = std::sqrt(beta[used_[std::size_t(i)]]);
  pair_ = Buffer(pair_size(n_, n_));
  assemble();
  positive_definite_ =
      want == Want::inverse ? cpu::factor_and_invert(n_, pair_.data(), n_) : cpu::factor(n_, pair_.data(), n_);
  if (positive_definite_) log_determinant_ = cpu::log_determinant(n_, pair_.data(), n_);
}

Matrix CpuFactor::solve(const Matrix& B) const {
  Matrix x = pack(B);
  cpu::solve(n_, pair_.data(), n_, x.cols(), x.data(), n_);
  return unpack(x);
}

Vector CpuFactor::inverse_diagonal() const {
  Vector diagonal(n_);
  cpu::inverse_diagonal(n_, pair_.data(), n_, diagonal.data());
  Vector out = Vector::Zero(rows());
  for (Index i = 0; i < n_; ++i) out[used_[std::size_t(i)]] = d_[i] * d_[i] * diagonal[i] / lambda_;
  return out;
}

Matrix CpuFactor::product(const Matrix& A, const Matrix& B) const {
  Matrix out(A.rows(), B.cols());
  gemm(Op::as_is, Op::as_is, A.rows(), B.cols(), A.cols(), 1.0, A.data(), A.rows(), B.data(), B.rows(), 0.0, out.data(),
       out.rows());
  return out;
}

Matrix CpuFactor::inverse_block(std::span<const Index> which) const {
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

Matrix CpuFactor::inverse() const {
  Matrix C(n_, n_);
  cpu::inverse_lower(n_, pair_.data(), n_, C.data(), n_);
  for_columns(n_, [&](Index j) { C.col(j).tail(n_ - j).array() *= d_.tail(n_ - j).array() * (d_[j] / lambda_); });
  mirror_lower(n_, C.data(), n_);
  if (n_ == rows()) return C;
  Matrix out = Matrix::Zero(rows(), rows());
  out(used_, used_) = C;
  return out;
}

void CpuFactor::assemble() {
  if (n_ == rows() && !gram_->stored()) return assemble_in_place();
  const CpuGram::Lower K = gram_->lower();
  for_columns(n_, [&](Index j) {
    double* a = pair_.data() + j * n_;
    const double* k = K.data + used_[std::size_t(j)] * rows();
    const double s = d_[j] / lambda_;
    if (n_ == rows())
      scaled_product(n_ - j, a + j, s, d_.data() + j, k + j);
    else
      for (Index i = j; i < n_; ++i) a[i] = s * d_[i] * k[used_[std::size_t(i)]];
    a[j] += 1.0;
  });
}

void CpuFactor::assemble_in_place() {
  if (gram_->squared()) {
    gram_->square_into(pair_.data());
    return for_columns(n_, [&](Index j) {
      double* a = pair_.data() + j * n_;
      scaled_product(n_ - j, a + j, d_[j] / lambda_, d_.data() + j, a + j);
      a[j] += 1.0;
    });
  }
  const auto list = lower_tiles(n_);
  parallel_for(Index(list.size()), [&](Index k) {
    const auto& [i0, ni, j0, nj] = list[std::size_t(k)];
    gram_->tiles().evaluate(i0, ni, j0, nj, pair_.data() + i0 + j0 * n_, n_);
    for (Index j = j0; j < j0 + nj; ++j) {
      double* a = pair_.data() + i0 + j * n_;
      scaled_product(ni, a, d_[j] / lambda_, d_.data() + i0, a);
      if (i0 == j0) a[j - i0] += 1.0;
    }
  });
}

Matrix CpuFactor::pack(const Matrix& B) const {
  Matrix x(n_, B.cols());
  for (Index c = 0; c < B.cols(); ++c)
    for (Index i = 0; i < n_; ++i) x(i, c) = d_[i] * B(used_[std::size_t(i)], c);
  return x;
}

Matrix CpuFactor::unpack(const Matrix& x) const {
  Matrix out = Matrix::Zero(rows(), x.cols());
  for (Index c = 0; c < x.cols(); ++c)
    for (Index i = 0; i < n_; ++i) out(used_[std::size_t(i)], c) = d_[i] * x(i, c) / lambda_;
  return out;
}

Buffer CpuFactor::packed_Q(const Vector& xi) const {
  Buffer Q(n_ * n_);
  cpu::inverse_lower(n_, pair_.data(), n_, Q.data(), n_);
  const double one_xi = xi.sum();
  for_columns(n_, [&](Index j) {
    const Index below = n_ - j;
    auto column = MatrixMap(Q.data(), n_, n_).col(j).tail(below).array();
    const auto inverse = column * d_.tail(below).array() * (d_[j] / lambda_);
    if (xi.size() > 0)
      column = inverse - (xi[j] / one_xi) * xi.tail(below).array();
    else
      column = inverse;
  });
  mirror_lower(n_, Q.data(), n_);
  return Q;
}

void CpuFactor::subtract_inverse(double kappa, Buffer& T) const {
  Buffer C(n_ * n_);
  cpu::inverse_lower(n_, pair_.data(), n_, C.data(), n_);
  for_columns(n_, [&](Index j) {
    auto column = MatrixMap(C.data(), n_, n_).col(j).tail(n_ - j).array();
    column *= d_.tail(n_ - j).array() * (-kappa * d_[j] / lambda_);
    if (T.data() != nullptr) column += MatrixMap(T.data(), n_, n_).col(j).tail(n_ - j).array();
  });
  T = std::move(C);
}

Vector CpuFactor::gather(const Vector& x) const {
  Vector out(n_);
  for (Index i = 0; i < n_; ++i) out[i] = x[used_[std::size_t(i)]];
  return out;
}

Vector CpuFactor::apply_curvature(const double* all_of_Q, const Vector& v, const Vector& s, Matrix& right) const {
  const Eigen::Map<const Matrix> Q(all_of_Q, n_, n_);
  Vector w(n_);
  for_columns(n_, [&](Index j) {
    const auto q = Q.col(j).array();
    w[j] = -lambda_ * ((q.head(j).square() * v.array().head(j)).sum() +
                       (q.tail(n_ - j - 1).square() * v.array().tail(n_ - j - 1)).sum());
  });
  const Vector change = Q * (lambda_ * w.cwiseProduct(s));
  Vector all = Vector::Zero(rows());
  for (Index i = 0; i < n_; ++i) {
    right(used_[std::size_t(i)], 0) -= change[i];
    all[used_[std::size_t(i)]] = w[i];
  }
  return all;
}

AdjointResult CpuFactor::contract_rows(const Adjoint& adjoint) const {
  const Index n = rows();
  AdjointResult out;
  Buffer buffer_T;
  Matrix right = adjoint.right;
  std::vector<Index> packed(std::size_t(n), -1);
  for (Index i = 0; i < n_; ++i) packed[std::size_t(used_[std::size_t(i)])] = i;
  if (adjoint.v.size() > 0) {
    auto kept = kept_Q(adjoint.xi);
    if (kept && n_ < n) kept = std::make_shared<const Matrix>((*kept)(used_, used_));
    const Buffer own = kept ? Buffer() : packed_Q(adjoint.xi.size() > 0 ? gather(adjoint.xi) : Vector());
    const double* Q = kept ? kept->data() : own.data();
    const Vector v = gather(adjoint.v);
    if (adjoint.curvature.size() > 0) out.w = apply_curvature(Q, v, gather(adjoint.curvature), right);
    buffer_T = Buffer(n_ * n_);
    weighted_square(n_, Q, n_, v.data(), buffer_T.data(), n_);
  }
  if (adjoint.inverse != 0.0) subtract_inverse(adjoint.inverse, buffer_T);
  out.diagonal = adjoint.left.cwiseProduct(right).rowwise().sum();
  if (buffer_T.data() != nullptr)
    for (Index i = 0; i < n_; ++i) out.diagonal[used_[std::size_t(i)]] -= buffer_T.data()[i * (n_ + 1)];
  const Eigen::Map<const Matrix> T(buffer_T.data(), n_, n_);
  const KernelTiles& tiles = gram_->tiles();
  const Index parameters = tiles.parameter_count();
  out.d_log_kernel = Vector::Zero(parameters);
  if (parameters == 0) return out;
  if (gram_->squared()) {
    out.d_log_kernel = contract_squared(adjoint.left, right, std::move(buffer_T));
    return out;
  }

  const auto list = lower_tiles(n);
  Matrix partial = Matrix::Zero(parameters, Index(list.size()));  // added up in order: the same bits for any threads
  parallel_for(Index(list.size()), [&](Index k) {
    thread_local Scratch scratch;
    const auto& [i0, ni, j0, nj] = list[std::size_t(k)];
    MatrixMap G(scratch.room(kTile * kTile), ni, nj);
    const auto rank_r = [&, i = i0, j = j0](const Matrix& A, const Matrix& B, double keep) {
      gemm(Op::as_is, Op::transposed, G.rows(), G.cols(), A.cols(), 0.5, A.data() + i, n, B.data() + j, n, keep,
           G.data(), G.rows());
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
    tiles.contract(i0, ni, j0, nj, G.data(), partial.col(k).data());
  });
  for (Index k = 0; k < partial.cols(); ++k) out.d_log_kernel += partial.col(k);
  return out;
}

}  // namespace lacuna::compute::cpu

// compute/cpu/factor.hpp -- the factor of the cpu back end: L and S of A = I + D K D / lambda (triangular.hpp) over the rows in
// use, and what the door asks of M^-1 = D A^-1 D / lambda.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lacuna/compute/cpu/elementwise.hpp"
#include "lacuna/compute/cpu/gram.hpp"
#include "lacuna/compute/cpu/triangular.hpp"

namespace lacuna::cpu {

using MatrixMap = Eigen::Map<Matrix>;

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
    pair_ = Buffer(pair_size(n_, n_));
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
        scaled_product(n_ - j, a + j, s, d_.data() + j, k + j);
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
        scaled_product(ni, a, d_[j] / lambda_, d_.data() + i0, a);
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

}  // namespace lacuna::cpu

// compute/reference/reference.cpp (of compute.hpp) -- every operation of the door as plain loops: slow, short,
// obviously right. The other back ends are tested against it.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/host/factor.hpp"
#include "lacuna/compute/reference/features.hpp"
#include "lacuna/kernel/slope.hpp"

namespace lacuna {
namespace {

RowMatrix dense_copy(const RowsView& X) {
  RowMatrix out(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) dense_row(X, i, out.row(i).data());
  return out;
}

std::span<const double> row(const RowMatrix& X, Index i) { return {X.data() + i * X.cols(), std::size_t(X.cols())}; }

// Lower L with A = L L', or an empty matrix.
Matrix cholesky(const Matrix& A) {
  const Index n = A.rows();
  Matrix L = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    double d = A(j, j);
    for (Index k = 0; k < j; ++k) d -= L(j, k) * L(j, k);
    if (!(d > 0.0)) return {};
    L(j, j) = std::sqrt(d);
    for (Index i = j + 1; i < n; ++i) {
      double s = A(i, j);
      for (Index k = 0; k < j; ++k) s -= L(i, k) * L(j, k);
      L(i, j) = s / L(j, j);
    }
  }
  return L;
}

class ReferenceGram final : public compute::host::HostGram, public std::enable_shared_from_this<ReferenceGram> {
 public:
  // Of K or, with c, of K diag(c) K.
  ReferenceGram(const Kernel& kernel, const RowsView& X, const Vector& c)
      : HostGram(X), K_(compute::reference::kernel_matrix(kernel, X, X)), kernel_(kernel), X_(dense_copy(X)), c_(c) {
    if (c.size() == 0) return;
    root_ = K_;
    K_ = root_ * c.asDiagonal() * root_;
  }

  Vector diagonal() const override { return K_.diagonal(); }
  Matrix multiply(const Matrix& V) const override {
    Matrix out = Matrix::Zero(size(), V.cols());
    for (Index c = 0; c < V.cols(); ++c)
      for (Index i = 0; i < size(); ++i)
        for (Index j = 0; j < size(); ++j) out(i, c) += K_(i, j) * V(j, c);
    return out;
  }
  Matrix block(std::span<const Index> rows, std::span<const Index> cols) const override {
    Matrix out(Index(rows.size()), Index(cols.size()));
    for (Index i = 0; i < out.rows(); ++i)
      for (Index j = 0; j < out.cols(); ++j) out(i, j) = K_(rows[std::size_t(i)], cols[std::size_t(j)]);
    return out;
  }
  std::unique_ptr<compute::Factor> factor(const Vector& beta, double lambda, compute::Want want) const override;

  Matrix cross(const RowsView& X) const override { return compute::reference::kernel_matrix(kernel_, X, X_); }

  Vector eigenvalues() const override { return K_.selfadjointView<Eigen::Lower>().eigenvalues(); }

  // <G, dK/d log theta_p>, pair by pair.
  Vector contract_kernel(const Matrix& of_this) const {
    Matrix G = of_this;
    if (root_.size() > 0) {  // <G, dK C K + K C dK> = <G K C + C K G, dK>
      const Matrix GKC = of_this * root_ * c_.asDiagonal();
      G = GKC + GKC.transpose();
    }
    Vector sum = Vector::Zero(Index(kernel_parameters(kernel_).size()));
    for (Index i = 0; i < size(); ++i)
      for (Index j = 0; j < size(); ++j) {
        const std::vector<double> d = pair_d_log(kernel_, row(X_, i), row(X_, j), j);
        for (Index p = 0; p < sum.size(); ++p) sum[p] += G(i, j) * d[std::size_t(p)];
      }
    return sum;
  }

 private:
  Matrix K_;
  Kernel kernel_;
  RowMatrix X_;
  Matrix root_;  // empty: K_ is the kernel's own matrix
  Vector c_;
};

Matrix reference_product(const Matrix& A, const Matrix& B) {
  Matrix out = Matrix::Zero(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      for (Index k = 0; k < A.cols(); ++k) out(i, j) += A(i, k) * B(k, j);
  return out;
}

class ReferenceFactor final : public compute::host::HostFactor {
 public:
  ReferenceFactor(std::shared_ptr<const ReferenceGram> gram, Matrix L, const Vector& beta, double lambda)
      : HostFactor(beta, lambda, true), gram_(std::move(gram)), L_(std::move(L)), d_(beta.cwiseSqrt()) {
    for (Index i = 0; i < L_.rows(); ++i) log_determinant_ += 2.0 * std::log(L_(i, i));
  }

  Matrix solve(const Matrix& B) const override {
    const Index n = L_.rows();
    Matrix X(n, B.cols());
    for (Index c = 0; c < B.cols(); ++c) {
      Vector y(n);
      for (Index i = 0; i < n; ++i) {
        double s = d_[i] * B(i, c);
        for (Index k = 0; k < i; ++k) s -= L_(i, k) * y[k];
        y[i] = s / L_(i, i);
      }
      for (Index i = n; i-- > 0;) {
        double s = y[i];
        for (Index k = i + 1; k < n; ++k) s -= L_(k, i) * y[k];
        y[i] = s / L_(i, i);
      }
      for (Index i = 0; i < n; ++i) X(i, c) = d_[i] * y[i] / lambda_;
    }
    return X;
  }
  Vector inverse_diagonal() const override { return inverse().diagonal(); }

 protected:
  const compute::host::HostGram& gram() const override { return *gram_; }
  Matrix inverse() const override { return solve(Matrix::Identity(L_.rows(), L_.rows())); }
  Matrix inverse_block(std::span<const Index> rows) const override {
    const Matrix M_inv = inverse();
    Matrix out(Index(rows.size()), Index(rows.size()));
    for (Index i = 0; i < out.rows(); ++i)
      for (Index j = 0; j < out.cols(); ++j) out(i, j) = M_inv(rows[std::size_t(i)], rows[std::size_t(j)]);
    return out;
  }
  Matrix product(const Matrix& A, const Matrix& B) const override { return reference_product(A, B); }
  compute::AdjointResult contract_rows(const compute::Adjoint& a) const override {
    const Index n = L_.rows();
    Matrix G = Matrix::Zero(n, n), right = a.right;
    Vector w;
    if (a.v.size() > 0) {
      double one_xi = 0.0;
      for (Index i = 0; i < a.xi.size(); ++i) one_xi += a.xi[i];
      Matrix Q = inverse();
      for (Index i = 0; i < a.xi.size(); ++i)
        for (Index j = 0; j < n; ++j) Q(i, j) -= a.xi[i] * a.xi[j] / one_xi;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          for (Index k = 0; k < n; ++k) G(i, j) -= Q(i, k) * a.v[k] * Q(k, j);
      if (a.curvature.size() > 0) {
        w = Vector::Zero(n);
        for (Index j = 0; j < n; ++j)
          for (Index k = 0; k < n; ++k)
            if (k != j) w[j] -= lambda_ * Q(j, k) * Q(j, k) * a.v[k];
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) right(i, 0) -= lambda_ * Q(i, j) * w[j] * a.curvature[j];
      }
    }
    if (a.inverse != 0.0) {
      const Matrix M_inv = inverse();
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) G(i, j) += a.inverse * M_inv(i, j);
    }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        for (Index r = 0; r < a.left.cols(); ++r)
          G(i, j) += 0.5 * (a.left(i, r) * right(j, r) + right(i, r) * a.left(j, r));
    return {gram_->contract_kernel(G), G.diagonal(), w};
  }

 private:
  std::shared_ptr<const ReferenceGram> gram_;
  Matrix L_;
  Vector d_;
};

std::unique_ptr<compute::Factor> ReferenceGram::factor(const Vector& beta, double lambda, compute::Want) const {
  const Vector d = beta.cwiseSqrt();
  Matrix A(size(), size());
  for (Index i = 0; i < size(); ++i)
    for (Index j = 0; j < size(); ++j) A(i, j) = (i == j ? 1.0 : 0.0) + d[i] * K_(i, j) * d[j] / lambda;
  Matrix L = cholesky(A);
  if (L.size() == 0) return nullptr;
  return std::make_unique<ReferenceFactor>(shared_from_this(), std::move(L), beta, lambda);
}

class ReferenceBackend final : public compute::host::HostBackend {
 public:
  ReferenceBackend() : HostBackend("reference") {}
  std::shared_ptr<const compute::Gram> gram(const Kernel& kernel, const RowsView& X, compute::Use,
                                            const Vector& c) const override {
    return std::make_shared<ReferenceGram>(kernel, X, c);
  }
  std::shared_ptr<const compute::Features> features(const Kernel& kernel, const RowsView& basis, Index) const override {
    return compute::reference::features(*this, kernel, basis);
  }
  Vector squared_slopes(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A,
                        const Vector& weights) const override {
    const RowMatrix x = dense_copy(X), y = dense_copy(Y);
    Vector sum = Vector::Zero(x.cols());
    for (Index i = 0; i < x.rows(); ++i) {
      Matrix slope = Matrix::Zero(x.cols(), A.cols());
      for (Index j = 0; j < y.rows(); ++j) {
        const std::vector<double> d = pair_slope(kernel, row(x, i), row(y, j));
        for (Index k = 0; k < x.cols(); ++k)
          for (Index c = 0; c < A.cols(); ++c) slope(k, c) += A(j, c) * d[std::size_t(k)];
      }
      for (Index k = 0; k < x.cols(); ++k)
        for (Index c = 0; c < A.cols(); ++c) sum[k] += weights[i] * slope(k, c) * slope(k, c);
    }
    return sum;
  }
  Matrix kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y) const override {
    return compute::reference::kernel_matrix(kernel, X, Y);
  }
  Matrix multiply(const Matrix& A, const Matrix& B) const override { return reference_product(A, B); }
  void add_square(const Matrix& V, const Vector& w, Matrix& S) const override {
    if (S.size() == 0) S = Matrix::Zero(V.rows(), V.rows());
    for (Index j = 0; j < V.rows(); ++j)
      for (Index i = j; i < V.rows(); ++i)
        for (Index k = 0; k < V.cols(); ++k) S(i, j) += V(i, k) * w[k] * V(j, k);
  }
};

}  // namespace

Matrix compute::reference::kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y) {
  const RowMatrix x = dense_copy(X), y = dense_copy(Y);
  Matrix K(x.rows(), y.rows());
  for (Index i = 0; i < K.rows(); ++i)
    for (Index j = 0; j < K.cols(); ++j) K(i, j) = pair_value(kernel, row(x, i), row(y, j), j);
  return K;
}

const Backend& reference_backend() {
  static const ReferenceBackend backend;
  return backend;
}

}  // namespace lacuna

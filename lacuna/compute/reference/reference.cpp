// compute/reference/reference.cpp -- every operation of the door as plain loops: slow, short, obviously right. The
// other back ends are tested against it.
#include <cmath>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/reference/features.hpp"

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

class ReferenceGram final : public Gram, public std::enable_shared_from_this<ReferenceGram> {
 public:
  ReferenceGram(Matrix K, std::unique_ptr<Kernel> kernel, RowMatrix X)
      : K_(std::move(K)), kernel_(std::move(kernel)), X_(std::move(X)) {}
  // Of root diag(c) root.
  ReferenceGram(Matrix root, Vector c, std::unique_ptr<Kernel> kernel, RowMatrix X)
      : K_(root * c.asDiagonal() * root),
        kernel_(std::move(kernel)),
        X_(std::move(X)),
        root_(std::move(root)),
        c_(std::move(c)) {}

  Index size() const override { return K_.rows(); }
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
  std::unique_ptr<Factor> factor(const Vector& beta, double lambda, Want want) const override;

  // Jacobi rotations: sweep over all pairs until nothing is left off the diagonal.
  Spectrum spectrum(const Vector& d) const override {
    const Index n = size();
    Matrix A(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) A(i, j) = d[i] * K_(i, j) * d[j];
    Matrix U = Matrix::Identity(n, n);
    for (int sweep = 0; sweep < 60; ++sweep) {
      double off = 0.0;
      for (Index p = 0; p < n; ++p)
        for (Index q = 0; q < p; ++q) off = std::max(off, std::abs(A(p, q)));
      if (off <= 1e-300) break;
      for (Index p = 0; p < n; ++p)
        for (Index q = 0; q < p; ++q) {
          if (A(p, q) == 0.0) continue;
          const double tau = (A(q, q) - A(p, p)) / (2.0 * A(p, q));
          const double t = (tau >= 0.0 ? 1.0 : -1.0) / (std::abs(tau) + std::hypot(1.0, tau));
          const double c = 1.0 / std::hypot(1.0, t), s = t * c;
          for (Index k = 0; k < n; ++k) {
            const double a = A(k, p), b = A(k, q);
            A(k, p) = c * a - s * b;
            A(k, q) = s * a + c * b;
          }
          for (Index k = 0; k < n; ++k) {
            const double a = A(p, k), b = A(q, k);
            A(p, k) = c * a - s * b;
            A(q, k) = s * a + c * b;
          }
          for (Index k = 0; k < n; ++k) {
            const double a = U(k, p), b = U(k, q);
            U(k, p) = c * a - s * b;
            U(k, q) = s * a + c * b;
          }
        }
    }
    std::vector<Index> order(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) order[std::size_t(i)] = i;
    std::sort(order.begin(), order.end(), [&](Index i, Index j) { return A(i, i) < A(j, j); });
    Spectrum out{Vector(n), Matrix(n, n)};
    for (Index i = 0; i < n; ++i) {
      out.omega[i] = A(order[std::size_t(i)], order[std::size_t(i)]);
      out.U.col(i) = U.col(order[std::size_t(i)]);
    }
    return out;
  }

  // <G, dK/d log theta_p>, pair by pair.
  Vector contract_kernel(const Matrix& of_this) const {
    if (!kernel_) return {};
    Matrix G = of_this;
    if (root_.size() > 0) {  // <G, dK C K + K C dK> = <G K C + C K G, dK>
      const Matrix GKC = of_this * root_ * c_.asDiagonal();
      G = GKC + GKC.transpose();
    }
    Vector sum = Vector::Zero(Index(parameters(*kernel_).size()));
    for (Index i = 0; i < size(); ++i)
      for (Index j = 0; j < size(); ++j) {
        const std::vector<double> d = pair_d_log(*kernel_, row(X_, i), row(X_, j), j);
        for (Index p = 0; p < sum.size(); ++p) sum[p] += G(i, j) * d[std::size_t(p)];
      }
    return sum;
  }

 private:
  Matrix K_;
  std::unique_ptr<Kernel> kernel_;  // null: a matrix from elsewhere
  RowMatrix X_;
  Matrix root_;  // empty: K_ is the kernel's own matrix
  Vector c_;
};

class ReferenceFactor final : public Factor {
 public:
  ReferenceFactor(std::shared_ptr<const ReferenceGram> gram, Matrix L, Vector d, double lambda)
      : gram_(std::move(gram)), L_(std::move(L)), d_(std::move(d)), lambda_(lambda) {}

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
  double log_determinant() const override {
    double sum = 0.0;
    for (Index i = 0; i < L_.rows(); ++i) sum += 2.0 * std::log(L_(i, i));
    return sum;
  }
  Matrix inverse() const override { return solve(Matrix::Identity(L_.rows(), L_.rows())); }
  Vector inverse_diagonal() const override { return inverse().diagonal(); }
  Matrix inverse_block(std::span<const Index> rows) const override {
    const Matrix M_inv = inverse();
    Matrix out(Index(rows.size()), Index(rows.size()));
    for (Index i = 0; i < out.rows(); ++i)
      for (Index j = 0; j < out.cols(); ++j) out(i, j) = M_inv(rows[std::size_t(i)], rows[std::size_t(j)]);
    return out;
  }
  AdjointResult contract(const Adjoint& a) const override {
    const Index n = L_.rows();
    Matrix G = Matrix::Zero(n, n), right = a.right;
    Vector w;
    if (a.v.size() > 0) {
      double one_xi = 0.0;
      for (Index i = 0; i < n; ++i) one_xi += a.xi[i];
      Matrix Q = inverse();
      for (Index i = 0; i < n; ++i)
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
  double lambda_;
};

std::unique_ptr<Factor> ReferenceGram::factor(const Vector& beta, double lambda, Want) const {
  const Vector d = beta.cwiseSqrt();
  Matrix A(size(), size());
  for (Index i = 0; i < size(); ++i)
    for (Index j = 0; j < size(); ++j) A(i, j) = (i == j ? 1.0 : 0.0) + d[i] * K_(i, j) * d[j] / lambda;
  Matrix L = cholesky(A);
  if (L.size() == 0) return nullptr;
  return std::make_unique<ReferenceFactor>(shared_from_this(), std::move(L), d, lambda);
}

class ReferenceBackend final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }
  std::shared_ptr<const Gram> gram(const Kernel& kernel, const RowsView& X, Use) const override {
    return std::make_shared<ReferenceGram>(cross(kernel, X, X), std::make_unique<Kernel>(kernel), dense_copy(X));
  }
  std::shared_ptr<const Gram> squared_gram(const Kernel& kernel, const RowsView& X, const Vector& c,
                                           Use) const override {
    return std::make_shared<ReferenceGram>(cross(kernel, X, X), c, std::make_unique<Kernel>(kernel), dense_copy(X));
  }
  std::shared_ptr<const Gram> gram(Matrix K) const override {
    return std::make_shared<ReferenceGram>(std::move(K), nullptr, RowMatrix());
  }
  Matrix cross(const Kernel& kernel, const RowsView& X, const RowsView& Y) const override {
    const RowMatrix x = dense_copy(X), y = dense_copy(Y);
    Matrix K(x.rows(), y.rows());
    for (Index i = 0; i < K.rows(); ++i)
      for (Index j = 0; j < K.cols(); ++j) K(i, j) = pair_value(kernel, row(x, i), row(y, j), j);
    return K;
  }
  std::shared_ptr<const Features> features(const Kernel& kernel, const RowsView& basis, Index) const override {
    return reference::features(kernel, basis);
  }
  Matrix multiply(const Matrix& A, const Matrix& B) const override {
    Matrix out = Matrix::Zero(A.rows(), B.cols());
    for (Index j = 0; j < B.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i)
        for (Index k = 0; k < A.cols(); ++k) out(i, j) += A(i, k) * B(k, j);
    return out;
  }
  void add_square(const Matrix& V, const Vector& w, Matrix& S) const override {
    if (S.size() == 0) S = Matrix::Zero(V.rows(), V.rows());
    for (Index j = 0; j < V.rows(); ++j)
      for (Index i = j; i < V.rows(); ++i)
        for (Index k = 0; k < V.cols(); ++k) S(i, j) += V(i, k) * w[k] * V(j, k);
  }
};

}  // namespace

const Backend& reference_backend() {
  static const ReferenceBackend backend;
  return backend;
}

}  // namespace lacuna

#include "lacuna/compute/reference/features.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "lacuna/base/error.hpp"

namespace lacuna::compute::reference {
namespace {

// X := L^-1 X or, transposed, L^-T X, for the leading rows of X.
Matrix substitute(const Matrix& L, Matrix X, bool transposed) {
  const Index n = L.rows();
  for (Index c = 0; c < X.cols(); ++c)
    for (Index k = 0; k < n; ++k) {
      const Index i = transposed ? n - 1 - k : k;
      double s = X(i, c);
      for (Index j = transposed ? i + 1 : 0; j < (transposed ? n : i); ++j)
        s -= (transposed ? L(j, i) : L(i, j)) * X(j, c);
      X(i, c) = s / L(i, i);
    }
  return X;
}

// Pivoted Cholesky: K_kept,kept = L L', largest remaining diagonal first, until it is rounding.
std::pair<std::vector<Index>, Matrix> pivoted(const Matrix& K) {
  const Index n = K.rows();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  Matrix L = Matrix::Zero(n, n);
  Vector left = K.diagonal();
  const double tolerance = double(n) * std::numeric_limits<double>::epsilon() * left.maxCoeff();
  Index rank = 0;
  for (; rank < n; ++rank) {
    Index best = rank;
    for (Index i = rank; i < n; ++i)
      if (left[order[std::size_t(i)]] > left[order[std::size_t(best)]]) best = i;
    std::swap(order[std::size_t(rank)], order[std::size_t(best)]);
    L.row(rank).swap(L.row(best));
    const Index pivot = order[std::size_t(rank)];
    if (!(left[pivot] > tolerance)) break;
    L(rank, rank) = std::sqrt(left[pivot]);
    for (Index i = rank + 1; i < n; ++i) {
      double s = K(order[std::size_t(i)], pivot);
      for (Index k = 0; k < rank; ++k) s -= L(i, k) * L(rank, k);
      L(i, rank) = s / L(rank, rank);
      left[order[std::size_t(i)]] -= L(i, rank) * L(i, rank);
    }
  }
  order.resize(std::size_t(rank));
  return {order, L.topLeftCorner(rank, rank)};
}

class ReferenceFeatures final : public host::HostFeatures {
 public:
  ReferenceFeatures(const host::HostBackend& backend, const Kernel& kernel, const RowsView& Z)
      : backend_(backend), kernel_(kernel) {
    if (uses_geometry(kernel, kernels::Geometry::given))
      fail_usage("basis: a precomputed kernel has no rows to choose from");
    std::tie(kept_, L_) = pivoted(kernel_matrix(kernel, Z, Z));
    basis_ = take_rows(Z, kept_);
  }
  Matrix coefficients(const Matrix& p) const override { return substitute(L_, p, true); }
  Matrix penalise(const Matrix& p) const override {
    Matrix out = p;
    out.row(p.rows() - 1).setZero();
    return out;
  }
  Matrix of_block(const RowsView& X, const Matrix& p) const override {
    return backend_.multiply(transformed(X).transpose(), p);
  }
  void accumulate(const RowsView& X, const Matrix& p, const host::ReweighBlock& reweigh,
                  host::Sums& sums) const override {
    const Matrix Z = transformed(X);
    Vector beta = Vector::Zero(X.rows());
    Matrix R = Matrix::Zero(X.rows(), p.cols());
    reweigh(backend_.multiply(Z.transpose(), p), beta, R);
    backend_.add_square(Z, beta, sums.ZWZ);
    if (sums.right.size() == 0) sums.right = Matrix::Zero(size(), R.cols());
    sums.right += backend_.multiply(Z, R);
  }
  std::unique_ptr<host::HostFeatureFactor> factor(const Matrix& ZWZ, double lambda) const override;
  std::unique_ptr<host::HostFeatureFactor> known_factor(const Matrix& T) const override;
  const host::HostBackend& backend() const override { return backend_; }

  // Z' of these rows.
  Matrix transformed(const RowsView& X) const {
    Matrix Z = Matrix::Ones(size(), X.rows());
    Z.topRows(L_.rows()) = kernel_matrix(kernel_, X, basis_).transpose();
    return substitute(L_, std::move(Z), false);
  }
  const Matrix& L() const { return L_; }
  // sum_ij G_ji dk(x_i, z_j)/d log theta_p, G in the coordinates of the kernel values.
  Vector contract_kernel(const RowsView& X, const Matrix& G) const {
    Vector sum = Vector::Zero(Index(kernel_parameters(kernel_).size()));
    std::vector<double> x(std::size_t(X.cols())), z(x.size());
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < L_.rows(); ++j) {
        dense_row(X, i, x.data());
        dense_row(basis_, j, z.data());
        const std::vector<double> d = pair_d_log(kernel_, x, z, j);
        for (Index p = 0; p < sum.size(); ++p) sum[p] += G(j, i) * d[std::size_t(p)];
      }
    return sum;
  }

 private:
  const host::HostBackend& backend_;
  Kernel kernel_;
  Matrix L_;
};

class ReferenceFeatureFactor final : public host::HostFeatureFactor {
 public:
  ReferenceFeatureFactor(std::shared_ptr<const ReferenceFeatures> features, Matrix T)
      : HostFeatureFactor(features), features_(std::move(features)), T_(std::move(T)) {}
  Matrix solve(const Matrix& right) const override { return substitute(T_, substitute(T_, right, false), true); }
  Matrix rotate(const Matrix& p) const override {
    const Matrix upper = T_.transpose();
    return features_->backend().multiply(upper, p);
  }
  Matrix rows(const RowsView& X) const override { return substitute(T_, features_->transformed(X), false); }
  Vector contract(const RowsView& X, const Matrix& G) const override {
    return features_->contract_kernel(X, substitute(features_->L(), substitute(T_, G, true), true));
  }
  host::PenaltyDerivative contract_penalty(const Matrix& G) const override {
    const Matrix half = substitute(T_, G, true).transpose();
    const Matrix H = substitute(T_, half, true);  // T^-T G T^-1
    const Index n = H.rows() - 1;
    host::PenaltyDerivative out;
    for (Index i = 0; i < n; ++i) out.along += H(i, i);
    const Matrix once = substitute(features_->L(), H.topLeftCorner(n, n), true).transpose();
    out.d_log_kernel = features_->contract_kernel(features_->basis(), substitute(features_->L(), once, true));
    return out;
  }

 private:
  std::shared_ptr<const ReferenceFeatures> features_;
  Matrix T_;
};

std::unique_ptr<host::HostFeatureFactor> ReferenceFeatures::factor(const Matrix& ZWZ, double lambda) const {
  Matrix T = Matrix::Zero(size(), size());
  for (Index j = 0; j < size(); ++j)
    for (Index i = j; i < size(); ++i) {
      double s = ZWZ(i, j) + (i == j && i < L_.rows() ? lambda : 0.0);
      for (Index k = 0; k < j; ++k) s -= T(i, k) * T(j, k);
      if (i == j && !(s > 0.0)) return nullptr;
      T(i, j) = i == j ? std::sqrt(s) : s / T(j, j);
    }
  auto self = std::static_pointer_cast<const ReferenceFeatures>(shared_from_this());
  return std::make_unique<ReferenceFeatureFactor>(std::move(self), std::move(T));
}

std::unique_ptr<host::HostFeatureFactor> ReferenceFeatures::known_factor(const Matrix& T) const {
  auto self = std::static_pointer_cast<const ReferenceFeatures>(shared_from_this());
  return std::make_unique<ReferenceFeatureFactor>(std::move(self), T);
}

}  // namespace

std::shared_ptr<const Features> features(const host::HostBackend& backend, const Kernel& kernel,
                                         const RowsView& basis) {
  return std::make_shared<ReferenceFeatures>(backend, kernel, basis);
}

}  // namespace lacuna::compute::reference

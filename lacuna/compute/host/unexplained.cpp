#include "lacuna/compute/host/unexplained.hpp"

#include <cmath>
#include <limits>

#include "lacuna/base/error.hpp"
#include "lacuna/base/slices.hpp"
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/cpu/triangular.hpp"
#include "lacuna/compute/host/precise.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/kernel/diagonal.hpp"

namespace lacuna {
namespace {

// Slices of a matrix: units of the rows, or of the columns.
Slices<Matrix> sliced(const Matrix& A, bool by_rows) {
  const Vector most = by_rows ? Vector(A.cwiseAbs().rowwise().maxCoeff()) : Vector(A.cwiseAbs().colwise().maxCoeff());
  const Vector unit = most.unaryExpr([](double a) { return power_of_two(a); });
  Slices<Matrix> out;
  out.fill(Matrix(A.rows(), A.cols()));
  parallel_ranges(A.cols(), 64, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j)
      for (Index i = 0; i < A.rows(); ++i) {
        const auto part = slices(A(i, j), unit[by_rows ? i : j]);
        for (std::size_t s = 0; s < part.size(); ++s) out[s](i, j) = part[s];
      }
  });
  return out;
}

}  // namespace

double variance_error(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda) {
  const Vector self = kernel_diagonal(kernel, X);
  return std::numeric_limits<double>::epsilon() * self.maxCoeff() / lambda * std::sqrt(1.0 + beta.dot(self) / lambda);
}

bool wants_precise_variance(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda) {
  constexpr double visible = 4e-13;
  return has_precise_values(kernel, X) && variance_error(kernel, X, beta, lambda) > visible;
}

RowMatrix explaining_matrix(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda) {
  const Index n = X.rows();
  const Matrix K = compute::cpu::kernel_matrix(kernel, X, X);
  const Vector D = (beta / lambda).cwiseSqrt();
  compute::cpu::Buffer pair(compute::cpu::pair_size(n, n));
  Eigen::Map<Matrix> P(pair.data(), n, n + 1);
  for (Index j = 0; j < n; ++j) {
    P.col(j).tail(n - j) = D[j] * D.tail(n - j).cwiseProduct(K.col(j).tail(n - j));
    P(j, j) += 1.0;
  }
  if (!compute::cpu::factor_and_invert(n, pair.data(), n))
    fail_numerical("variance: the kernel matrix of the model is not positive definite");
  RowMatrix E = RowMatrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) E.col(j).head(j + 1) = D.head(j + 1).cwiseProduct(P.col(j + 1).head(j + 1));
  return E;
}

Unexplained::Unexplained(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda)
    : kernel_(kernel), X_(X), E_(sliced(explaining_matrix(kernel, X, beta, lambda), false)) {}

Vector Unexplained::at(const RowsView& rows) const {
  const PreciseValues values = precise_values(kernel_, rows, X_);
  const Slices<Matrix> k = sliced(values.k, true);
  Slices<Slices<Matrix>> product;
  for (std::size_t s = 0; s < slice_count; ++s)
    for (std::size_t t = 0; s + t < slice_count; ++t) product[s][t] = compute::cpu::multiply(k[s], E_[t]);
  Vector v(rows.rows());
  parallel_ranges(rows.rows(), 16, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      Twofold<double> rest = values.self[std::size_t(i)];
      for (Index j = 0; j < X_.rows(); ++j)
        rest = rest + -square(sum_of_slices<double>([&](std::size_t s, std::size_t t) { return product[s][t](i, j); }));
      v[i] = std::max(rest.high, 0.0);
    }
  });
  return v;
}

}  // namespace lacuna

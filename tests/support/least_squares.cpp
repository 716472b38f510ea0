#include "tests/support/least_squares.hpp"

#include <cmath>

namespace lacuna::testing {

Matrix least_squares_outputs(const Matrix& K_ln, const Matrix& K_nn, const Vector& beta, const Matrix& eta,
                             double lambda, const std::vector<bool>& use) {
  const Index l = K_ln.rows(), n = K_ln.cols();
  const Long R = Eigen::LLT<Long>(K_nn.cast<long double>()).matrixU();
  Long A = Long::Zero(l + n, n + 1), right = Long::Zero(l + n, eta.cols());
  for (Index i = 0; i < l; ++i) {
    if (!use[std::size_t(i)]) continue;
    const long double d = std::sqrt(static_cast<long double>(beta[i]));
    A.row(i).head(n) = d * K_ln.row(i).cast<long double>();
    A(i, n) = d;
    right.row(i) = d * eta.row(i).cast<long double>();
  }
  A.bottomLeftCorner(n, n) = std::sqrt(static_cast<long double>(lambda)) * R;
  // In the coordinates of R a, so that the oracle has no small columns either.
  Long Z = Long::Ones(l, n + 1);
  Z.leftCols(n) = R.transpose().triangularView<Eigen::Lower>().solve(K_ln.cast<long double>().transpose()).transpose();
  A.leftCols(n) = R.transpose().triangularView<Eigen::Lower>().solve(A.leftCols(n).transpose()).transpose().eval();
  const Long x = Eigen::HouseholderQR<Long>(A).solve(right);
  return (Z * x).cast<double>();
}

Matrix brute_force_on_basis(const Matrix& K_ln, const Matrix& K_nn, const Vector& beta, const Matrix& eta,
                            double lambda, Folds folds) {
  if (folds.empty())
    for (Index i = 0; i < K_ln.rows(); ++i) folds.push_back({i});
  Matrix z(K_ln.rows(), eta.cols());
  for (const auto& fold : folds) {
    std::vector<bool> use(std::size_t(K_ln.rows()), true);
    for (const Index i : fold) use[std::size_t(i)] = false;
    const Matrix all = least_squares_outputs(K_ln, K_nn, beta, eta, lambda, use);
    for (const Index i : fold) z.row(i) = all.row(i);
  }
  return z;
}

}  // namespace lacuna::testing

#include "tests/support/bordered.hpp"

#include <algorithm>

namespace lacuna::testing {

Long solve_by_lu(const Long& C, const Long& right) {
  Eigen::FullPivLU<Long> lu(C);
  lu.setThreshold(0.0L);
  return lu.solve(right);
}

Bordered solve_bordered(const Matrix& K, const Vector& beta, const Matrix& eta, double lambda,
                        const std::vector<bool>& use) {
  std::vector<Index> rows;
  for (Index i = 0; i < K.rows(); ++i)
    if (use[std::size_t(i)] && beta[i] > 0.0) rows.push_back(i);
  const auto n = Index(rows.size());
  Long C = Long::Zero(n + 1, n + 1), right = Long::Zero(n + 1, eta.cols());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) C(i, j) = static_cast<long double>(K(rows[std::size_t(i)], rows[std::size_t(j)]));
    C(i, i) += static_cast<long double>(lambda) / static_cast<long double>(beta[rows[std::size_t(i)]]);
    C(i, n) = C(n, i) = 1.0L;
    right.row(i) = eta.row(rows[std::size_t(i)]).cast<long double>();
  }
  const Long x = solve_by_lu(C, right);
  Bordered out{Long::Zero(K.rows(), eta.cols()), x.row(n)};
  for (Index i = 0; i < n; ++i) out.alpha.row(rows[std::size_t(i)]) = x.row(i);
  return out;
}

Matrix brute_force_held_out(const Matrix& K, const Vector& beta, const Matrix& eta, double lambda, Folds folds) {
  if (folds.empty())
    for (Index i = 0; i < K.rows(); ++i) folds.push_back({i});
  Matrix z(K.rows(), eta.cols());
  for (const auto& fold : folds) {
    std::vector<bool> use(std::size_t(K.rows()), true);
    for (const Index i : fold) use[std::size_t(i)] = false;
    const Bordered fit = solve_bordered(K, beta, eta, lambda, use);
    for (const Index i : fold) z.row(i) = (K.row(i).cast<long double>() * fit.alpha + fit.b).cast<double>();
  }
  return z;
}

double condition(const Matrix& K, const Vector& beta, double lambda) {
  std::vector<Index> rows;
  for (Index i = 0; i < K.rows(); ++i)
    if (beta[i] > 0.0) rows.push_back(i);
  Matrix M(Index(rows.size()), Index(rows.size()));
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = 0; j < M.cols(); ++j)
      M(i, j) = K(rows[std::size_t(i)], rows[std::size_t(j)]) + (i == j ? lambda / beta[rows[std::size_t(i)]] : 0.0);
  const Vector omega = Eigen::SelfAdjointEigenSolver<Matrix>(M, Eigen::EigenvaluesOnly).eigenvalues();
  return omega.maxCoeff() / std::max(omega.minCoeff(), 1e-300);
}

}  // namespace lacuna::testing

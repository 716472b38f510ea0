// One suite for every back end: each operation of the compute door agrees with the plain loops of compute/reference, for
// every kernel, dense and sparse rows, all rows in the system or some of them left out.
#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/compute/compute.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

using testing::all_kernels;
using testing::random_matrix;

double scale(const Matrix& A) { return A.size() == 0 ? 1.0 : std::max(1e-300, A.cwiseAbs().maxCoeff()); }

// Differences of rounding only: eps times the few hundred additions and, after solving, the condition of A (<= 1e4 here).
#define EXPECT_CLOSE(A, B, tolerance) EXPECT_LE(((A) - (B)).cwiseAbs().maxCoeff(), (tolerance)*scale(B))

class EveryBackend : public ::testing::TestWithParam<const Backend*> {
 protected:
  const Backend& backend() const { return *GetParam(); }
  const Backend& reference() const { return reference_backend(); }
};

// `K` is what a back end made, `R` the same of the reference.
void expect_agreement(const std::shared_ptr<const Gram>& K, const std::shared_ptr<const Gram>& R, const Vector& beta,
                      double lambda) {
  const Index n = R->size();
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index(0));
  const Matrix K_ref = R->block(all, all);
  EXPECT_CLOSE(K->block(all, all), K_ref, 1e-13);
  EXPECT_CLOSE(K->diagonal(), R->diagonal(), 1e-13);
  const Matrix V = random_matrix(n, 3, 5);
  EXPECT_CLOSE(K->multiply(V), R->multiply(V), 1e-12);

  const auto F = K->factor(beta, lambda, Want::inverse), F_ref = R->factor(beta, lambda, Want::inverse);
  ASSERT_TRUE(F && F_ref);
  EXPECT_CLOSE(F->solve(V), F_ref->solve(V), 1e-9);
  EXPECT_CLOSE(K->factor(beta, lambda, Want::solve)->solve(V), F_ref->solve(V), 1e-9);
  EXPECT_NEAR(F->log_determinant(), F_ref->log_determinant(), 1e-10 * (1.0 + F_ref->log_determinant()));
  EXPECT_EQ(K->factor(beta, lambda, Want::solve)->log_determinant(), F->log_determinant());
  EXPECT_CLOSE(F->inverse_diagonal(), F_ref->inverse_diagonal(), 1e-9);
  EXPECT_CLOSE(F->inverse(), F_ref->inverse(), 1e-9);
  const std::vector<Index> some{1, 4, 5, n - 1};
  EXPECT_CLOSE(F->inverse_block(some), F_ref->inverse_block(some), 1e-9);

  Adjoint adjoint{random_matrix(n, 2, 6), random_matrix(n, 2, 7), random_matrix(n, 1, 8),
                  F_ref->solve(Matrix::Ones(n, 1))};
  for (const auto& [with_square, kappa] : {std::pair{true, 0.0}, {true, -0.7}, {false, 0.0}, {false, 0.3}}) {
    if (!with_square) adjoint.v.resize(0);
    adjoint.inverse = kappa;
    const AdjointResult G = F->contract(adjoint), G_ref = F_ref->contract(adjoint);
    EXPECT_CLOSE(G.diagonal, G_ref.diagonal, 1e-9);
    ASSERT_EQ(G.d_log_kernel.size(), G_ref.d_log_kernel.size());
    if (G.d_log_kernel.size() == 0) continue;
    EXPECT_CLOSE(G.d_log_kernel, G_ref.d_log_kernel, 1e-8);
  }
}

// Whether the Gram matrix is stored or made anew must not matter. K C K is of the size of K C: lambda grows with it.
void expect_agreement(const Backend& backend, const Backend& reference, const Kernel& kernel, const RowsView& X,
                      const Vector& beta, double lambda) {
  const auto R = reference.gram(kernel, X), R_squared = reference.squared_gram(kernel, X, beta);
  const double ratio = R_squared->diagonal().sum() / R->diagonal().sum();
  for (const Use use : {Use::once, Use::repeatedly}) {
    expect_agreement(backend.gram(kernel, X, use), R, beta, lambda);
    SCOPED_TRACE("squared");
    expect_agreement(backend.squared_gram(kernel, X, beta, use), R_squared, beta, lambda * ratio);
  }
}

TEST_P(EveryBackend, AgreesWithReferenceForEveryKernelOnDenseRows) {
  const RowMatrix X = testing::random_rows(40, 4, 1);
  for (const auto& [name, kernel] : all_kernels(4)) {
    SCOPED_TRACE(name);
    expect_agreement(backend(), reference(), kernel, X, testing::random_weights(40, 2), 0.5);
  }
}

TEST_P(EveryBackend, AgreesWithReferenceForEveryKernelOnSparseRows) {
  const SparseMatrix X = testing::random_sparse(40, 6, 3);
  for (const auto& [name, kernel] : all_kernels(6)) {
    SCOPED_TRACE(name);
    expect_agreement(backend(), reference(), kernel, X, testing::random_weights(40, 2), 0.5);
  }
}

TEST_P(EveryBackend, AgreesWithReferenceWhenRowsOfZeroWeightLeaveTheSystem) {
  const RowMatrix X = testing::random_rows(40, 3, 1);
  for (const auto& [name, kernel] : all_kernels(3)) {
    SCOPED_TRACE(name);
    expect_agreement(backend(), reference(), kernel, X, testing::random_weights(40, 2, 8), 0.5);
  }
}

TEST_P(EveryBackend, AgreesWithReferenceAcrossTheEdgesOfTiles) {
  for (const Index n : {127, 128, 129, 257}) {
    const RowMatrix X = testing::random_rows(n, 2, std::uint64_t(n));
    expect_agreement(backend(), reference(), Ard{{0.3, 0.7}}, X, testing::random_weights(n, 2, int(n) % 3), 1.0);
  }
}

TEST_P(EveryBackend, TakesRowsWithAnyStrides) {
  const RowMatrix X = testing::random_rows(20, 5, 1);
  const Matrix column_major = X;
  const Rbf kernel{.theta = 0.2};
  const std::vector<Index> all{0, 3, 7, 19};
  EXPECT_CLOSE(backend().gram(kernel, column_major)->block(all, all), reference().gram(kernel, X)->block(all, all),
               1e-13);
}

TEST_P(EveryBackend, GivesTwinsDistanceZeroFarFromTheOrigin) {
  RowMatrix X = testing::random_rows(30, 3, 1);
  X.array() += 1e6;
  X.row(7) = X.row(3);
  const std::vector<Index> pair{3, 7};
  EXPECT_EQ(backend().gram(Matern12{.theta = 1.0}, X)->block(pair, pair)(0, 1), 1.0);
}

TEST_P(EveryBackend, CrossAgreesWithReferenceForEveryKernel) {
  const RowMatrix X = testing::random_rows(23, 4, 1), Y = testing::random_rows(300, 4, 2);
  const SparseMatrix S = testing::random_sparse(23, 4, 1), T = testing::random_sparse(40, 4, 2);
  for (const auto& [name, kernel] : all_kernels(4)) {
    SCOPED_TRACE(name);
    EXPECT_CLOSE(backend().cross(kernel, X, Y), reference().cross(kernel, X, Y), 1e-12);
    EXPECT_CLOSE(backend().cross(kernel, S, T), reference().cross(kernel, S, T), 1e-12);
    EXPECT_CLOSE(backend().cross(kernel, S, Y), reference().cross(kernel, S, Y), 1e-12);
    EXPECT_CLOSE(backend().cross(kernel, X, T), reference().cross(kernel, X, T), 1e-12);
  }
}

TEST_P(EveryBackend, TakesAPrecomputedKernelAsItIs) {
  const RowMatrix X = testing::random_rows(15, 15, 4);
  const RowMatrix K = X * X.transpose();
  expect_agreement(backend(), reference(), Precomputed{}, K, Vector::Ones(15), 0.5);
  const RowMatrix few = K.topRows(4);
  EXPECT_EQ(backend().cross(Precomputed{}, few, K), Matrix(few));
}

TEST_P(EveryBackend, SquaredGramIsTheProductOfTheKernelMatrixWithItself) {
  const RowMatrix X = testing::random_rows(30, 3, 9);
  const Vector c = testing::random_weights(30, 4, 6);
  std::vector<Index> all(30);
  std::iota(all.begin(), all.end(), Index(0));
  for (const auto& [name, kernel] : all_kernels(3)) {
    SCOPED_TRACE(name);
    const Matrix K = reference().gram(kernel, X)->block(all, all);
    const Matrix KCK = K * c.asDiagonal() * K;
    EXPECT_CLOSE(backend().squared_gram(kernel, X, c)->block(all, all), KCK, 1e-12);
    EXPECT_CLOSE(backend().squared_gram(kernel, X, c, Use::once)->diagonal(), KCK.diagonal(), 1e-12);
  }
}

// <G, d(K C K)> by central differences of <G, K C K>, the adjoint's G spelt out.
TEST_P(EveryBackend, ContractionThroughTheSquareMatchesCentralDifferences) {
  const RowMatrix X = testing::random_rows(25, 3, 9);
  const Vector c = testing::random_weights(25, 4, 5);
  const Matrix L = random_matrix(25, 2, 6), R = random_matrix(25, 2, 7),
               G = 0.5 * (L * R.transpose() + R * L.transpose());
  std::vector<Index> all(25);
  std::iota(all.begin(), all.end(), Index(0));
  for (const auto& [name, kernel] : all_kernels(3)) {
    SCOPED_TRACE(name);
    const auto F = backend().squared_gram(kernel, X, c)->factor(c, 1.0, Want::inverse);
    ASSERT_TRUE(F);
    const Vector d = F->contract({L, R, {}, {}}).d_log_kernel;
    const std::vector<double> at = parameters(kernel);
    for (std::size_t p = 0; p < at.size(); ++p) {
      const double expected = testing::difference([&, &kernel = kernel](double step) {
        std::vector<double> moved = at;
        moved[p] *= std::exp(step);
        const auto S = backend().squared_gram(with_parameters(kernel, moved), X, c);
        return S->block(all, all).cwiseProduct(G).sum();
      });
      EXPECT_NEAR(d[Index(p)], expected, 1e-7 * std::max(1.0, d.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_P(EveryBackend, SpectrumRebuildsTheMatrix) {
  const RowMatrix X = testing::random_rows(25, 3, 9);
  const auto K = backend().gram(Rbf{.theta = 0.3}, X);
  const Vector d = testing::random_weights(25, 3).cwiseSqrt();
  const Spectrum s = K->spectrum(d);
  std::vector<Index> all(25);
  std::iota(all.begin(), all.end(), Index(0));
  const Matrix DKD = d.asDiagonal() * K->block(all, all) * d.asDiagonal();
  EXPECT_CLOSE((s.U * s.omega.asDiagonal() * s.U.transpose()), DKD, 1e-12);
  EXPECT_CLOSE((s.U.transpose() * s.U), Matrix::Identity(25, 25), 1e-12);
  for (Index i = 1; i < 25; ++i) EXPECT_LE(s.omega[i - 1], s.omega[i]);
}

TEST_P(EveryBackend, SaysThatAnIndefiniteMatrixIsNotPositiveDefinite) {
  Matrix K = Matrix::Identity(5, 5);
  K(2, 2) = -3.0;
  EXPECT_EQ(backend().gram(K)->factor(Vector::Ones(5), 1.0, Want::inverse), nullptr);
  EXPECT_NE(backend().gram(K)->factor(Vector::Ones(5), 4.0, Want::inverse), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackend, ::testing::Values(&reference_backend(), &cpu_backend()),
                         [](const auto& back_end) { return std::string(back_end.param->name()); });

}  // namespace
}  // namespace lacuna

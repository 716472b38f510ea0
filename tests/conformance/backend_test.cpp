// One suite for every back end: each operation of the compute door agrees with the plain loops of compute/reference,
// for every kernel, dense and sparse rows, all rows in the system or some of them left out.
#include "lacuna/compute/cpu/dense.hpp"
#include "tests/conformance/every_backend.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace backend_test {

using testing::all_kernels;
using testing::dense;
using testing::random_matrix;

// `K` is what a back end made, `R` the same of the reference.
void expect_agreement(const std::shared_ptr<const compute::Gram>& K, const std::shared_ptr<const compute::Gram>& R,
                      const Vector& beta, double lambda) {
  const Index n = R->size();
  EXPECT_CLOSE(dense(*K), dense(*R), 1e-13);
  EXPECT_CLOSE(K->diagonal(), R->diagonal(), 1e-13);
  const Matrix V = random_matrix(n, 3, 5);
  EXPECT_CLOSE(K->multiply(V), R->multiply(V), 1e-12);

  const auto F = K->factor(beta, lambda, compute::Want::inverse),
             F_ref = R->factor(beta, lambda, compute::Want::inverse);
  ASSERT_TRUE(F && F_ref);
  EXPECT_CLOSE(F->solve(V), F_ref->solve(V), 1e-9);
  EXPECT_CLOSE(K->factor(beta, lambda, compute::Want::solve)->solve(V), F_ref->solve(V), 1e-9);
  EXPECT_NEAR(F->log_determinant(), F_ref->log_determinant(), 1e-10 * (1.0 + F_ref->log_determinant()));
  EXPECT_EQ(K->factor(beta, lambda, compute::Want::solve)->log_determinant(), F->log_determinant());
  EXPECT_CLOSE(F->inverse_diagonal(), F_ref->inverse_diagonal(), 1e-9);
  const Vector xi = F_ref->solve(Matrix::Ones(n, 1));
  const Matrix alpha = F_ref->solve(V);
  const Folds folds = k_folds(n, 5, {}, 1);
  EXPECT_CLOSE(F->leave_out(folds, xi, alpha), F_ref->leave_out(folds, xi, alpha), 1e-7);
  Matrix side = random_matrix(n, 3, 9);
  side.col(1) = side.col(1).cwiseMax(0.0);  // all on one side: no pairs
  const compute::PairsOut pairs{.pairs = {side, Vector::Constant(3, 1e-7)}, .alpha = alpha, .z = V, .eta = V, .xi = xi};
  const Vector areas = F->pair_areas(pairs), areas_ref = F_ref->pair_areas(pairs);
  EXPECT_TRUE(std::isnan(areas[1]) && std::isnan(areas_ref[1]));
  for (const Index c : {0, 2}) EXPECT_NEAR(areas[c], areas_ref[c], 1e-12);

  compute::Adjoint adjoint{random_matrix(n, 2, 6), random_matrix(n, 2, 7), random_matrix(n, 1, 8), xi};
  for (const auto& [with_square, kappa] : {std::pair{true, 0.0}, {true, -0.7}, {false, 0.0}, {false, 0.3}}) {
    if (!with_square) adjoint.v.resize(0);
    adjoint.inverse = kappa;
    const compute::AdjointResult G = F->contract(adjoint), G_ref = F_ref->contract(adjoint);
    EXPECT_CLOSE(G.diagonal, G_ref.diagonal, 1e-9);
    ASSERT_EQ(G.d_log_kernel.size(), G_ref.d_log_kernel.size());
    if (G.d_log_kernel.size() == 0) continue;
    EXPECT_CLOSE(G.d_log_kernel, G_ref.d_log_kernel, 1e-8);
  }
  const compute::Adjoint of_folds{
      .left = alpha.col(0), .right = V.col(0), .v = {}, .xi = xi, .curvature = V.col(1), .folds = folds};
  std::vector<compute::Adjoint> moving{of_folds};
  if (beta.minCoeff() > 0.0) {  // Gaussian processes: no border, and every row has a site
    moving.push_back({.left = alpha.col(0), .right = V.col(0), .v = V.col(2), .xi = {}, .curvature = V.col(1)});
    moving.push_back(of_folds);
    moving.back().xi = {};
    moving.back().q = V.col(2);
  }
  for (const compute::Adjoint& one : moving) {
    const compute::AdjointResult G = F->contract(one), G_ref = F_ref->contract(one);
    EXPECT_CLOSE(G.diagonal, G_ref.diagonal, 1e-6);
    EXPECT_CLOSE(G.w, G_ref.w, 1e-6);
    if (G.d_log_kernel.size() == 0) continue;
    EXPECT_CLOSE(G.d_log_kernel, G_ref.d_log_kernel, 1e-6);
  }
}

// Whether the Gram matrix is stored or made anew must not matter. K C K is of the size of K C: lambda grows with it.
void expect_agreement(const Backend& backend, const Backend& reference, const Kernel& kernel, const RowsView& X,
                      const Vector& beta, double lambda) {
  const auto R = reference.gram(kernel, X), R_squared = reference.gram(kernel, X, compute::Use::repeatedly, beta);
  const double ratio = R_squared->diagonal().sum() / R->diagonal().sum();
  for (const compute::Use use : {compute::Use::once, compute::Use::repeatedly}) {
    expect_agreement(backend.gram(kernel, X, use), R, beta, lambda);
    SCOPED_TRACE("squared");
    expect_agreement(backend.gram(kernel, X, use, beta), R_squared, beta, lambda * ratio);
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
    expect_agreement(backend(), reference(), kernels::Ard{{0.3, 0.7}}, X, testing::random_weights(n, 2, int(n) % 3),
                     1.0);
  }
}

TEST_P(EveryBackend, TakesRowsWithAnyStrides) {
  const RowMatrix X = testing::random_rows(20, 5, 1);
  const Matrix column_major = X;
  const kernels::Rbf kernel{.theta = 0.2};
  EXPECT_CLOSE(dense(*backend().gram(kernel, column_major)), dense(*reference().gram(kernel, X)), 1e-13);
}

TEST_P(EveryBackend, GivesTwinsDistanceZeroFarFromTheOrigin) {
  RowMatrix X = testing::random_rows(30, 3, 1);
  X.array() += 1e6;
  X.row(7) = X.row(3);
  EXPECT_EQ(dense(*backend().gram(kernels::Matern12{.theta = 1.0}, X))(3, 7), 1.0);
}

TEST_P(EveryBackend, ExpansionsAgreeWithReferenceForEveryKernel) {
  const RowMatrix X = testing::random_rows(23, 4, 1), Y = testing::random_rows(300, 4, 2);
  const SparseMatrix S = testing::random_sparse(23, 4, 1), T = testing::random_sparse(40, 4, 2);
  const Matrix A = random_matrix(300, 2, 3), B = random_matrix(40, 2, 4);
  for (const auto& [name, kernel] : all_kernels(4)) {
    SCOPED_TRACE(name);
    EXPECT_CLOSE(backend().expand(kernel, X, Y, A), reference().expand(kernel, X, Y, A), 1e-11);
    EXPECT_CLOSE(backend().expand(kernel, S, T, B), reference().expand(kernel, S, T, B), 1e-11);
    EXPECT_CLOSE(backend().expand(kernel, S, Y, A), reference().expand(kernel, S, Y, A), 1e-11);
    EXPECT_CLOSE(backend().expand(kernel, X, T, B), reference().expand(kernel, X, T, B), 1e-11);
  }
}

// Coefficients near interpolation are large, and what products round at their edges would show in outputs.
TEST_P(EveryBackend, TheOutputOfARowDoesNotDependOnTheRowsBesideIt) {
  const RowMatrix X = testing::random_rows(70, 4, 1), Y = testing::random_rows(45, 4, 2);
  for (const Index outputs : {1, 3}) {
    const Matrix A = 1e9 * random_matrix(45, outputs, 3);
    for (const auto& [name, kernel] : all_kernels(4)) {
      SCOPED_TRACE(name);
      const Matrix all = backend().expand(kernel, X, Y, A);
      for (const Index i : {0, 31, 32, 69})
        EXPECT_EQ(backend().expand(kernel, RowMatrix(X.row(i)), Y, A), all.row(i)) << i;
    }
  }
}

TEST_P(EveryBackend, ExplainsNewRowsAsReferenceDoes) {
  const RowMatrix X = testing::random_rows(60, 3, 1), fresh = testing::random_rows(450, 3, 2);
  const Vector beta = testing::random_weights(60, 3, 5);
  for (const auto& [name, kernel] : all_kernels(3)) {
    SCOPED_TRACE(name);
    const auto K = backend().gram(kernel, X), R = reference().gram(kernel, X);
    EXPECT_CLOSE(K->factor(beta, 0.5, compute::Want::solve)->explained(fresh),
                 R->factor(beta, 0.5, compute::Want::solve)->explained(fresh), 1e-9);
  }
}

TEST_P(EveryBackend, TakesSitesAwayAsReferenceDoes) {
  const RowMatrix X = testing::random_rows(60, 3, 1);
  const Vector beta = testing::random_weights(60, 3), pull = random_matrix(60, 1, 4);
  Folds folds = k_folds(60, 9, {}, 2);
  folds.pop_back();
  const auto K = backend().gram(kernels::Rbf{.theta = 0.3}, X), R = reference().gram(kernels::Rbf{.theta = 0.3}, X);
  const compute::SitesOut a = K->factor(beta, 0.5, compute::Want::solve)->take_sites(folds, pull);
  const compute::SitesOut b = R->factor(beta, 0.5, compute::Want::solve)->take_sites(folds, pull);
  for (const auto& fold : folds)
    for (const Index i : fold) {
      EXPECT_NEAR(a.variance[i], b.variance[i], 1e-11);
      EXPECT_NEAR(a.shift[i], b.shift[i], 1e-11);
    }
}

TEST_P(EveryBackend, GrowsABasisAsReferenceDoes) {
  const RowMatrix X = testing::random_rows(50, 3, 1);
  const std::vector<Index> judged{1, 4, 9, 16, 25, 36, 49};
  for (const Index most : {0, 5}) {
    const compute::Judged by{judged, random_matrix(7, 1, 2).cwiseAbs(), most};
    const auto a = backend().projection(kernels::Matern52{.theta = 0.4}, X, by);
    const auto b = reference().projection(kernels::Matern52{.theta = 0.4}, X, by);
    for (int step = 0; step < 4; ++step) {
      const std::vector<Index> some = most == 0 ? judged : std::vector<Index>{step, 10 + step, 20 + step};
      const auto seen = a->look(some), seen_ref = b->look(some);
      EXPECT_CLOSE(seen.norm, seen_ref.norm, 1e-13);
      EXPECT_CLOSE(seen.own, seen_ref.own, 1e-11);
      EXPECT_CLOSE(seen.taken, seen_ref.taken, 1e-11);
      a->add(most == 0 ? step : step % 3);
      b->add(most == 0 ? step : step % 3);
      EXPECT_CLOSE(a->left(), b->left(), 1e-11);
    }
  }
}

TEST_P(EveryBackend, TakesAPrecomputedKernelAsItIs) {
  const RowMatrix X = testing::random_rows(15, 15, 4);
  const RowMatrix K = X * X.transpose();
  expect_agreement(backend(), reference(), kernels::Precomputed{}, K, Vector::Ones(15), 0.5);
  const RowMatrix few = K.topRows(4);
  EXPECT_EQ(backend().expand(kernels::Precomputed{}, few, K, Matrix::Identity(15, 15)), Matrix(few));
}

TEST_P(EveryBackend, SquaredGramIsTheProductOfTheKernelMatrixWithItself) {
  const RowMatrix X = testing::random_rows(30, 3, 9);
  const Vector c = testing::random_weights(30, 4, 6);
  for (const auto& [name, kernel] : all_kernels(3)) {
    SCOPED_TRACE(name);
    const Matrix K = dense(*reference().gram(kernel, X));
    const Matrix KCK = K * c.asDiagonal() * K;
    EXPECT_CLOSE(dense(*backend().gram(kernel, X, compute::Use::repeatedly, c)), KCK, 1e-12);
    EXPECT_CLOSE(backend().gram(kernel, X, compute::Use::once, c)->diagonal(), KCK.diagonal(), 1e-12);
  }
}

// <G, d(K C K)> by central differences of <G, K C K>, the adjoint's G spelt out.
TEST_P(EveryBackend, ContractionThroughTheSquareMatchesCentralDifferences) {
  const RowMatrix X = testing::random_rows(25, 3, 9);
  const Vector c = testing::random_weights(25, 4, 5);
  const Matrix L = random_matrix(25, 2, 6), R = random_matrix(25, 2, 7),
               G = 0.5 * (L * R.transpose() + R * L.transpose());
  for (const auto& [name, kernel] : all_kernels(3)) {
    SCOPED_TRACE(name);
    const auto F = backend().gram(kernel, X, compute::Use::repeatedly, c)->factor(c, 1.0, compute::Want::inverse);
    ASSERT_TRUE(F);
    const Vector d = F->contract({L, R, {}, {}}).d_log_kernel;
    const std::vector<double> at = kernel_parameters(kernel);
    for (std::size_t p = 0; p < at.size(); ++p) {
      const double expected = testing::difference([&, &kernel = kernel](double step) {
        std::vector<double> moved = at;
        moved[p] *= std::exp(step);
        return dense(*backend().gram(with_parameters(kernel, moved), X, compute::Use::repeatedly, c))
            .cwiseProduct(G)
            .sum();
      });
      EXPECT_NEAR(d[Index(p)], expected, 1e-7 * std::max(1.0, d.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_P(EveryBackend, EigenvaluesAreThoseOfTheMatrix) {
  const RowMatrix X = testing::random_rows(25, 3, 9);
  const auto K = backend().gram(kernels::Rbf{.theta = 0.3}, X);
  const compute::cpu::Spectrum s = compute::cpu::spectrum(dense(*K));
  EXPECT_CLOSE(K->eigenvalues(), s.omega, 1e-12);
  EXPECT_CLOSE((s.U * s.omega.asDiagonal() * s.U.transpose()), dense(*K), 1e-12);
}

TEST_P(EveryBackend, SaysThatAnIndefiniteMatrixIsNotPositiveDefinite) {
  Matrix K = Matrix::Identity(5, 5);
  K(2, 2) = -3.0;
  const auto gram = backend().gram(kernels::Precomputed{}, K);
  EXPECT_EQ(gram->factor(Vector::Ones(5), 1.0, compute::Want::inverse), nullptr);
  EXPECT_NE(gram->factor(Vector::Ones(5), 4.0, compute::Want::inverse), nullptr);
}

TEST_P(EveryBackend, ASubsetOfRowsIsTheGramMatrixOfThoseRows) {
  const RowMatrix X = testing::random_rows(20, 3, 9);
  const std::vector<Index> some{1, 2, 5, 9, 10, 17, 19};
  const auto K = backend().gram(kernels::Rbf{.theta = 0.3}, X);
  const auto part = subset(*K, some);
  const RowMatrix few = X(some, Eigen::all);
  const auto own = backend().gram(kernels::Rbf{.theta = 0.3}, few);
  EXPECT_EQ(part->size(), 7);
  EXPECT_CLOSE(dense(*part), dense(*own), 1e-14);
  EXPECT_EQ(part->diagonal(), own->diagonal());
  const Vector beta = testing::random_weights(7, 3, 2);
  const auto a = part->factor(beta, 0.2, compute::Want::inverse), b = own->factor(beta, 0.2, compute::Want::inverse);
  EXPECT_CLOSE(a->solve(few), b->solve(few), 1e-12);
  EXPECT_CLOSE(a->inverse_diagonal(), b->inverse_diagonal(), 1e-12);
  EXPECT_CLOSE(a->explained(X), b->explained(X), 1e-12);
  EXPECT_NEAR(a->log_determinant(), b->log_determinant(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackend, every_backend(), backend_name);

}  // namespace backend_test
}  // namespace lacuna

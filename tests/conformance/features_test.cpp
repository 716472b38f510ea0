// Rows through a basis: every back end agrees with the plain loops of compute/reference in all that does not depend on
// its choice of coordinates, for every kernel, dense and sparse rows, well and badly conditioned bases.
#include "lacuna/compute/features.hpp"

#include <gtest/gtest.h>

#include "lacuna/compute/compute.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

using testing::random_matrix;

double scale(const Matrix& A) { return A.size() == 0 ? 1.0 : std::max(1e-300, A.cwiseAbs().maxCoeff()); }
#define EXPECT_CLOSE(A, B, tolerance) EXPECT_LE(((A) - (B)).cwiseAbs().maxCoeff(), (tolerance)*scale(B))

class EveryBackendsFeatures : public ::testing::TestWithParam<const Backend*> {
 protected:
  const Backend& backend() const { return *GetParam(); }
};

struct Seen {
  Matrix outputs;         // of the least-squares machine with targets R / beta
  Matrix inner;           // z_i' C^-1 z_j
  Matrix rotated;         // v_i'(T'p)
  Matrix predicted;       // through coefficients of the kernel
  Matrix penalty;         // p' P0 p
  Vector d_log_kernel;    // <G, dZ>
  PenaltyDerivative d_P;  // of v v'
  std::size_t kept;
};

// G is given through inner products, which no change of coordinates touches: G_ij T^-1 = sum_k A_ik z_k' C^-1.
Seen look(const Backend& backend, const Kernel& kernel, const RowsView& X, const RowsView& basis, double lambda,
          Index rows = 0) {
  const auto features = backend.features(kernel, basis, rows);
  const Index l = X.rows();
  const Vector beta = testing::random_weights(l, 3, 4);
  const Matrix R = random_matrix(l, 2, 4), A = random_matrix(l, l, 5);
  Normal sums;
  features->accumulate(
      X, Matrix::Zero(features->size(), 2),
      [&](const Matrix& z, Vector& b, Matrix& r) {
        EXPECT_EQ(z, Matrix::Zero(l, 2));
        b = beta;
        r = R;
      },
      sums);
  const auto factor = features->factor(sums.ZWZ, lambda);
  EXPECT_NE(factor, nullptr);
  const Matrix p = factor->solve(sums.right), V = factor->rows(X);
  const Matrix a = features->coefficients(p);
  EXPECT_CLOSE(features->from_coefficients(a), p, 1e-8);
  Seen s;
  s.outputs = features->outputs(X, p);
  s.inner = V.transpose() * V;
  s.rotated = V.transpose() * factor->rotate(p);
  s.predicted = (reference_backend().cross(kernel, X, features->basis()) * a.topRows(a.rows() - 1)).rowwise() +
                a.row(a.rows() - 1);
  s.penalty = p.transpose() * features->penalise(p);
  s.d_log_kernel = factor->contract(X, V * A.transpose());
  s.d_P = factor->contract_penalty(V.col(1) * V.col(2).transpose() + V.col(2) * V.col(1).transpose());
  s.kept = features->kept().size();
  return s;
}

// Whatever coordinates few or many rows make it choose.
void expect_agreement(const Backend& backend, const Kernel& kernel, const RowsView& X, const RowsView& basis,
                      double lambda, Index rows);
void expect_agreement(const Backend& backend, const Kernel& kernel, const RowsView& X, const RowsView& basis,
                      double lambda) {
  for (const Index rows : {0, 1'000'000}) expect_agreement(backend, kernel, X, basis, lambda, rows);
}

void expect_agreement(const Backend& backend, const Kernel& kernel, const RowsView& X, const RowsView& basis,
                      double lambda, Index rows) {
  SCOPED_TRACE(rows);
  const Seen a = look(backend, kernel, X, basis, lambda, rows), b = look(reference_backend(), kernel, X, basis, lambda);
  EXPECT_EQ(a.kept, b.kept);
  EXPECT_CLOSE(a.outputs, b.outputs, 1e-10);
  EXPECT_CLOSE(a.rotated, b.outputs, 1e-10);
  EXPECT_CLOSE(a.predicted, b.outputs, 1e-8);
  EXPECT_CLOSE(a.inner, b.inner, 1e-9);
  EXPECT_CLOSE(a.penalty, b.penalty, 1e-9);
  EXPECT_NEAR(a.d_P.along, b.d_P.along, 1e-8 * std::abs(b.d_P.along));
  ASSERT_EQ(a.d_log_kernel.size(), b.d_log_kernel.size());
  if (a.d_log_kernel.size() == 0) return;
  EXPECT_CLOSE(a.d_log_kernel, b.d_log_kernel, 1e-8);
  EXPECT_CLOSE(a.d_P.d_log_kernel, b.d_P.d_log_kernel, 1e-7);
}

TEST_P(EveryBackendsFeatures, AgreeWithReferenceForEveryKernel) {
  const RowMatrix X = testing::random_rows(40, 4, 1);
  const SparseMatrix S = testing::random_sparse(40, 4, 2);
  const std::vector<Index> chosen{1, 5, 6, 17, 20, 33, 39};
  for (const auto& [name, kernel] : testing::all_kernels(4))
    for (const double lambda : {1e-3, 2.0}) {
      SCOPED_TRACE(name);
      expect_agreement(backend(), kernel, X, take_rows(X, chosen), lambda);
      expect_agreement(backend(), kernel, S, take_rows(S, chosen), lambda);
    }
}

TEST_P(EveryBackendsFeatures, AgreeWithReferenceAcrossTheEdgesOfTiles) {
  const RowMatrix X = testing::random_rows(150, 6, 3), Z = testing::random_rows(131, 6, 4);
  expect_agreement(backend(), Rbf{.theta = 0.4}, X, Z, 0.5);        // not whitened
  expect_agreement(backend(), Matern32{.theta = 0.02}, X, Z, 0.5);  // in groups
}

TEST_P(EveryBackendsFeatures, DropTwinsAmongTheBasisVectors) {
  const RowMatrix X = testing::random_rows(40, 3, 5);
  const std::vector<Index> chosen{1, 5, 1, 17, 20, 5, 39}, once{1, 5, 17, 20, 39};
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    SCOPED_TRACE(name);
    const Seen a = look(backend(), kernel, X, take_rows(X, chosen), 0.1);
    const Seen b = look(reference_backend(), kernel, X, take_rows(X, once), 0.1);
    EXPECT_EQ(a.kept, b.kept);
    EXPECT_CLOSE(a.outputs, b.outputs, 1e-9);
    EXPECT_CLOSE(a.inner, b.inner, 1e-8);
  }
}

TEST_P(EveryBackendsFeatures, SumUpBlocksOfRows) {
  const RowMatrix X = testing::random_rows(50, 3, 6);
  const auto features = backend().features(Rbf{.theta = 0.3}, X.topRows(8).eval());
  const Vector beta = testing::random_weights(50, 7);
  const Matrix R = random_matrix(50, 2, 8), p = random_matrix(features->size(), 2, 9);
  const auto over = [&](const std::vector<Index>& cuts) {
    Normal sums;
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      const Index first = cuts[k - 1], count = cuts[k] - first;
      const RowMatrix rows = X.middleRows(first, count);
      features->accumulate(
          rows, p,
          [&](const Matrix& z, Vector& b, Matrix& r) {
            b = beta.segment(first, count);
            r = R.middleRows(first, count) + z;
          },
          sums);
    }
    sums.ZWZ.triangularView<Eigen::StrictlyUpper>().setZero();
    return sums;
  };
  const Normal whole = over({0, 50}), parts = over({0, 13, 14, 50});
  EXPECT_CLOSE(parts.ZWZ, whole.ZWZ, 1e-13);
  EXPECT_CLOSE(parts.right, whole.right, 1e-13);
}

TEST_P(EveryBackendsFeatures, MultiplyAndSquareAgreeWithReference) {
  const Matrix A = random_matrix(7, 5, 1), B = random_matrix(5, 9, 2);
  EXPECT_CLOSE(backend().multiply(A, B), A * B, 1e-14);
  const Vector w = random_matrix(9, 1, 3);
  Matrix S, S_ref;
  for (int twice = 0; twice < 2; ++twice) {
    backend().add_square(B, w, S);
    reference_backend().add_square(B, w, S_ref);
  }
  EXPECT_CLOSE(Matrix(S.triangularView<Eigen::Lower>()), Matrix(S_ref.triangularView<Eigen::Lower>()), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsFeatures, ::testing::Values(&reference_backend(), &cpu_backend()),
                         [](const auto& back_end) { return std::string(back_end.param->name()); });

}  // namespace
}  // namespace lacuna

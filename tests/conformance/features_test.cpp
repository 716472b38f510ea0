// Rows through a basis: every back end agrees with the plain loops of compute/reference in all that does not depend on
// its choice of coordinates, for every kernel, dense and sparse rows, well and badly conditioned bases.
#include "lacuna/compute/features.hpp"

#include "tests/conformance/every_backend.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace features_test {

using testing::random_matrix;

class EveryBackendsFeatures : public EveryBackend {};

struct Seen {
  compute::PrimalState fit;  // of a least-squares machine
  Matrix outputs;            // its outputs, by themselves
  Matrix predicted;          // and through coefficients of the kernel
  Matrix penalty;            // p' P0 p
  Matrix held_out;           // folds left out, of one row and of several
  Vector areas;
  compute::CriterionGradient gradient;
  std::size_t kept;
};

Seen look(const Backend& backend, const Kernel& kernel, const RowsView& X, const RowsView& basis, double lambda,
          Index rows = 0) {
  const auto features = backend.features(kernel, basis, rows);
  const Index l = X.rows();
  Seen s;
  s.fit.beta = testing::random_weights(l, 3, 4);
  const Matrix eta = random_matrix(l, 2, 4);
  const auto sums =
      features->normal(X, Matrix::Zero(features->size(), 2), [&](Index first, const Matrix& z, Vector& b, Matrix& r) {
        EXPECT_EQ(z, Matrix::Zero(z.rows(), 2));
        b = s.fit.beta.segment(first, z.rows());
        r = b.asDiagonal() * eta.middleRows(first, z.rows());
      });
  const auto factor = sums->factor(lambda);
  EXPECT_NE(factor, nullptr);
  s.fit.lambda = lambda;
  s.fit.p = factor->solve(sums->right());
  const compute::RowMoments at = factor->moments(X, s.fit.p);
  s.fit.z = at.z;
  s.fit.variance = at.variance;
  s.fit.rest = 1.0 - s.fit.beta.cwiseProduct(at.variance).array();
  s.fit.pull = s.fit.beta.asDiagonal() * (eta - at.z);
  s.outputs = features->outputs(X, s.fit.p);
  const Matrix a = features->coefficients(s.fit.p);
  s.predicted = backend.expand(kernel, X, features->basis(), a.topRows(a.rows() - 1)).rowwise() + a.row(a.rows() - 1);
  s.penalty = s.fit.p.transpose() * features->penalise(s.fit.p);
  Folds folds = k_folds(l, 6, {}, 1);
  folds.push_back({folds[0].back()});
  folds[0].pop_back();
  s.held_out = factor->leave_out(X, s.fit, folds);
  s.areas = factor->pair_areas(X, s.fit, {random_matrix(l, 2, 9), Vector::Constant(2, 1e-8)});
  s.gradient = factor->gradient(X, s.fit, folds, random_matrix(l, 2, 10));
  s.kept = features->kept().size();
  return s;
}

// Whatever coordinates few or many rows make it choose.
void expect_agreement(const Backend& backend, const Kernel& kernel, const RowsView& X, const RowsView& basis,
                      double lambda, double tolerance = 1e-9) {
  const Seen b = look(reference_backend(), kernel, X, basis, lambda);
  for (const Index rows : {0, 1'000'000}) {
    SCOPED_TRACE(rows);
    const Seen a = look(backend, kernel, X, basis, lambda, rows);
    EXPECT_EQ(a.kept, b.kept);
    EXPECT_CLOSE(a.outputs, b.outputs, 1e-10);
    EXPECT_CLOSE(a.fit.z, b.outputs, 1e-10);
    EXPECT_CLOSE(a.predicted, b.outputs, 1e-8);
    EXPECT_CLOSE(a.fit.variance, b.fit.variance, tolerance);
    EXPECT_CLOSE(a.penalty, b.penalty, 1e-9);
    EXPECT_CLOSE(a.held_out, b.held_out, 10.0 * tolerance);
    EXPECT_CLOSE(a.areas, b.areas, 1e-12);
    EXPECT_NEAR(a.gradient.d_log_lambda, b.gradient.d_log_lambda,
                100.0 * tolerance * (1.0 + std::abs(b.gradient.d_log_lambda)));
    ASSERT_EQ(a.gradient.d_log_kernel.size(), b.gradient.d_log_kernel.size());
    if (a.gradient.d_log_kernel.size() == 0) continue;
    EXPECT_CLOSE(a.gradient.d_log_kernel, b.gradient.d_log_kernel, 100.0 * tolerance);
  }
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

TEST_P(EveryBackendsFeatures, AgreeWithReferenceAcrossTheEdgesOfTilesAndBlocks) {
  const RowMatrix X = testing::random_rows(150, 6, 3), Z = testing::random_rows(131, 6, 4);
  expect_agreement(backend(), kernels::Rbf{.theta = 0.4}, X, Z, 0.5);        // not whitened
  expect_agreement(backend(), kernels::Matern32{.theta = 0.02}, X, Z, 0.5);  // in groups
  const RowMatrix many = testing::random_rows(800, 2, 5);  // three blocks, folds of more rows than features
  expect_agreement(backend(), kernels::Rbf{.theta = 0.4}, many, many.topRows(9).eval(), 0.5);
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
    EXPECT_CLOSE(a.fit.variance, b.fit.variance, 1e-8);
  }
}

// By orthogonal transformations: the same machine, and the machines without a row, as sums over the other rows give
// them.
TEST_P(EveryBackendsFeatures, RotationsSolveWhatSumsSolve) {
  const RowMatrix X = testing::random_rows(500, 3, 6);
  const auto features = backend().features(kernels::Rbf{.theta = 0.3}, X.topRows(8).eval());
  Vector beta = testing::random_weights(500, 7, 20);
  const Matrix eta = random_matrix(500, 2, 8);
  const double lambda = 0.3;
  const auto solved = [&] {
    const auto sums =
        features->normal(X, Matrix::Zero(features->size(), 2), [&](Index first, const Matrix& z, Vector& b, Matrix& r) {
          b = beta.segment(first, z.rows());
          r = b.asDiagonal() * eta.middleRows(first, z.rows());
        });
    auto factor = sums->factor(lambda);
    const Matrix p = factor->solve(sums->right());
    return factor->moments(X, p);
  };
  const std::vector<Index> alone{3, 250, 499};
  const compute::Rotated rotated = features->by_rotations(X, beta, eta, lambda, alone);
  ASSERT_NE(rotated.factor, nullptr);
  const compute::RowMoments all = solved(), again = rotated.factor->moments(X, rotated.p);
  EXPECT_CLOSE(again.z, all.z, 1e-10);
  EXPECT_CLOSE(again.variance, all.variance, 1e-10);
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const double weight = std::exchange(beta[alone[k]], 0.0);
    const compute::RowMoments without = solved();
    EXPECT_LE((rotated.z.row(Index(k)) - without.z.row(alone[k])).norm(), 1e-10);
    EXPECT_NEAR(rotated.variance[Index(k)], without.variance[alone[k]], 1e-10);
    beta[alone[k]] = weight;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsFeatures, every_backend(), backend_name);

}  // namespace features_test
}  // namespace lacuna

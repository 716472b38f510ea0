// Slopes of an expansion, of which learned relevance is made, on every back end: they agree with the plain loops, and
// those with central differences.
#include "lacuna/kernel/slope.hpp"
#include "tests/conformance/every_backend.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace slopes_test {

using testing::all_kernels;
using testing::random_matrix;

class EveryBackendsSlopes : public EveryBackend {};

// Sums of squares of slopes: eps times the number of terms, relative to the largest, since features with small slopes
// cancel more.
TEST_P(EveryBackendsSlopes, SquaredSlopesAgreeWithReferenceForEveryKernelDenseAndSparse) {
  // Several tiles of rows and of terms, and rows that are terms themselves.
  const RowMatrix X = testing::random_rows(150, 4, 1), Y = testing::random_rows(140, 4, 2);
  const SparseMatrix S = testing::random_sparse(150, 4, 3), T = testing::random_sparse(140, 4, 4);
  const Vector weights = testing::random_weights(150, 5, 3);
  for (const auto& [name, kernel] : all_kernels(4)) {
    if (!has_slopes(kernel)) continue;
    SCOPED_TRACE(name);
    const auto agree = [&](const RowsView& rows, const RowsView& terms) {
      const Matrix A = random_matrix(terms.rows(), 2, 6);
      const Vector expected = reference().squared_slopes(kernel, rows, terms, A, weights);
      ASSERT_GT(expected.minCoeff(), 0.0);
      EXPECT_CLOSE(backend().squared_slopes(kernel, rows, terms, A, weights), expected, 1e-10);
    };
    agree(X, Y);
    agree(X, X);
    agree(S, T);
    agree(S, S);
    agree(S, Y);
    agree(X, T);
  }
}

TEST_P(EveryBackendsSlopes, SquaredSlopesAreThoseOfTheExpansion) {
  const RowMatrix X = testing::random_rows(6, 3, 1), Y = testing::random_rows(9, 3, 2);
  const Matrix A = random_matrix(9, 2, 3);
  const Vector weights = testing::random_weights(6, 4);
  for (const auto& [name, kernel] : all_kernels(3)) {
    if (!has_slopes(kernel)) continue;
    SCOPED_TRACE(name);
    const Vector g = backend().squared_slopes(kernel, X, Y, A, weights);
    for (Index k = 0; k < 3; ++k) {
      double expected = 0.0;
      for (Index i = 0; i < 6; ++i)
        for (Index c = 0; c < 2; ++c) {
          const double slope = testing::difference([&](double h) {
            RowMatrix moved = X.row(i);
            moved(0, k) += h;
            return backend().expand(kernel, moved, Y, A)(0, c);
          });
          expected += weights[i] * slope * slope;
        }
      EXPECT_NEAR(g[k], expected, 1e-7 * (1.0 + expected));
    }
  }
}

TEST_P(EveryBackendsSlopes, SquaredSlopesOfTwinsAndNearTwinsAreFinite) {
  RowMatrix X = testing::random_rows(40, 3, 1);
  X.row(7) = X.row(3);
  X.row(9) = X.row(3);
  X(9, 0) *= 1.0 + 4e-16;  // a cusp of matern12 divides by the distance
  const Matrix A = random_matrix(40, 1, 2);
  const Vector weights = Vector::Ones(40);
  for (const Kernel& kernel : {Kernel(kernels::Matern12{0.2}), Kernel(kernels::Rbf{0.2})}) {
    const Vector g = backend().squared_slopes(kernel, X, X, A, weights);
    const Vector expected = reference().squared_slopes(kernel, X, X, A, weights);
    // The slope across a cusp has no meaning: two rows of forty may differ by it, by 1 at most here.
    EXPECT_TRUE(g.allFinite());
    for (Index k = 0; k < 3; ++k) EXPECT_NEAR(g[k], expected[k], 4.0 * std::sqrt(expected[k]));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsSlopes, every_backend(), backend_name);

}  // namespace slopes_test
}  // namespace lacuna

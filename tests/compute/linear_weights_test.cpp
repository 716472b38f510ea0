#include "lacuna/compute/host/linear_weights.hpp"

#include <gtest/gtest.h>

#include "lacuna/compute/host/precise.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sparse_rows.hpp"

namespace lacuna {
namespace linear_weights_test {

// Coefficients that nearly cancel over rows that are nearly equal.
struct Cancelling {
  RowMatrix X = testing::random_rows(70, 4, 21), Y = testing::random_rows(40, 4, 22);
  Matrix A = testing::random_matrix(40, 2, 23) * 1e7;

  Cancelling() {
    for (Index j = 0; j < 40; j += 2) {
      Y.row(j + 1) = Y.row(j).array() + 1e-7;
      A.row(j + 1) = -A.row(j);
    }
  }
};

TEST(LinearWeights, GiveTheExpansionThatIsSummedOverAllRows) {
  const Cancelling c;
  const LinearWeights weights(c.Y, c.A);
  const Matrix z = weights.times(c.X), truth = expand_precisely(kernels::Linear{}, c.X, c.Y, c.A);
  const Matrix in_doubles = c.X * (c.Y.transpose() * c.A);
  EXPECT_LT((z - truth).cwiseAbs().maxCoeff(), 1e-15 * truth.cwiseAbs().maxCoeff());
  EXPECT_GT((in_doubles - truth).cwiseAbs().maxCoeff(), 1e-10 * truth.cwiseAbs().maxCoeff());  // or this is no test
  EXPECT_LT((c.X * weights.values().high - truth).cwiseAbs().maxCoeff(), 1e-13 * truth.cwiseAbs().maxCoeff());
}

TEST(LinearWeights, SparseRowsGiveTheBitsOfDenseOnes) {
  Cancelling c;
  for (Index i = 0; i < c.X.rows(); ++i) c.X(i, i % 4) = 0.0;
  for (Index j = 0; j < c.Y.rows(); ++j) c.Y(j, (j / 2) % 4) = 0.0;
  const LinearWeights dense(c.Y, c.A), sparse(testing::sparse(c.Y), c.A);
  EXPECT_EQ(sparse.values().high, dense.values().high);
  EXPECT_EQ(sparse.values().low, dense.values().low);
  EXPECT_EQ(sparse.times(testing::sparse(c.X)), dense.times(c.X));
  const RowMatrix one = c.X.row(65);
  EXPECT_EQ(dense.times(one).row(0), dense.times(c.X).row(65));
}

}  // namespace linear_weights_test
}  // namespace lacuna

// Kernel values from exact distances have all their digits, however narrow the kernel is: they equal plain loops over
// differences, row by row.
#include "lacuna/compute/cpu/tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lacuna/compute/cpu/dense.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sparse_rows.hpp"

namespace lacuna::compute::cpu {
namespace tiles_test {

// Rows of a long series, as a fast wave has them: gaps are a thousandth of the range. The second column is a slow one.
RowMatrix line(Index n, std::uint64_t seed) {
  Random random(seed);
  RowMatrix X(n, 2);
  for (Index i = 0; i < n; ++i) X.row(i) << random.uniform(-1.7, 1.7), 1e-3 * random.normal();
  return X;
}

// Inverse squared widths from wide to a tenth of the gaps.
std::vector<Kernel> narrower_and_narrower() {
  std::vector<Kernel> out;
  for (const double theta : {0.1, 10.0, 1e3, 1e5, 1e8})
    for (const Kernel& k :
         {Kernel{kernels::Rbf{theta}}, Kernel{kernels::Ard{{theta, 0.5 * theta}}}, Kernel{kernels::Matern12{theta}},
          Kernel{kernels::Matern32{theta}}, Kernel{kernels::Matern52{theta}},
          Kernel{kernels::RationalQuadratic{theta, 2.0}}, Kernel{kernels::Relevance{{kernels::Rbf{theta}}, {2.0, 0.3}}},
          Kernel{kernels::Sum{{kernels::Rbf{theta}, kernels::Matern12{0.5}}}}})
      out.push_back(k);
  return out;
}

double largest_difference(const Kernel& kernel, const RowMatrix& X, const RowMatrix& Y, const Matrix& K) {
  double worst = 0.0;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < Y.rows(); ++j) {
      const Vector x = X.row(i), y = Y.row(j);
      worst = std::max(worst, std::abs(K(i, j) - pair_value(kernel, {x.data(), 2}, {y.data(), 2}, j)));
    }
  return worst;
}

TEST(Tiles, ExactDistancesLeaveKernelValuesAllTheirDigits) {
  const RowMatrix X = line(300, 1), Y = line(200, 2);
  double of_products = 0.0;
  for (const Kernel& kernel : narrower_and_narrower()) {
    // Errors that do not show in a value are up to sixteen eps, and the formula has a few of its own.
    EXPECT_LT(largest_difference(kernel, X, Y, kernel_matrix(kernel, X, Y)), 1e-14) << kernel_text(kernel);
    const KernelTiles tiles(kernel, X, Y);
    Matrix K(kTile, kTile);
    tiles.evaluate(0, kTile, 0, kTile, K.data(), kTile);
    of_products = std::max(of_products, largest_difference(kernel, X.topRows(kTile), Y.topRows(kTile), K));
  }
  EXPECT_GT(of_products, 1e-11);  // else this would be no test
}

TEST(Tiles, ValuesOfARowDoNotDependOnTheOtherRows) {
  const RowMatrix Y = line(200, 2);
  RowMatrix X = line(64, 1), far = X;
  far.bottomRows(32) *= 1e9;
  for (const Kernel& kernel : narrower_and_narrower())
    EXPECT_EQ(Matrix(kernel_matrix(kernel, X, Y).topRows(32)), Matrix(kernel_matrix(kernel, far, Y).topRows(32)))
        << kernel_text(kernel);
}

TEST(Tiles, ExactDistancesOfSparseRowsAreThoseOfDenseOnes) {
  const RowMatrix X = line(100, 3), Y = line(80, 4);
  const SparseMatrix some = testing::sparse(X), others = testing::sparse(Y);
  for (const Kernel& kernel : narrower_and_narrower())
    EXPECT_LT((kernel_matrix(kernel, some, others) - kernel_matrix(kernel, X, Y)).cwiseAbs().maxCoeff(), 2e-14)
        << kernel_text(kernel);
}

}  // namespace tiles_test
}  // namespace lacuna::compute::cpu

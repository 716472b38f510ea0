#include "lacuna/compute/host/precise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/compute/compute.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sparse_rows.hpp"

namespace lacuna {
namespace precise_test {

// Pairs of nearly equal rows with coefficients that nearly cancel: in doubles nothing is left of the twelfth digit.
struct Cancelling {
  RowMatrix X, Y;
  Matrix A;
};

Cancelling cancelling(Index d) {
  std::srand(5);
  Cancelling out{RowMatrix::Random(70, d), RowMatrix::Random(40, d), Matrix(40, 2)};
  for (Index j = 0; j < 40; j += 2) {
    out.Y.row(j + 1) = out.Y.row(j) + 1e-7 * RowMatrix::Random(1, d);
    out.A.row(j) << 1e7 * (1.0 + 0.01 * double(j)), 3e6;
    out.A.row(j + 1) = -out.A.row(j);
  }
  return out;
}

// k(x, y) in long doubles, by formulas of the test's own.
long double rbf_pair(const auto& x, const auto& y, double theta) {
  long double u = 0.0L;
  for (Index k = 0; k < x.size(); ++k) {
    const long double difference = static_cast<long double>(x[k]) - static_cast<long double>(y[k]);
    u += difference * difference;
  }
  return std::exp(-static_cast<long double>(theta) * u);
}

TEST(Precise, SumsThatCancelEqualThoseOfLongDoubles) {
  const Cancelling c = cancelling(3);
  const Kernel kernel = kernels::Rbf{0.7};
  ASSERT_TRUE(wants_precision(kernel, c.Y, c.A));
  const Matrix z = expand_precisely(kernel, c.X, c.Y, c.A), doubles = cpu_backend().expand(kernel, c.X, c.Y, c.A);
  double worst = 0.0, in_doubles = 0.0;
  for (Index i = 0; i < z.rows(); ++i)
    for (Index o = 0; o < 2; ++o) {
      long double truth = 0.0L;
      for (Index j = 0; j < c.Y.rows(); ++j)
        truth += rbf_pair(c.X.row(i), c.Y.row(j), 0.7) * static_cast<long double>(c.A(j, o));
      worst = std::max(worst, std::abs(double(truth - z(i, o))));
      in_doubles = std::max(in_doubles, std::abs(double(truth - doubles(i, o))));
    }
  EXPECT_LT(worst, 3e-11);      // of the long doubles: 1e-19 of terms of 1e7
  EXPECT_GT(in_doubles, 1e-9);  // else this would be no test
}

TEST(Precise, EveryKernelEqualsTheReferenceWhereNothingCancels) {
  std::srand(6);
  const RowMatrix X = RowMatrix::Random(65, 4), Y = RowMatrix::Random(9, 4);
  const Matrix A = Matrix::Random(9, 3);
  for (const auto& [name, kernel] : testing::all_kernels(4)) {
    if (uses_geometry(kernel, kernels::Geometry::given) || uses_geometry(kernel, kernels::Geometry::rows)) continue;
    const Matrix z = expand_precisely(kernel, X, Y, A), truth = reference_backend().expand(kernel, X, Y, A);
    EXPECT_LT((z - truth).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + truth.cwiseAbs().maxCoeff())) << name;
  }
}

TEST(Precise, ARowsOutputDoesNotDependOnTheOthers) {
  const Cancelling c = cancelling(2);
  const Matrix all = expand_precisely(kernels::Rbf{0.3}, c.X, c.Y, c.A);
  for (const Index i : {0, 1, 63, 64, 69}) {
    const RowMatrix one = c.X.row(i);
    EXPECT_EQ(expand_precisely(kernels::Rbf{0.3}, one, c.Y, c.A), all.row(i));
  }
}

// Zeros that are not written down add nothing, whichever rows have them.
TEST(Precise, SparseRowsGiveTheBitsOfDenseOnes) {
  const Cancelling c = cancelling(5);
  RowMatrix X = c.X, Y = c.Y;
  for (Index i = 0; i < X.rows(); ++i) X(i, i % 5) = X(i, (i / 2) % 5) = 0.0;
  for (Index j = 0; j < Y.rows(); ++j) Y(j, (j / 2) % 5) = 0.0;
  X.row(3).setZero();
  Y.row(4).setZero();
  const SparseMatrix some = testing::sparse(X), others = testing::sparse(Y);
  for (const auto& [name, kernel] : testing::all_kernels(5)) {
    if (!has_precise_values(kernel, Y)) continue;
    EXPECT_EQ(expand_precisely(kernel, some, others, c.A), expand_precisely(kernel, X, Y, c.A)) << name;
    const PreciseValues sparse = precise_values(kernel, some, others), dense = precise_values(kernel, X, Y);
    EXPECT_EQ(sparse.k, dense.k) << name;
    for (std::size_t i = 0; i < dense.self.size(); ++i) EXPECT_EQ(sparse.self[i].high, dense.self[i].high) << name;
  }
}

TEST(Precise, OrdinaryExpansionsDoNotNeedIt) {
  std::srand(7);
  const RowMatrix Y = RowMatrix::Random(100, 3);
  EXPECT_FALSE(wants_precision(kernels::Rbf{1.0}, Y, Matrix::Random(100, 1)));
  EXPECT_TRUE(wants_precision(kernels::Rbf{1.0}, Y, 1e4 * Matrix::Random(100, 1)));
  EXPECT_TRUE(wants_precision(kernels::Sum{{kernels::Rbf{1.0}, kernels::Linear{}}}, Y, Matrix::Random(100, 1)));
}

}  // namespace precise_test
}  // namespace lacuna

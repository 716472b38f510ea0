// Products of panels (compute/cpu/product.hpp) and substitution (panel_substitute.hpp) against plain loops. What must
// not be read is NaN, what must not be written is checked to be as before.
#include "lacuna/compute/cpu/product.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "lacuna/compute/cpu/panel_substitute.hpp"

namespace lacuna::compute::cpu {
namespace product_test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(generator); });
}

// Rows from `whole` on begin later and later; what is before is `filler`.
Matrix trapezoid(const Matrix& A, Index whole, double filler) {
  return Matrix::NullaryExpr(A.rows(), A.cols(), [&](Index i, Index k) { return k < i - whole ? filler : A(i, k); });
}

// Sizes around those of a block, of what is packed at a time, and of none.
const std::vector<std::array<Index, 3>> kSizes = {{1, 1, 1},      {5, 3, 2},     {24, 8, 7},
                                                  {25, 9, 33},    {23, 31, 0},   {97, 60, 50},
                                                  {200, 13, 390}, {13, 200, 30}, {211, 211, 801}};

TEST(Product, EqualsPlainLoopsForPanelsThatEndInATriangle) {
  for (const auto& [m, n, k] : kSizes)
    for (const Index whole : {Index(0), m / 2, m}) {
      const Matrix A = random_matrix(m, k, 1), B = random_matrix(n, k, 2), C = random_matrix(m, n, 3);
      const Matrix stored = trapezoid(A, whole, kNan);
      Matrix out = C;
      add_product(Part::all, m, n, k, -0.5, {stored.data(), m, whole}, {B.data(), n}, out.data(), m);
      const Matrix expected = C - 0.5 * trapezoid(A, whole, 0.0) * B.transpose();
      EXPECT_LT((out - expected).cwiseAbs().maxCoeff(), 1e-12 * double(k + 1)) << m << " " << n << " " << k;
    }
}

TEST(Product, OfTheLowerTriangleLeavesTheUpperAloneAndStartsAfreshWhereAsked) {
  for (const Index n : {1, 8, 23, 24, 25, 49, 150, 2100})
    for (const Index fresh : {Index(0), n / 3, kNoRow}) {
      const Index k = 17;
      const Matrix A = random_matrix(n, k, 1);
      Matrix C = random_matrix(n, n, 2);
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) C(i, j) = i >= fresh ? kNan : C(i, j);
      Matrix out = C;
      add_product(Part::lower, n, n, k, 1.0, {A.data(), n}, {A.data(), n}, out.data(), n, fresh);
      const Matrix product = A * A.transpose();
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
          if (i < j) {
            ASSERT_EQ(out(i, j), C(i, j)) << n << " " << i << " " << j;
          } else {
            ASSERT_NEAR(out(i, j), product(i, j) + (i >= fresh ? 0.0 : C(i, j)), 1e-11) << n;
          }
        }
    }
}

TEST(Product, TakesPickedColumnsWithTheirWeights) {
  const Index n = 77;
  const Matrix Q = random_matrix(n, n, 1);
  const std::vector<Index> which = {3, 70, 4, 11};
  const std::vector<double> weight = {1.5, -2.0, 0.25, 7.0};
  const Columns columns{which.data(), weight.data()};
  Matrix out = Matrix::Constant(n, n, kNan);
  add_product(Part::all, n, n, 4, 2.0, {Q.data(), n}, {Q.data(), n}, out.data(), n, 0, &columns);
  Matrix expected = Matrix::Zero(n, n);
  for (std::size_t c = 0; c < which.size(); ++c)
    expected += 2.0 * weight[c] * Q.col(which[c]) * Q.col(which[c]).transpose();
  EXPECT_LT((out - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(PanelSubstitute, SolvesForEveryRow) {
  for (const Index n : {1, 7, 8, 9, 32, 100, 160, 384})
    for (const Index m : {1, 23, 24, 25, 300}) {
      Matrix P = Matrix::Constant(n, n + 1, kNan);  // the pair: L, and the reciprocals of its diagonal
      const Matrix L = Matrix(random_matrix(n, n, 1) / double(n)) + 2.0 * Matrix::Identity(n, n);
      for (Index j = 0; j < n; ++j) {
        for (Index i = j; i < n; ++i) P(i, j) = L(i, j);
        P(j, j + 1) = 1.0 / L(j, j);
      }
      const Matrix expected = random_matrix(m, n, 2);
      Matrix X = expected * L.triangularView<Eigen::Lower>().transpose();
      substitute_panel(n, P.data(), n, m, X.data(), m);
      EXPECT_LT((X - expected).cwiseAbs().maxCoeff(), 1e-12) << n << " " << m;
    }
}

}  // namespace product_test
}  // namespace lacuna::compute::cpu

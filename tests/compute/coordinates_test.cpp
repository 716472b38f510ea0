// The coordinates of features: whatever the groups, they are one linear change of coordinates B in which the penalty is
// B K B', each group is far from dependent, and nothing is done where nothing is needed.
#include "lacuna/compute/cpu/coordinates.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "tests/support/problems.hpp"

namespace lacuna::compute::cpu {
namespace coordinates_test {

Matrix kernel_matrix(Index n, Index d, double theta) {
  const RowMatrix X = testing::random_rows(n, d, 91);
  return cpu::kernel_matrix(kernels::Rbf{.theta = theta}, X, X);
}

Matrix largest_first(const Matrix& K) {  // the order of a pivoted Cholesky factorisation
  Vector left = K.diagonal();
  Matrix E = K;
  std::vector<Index> order;
  for (Index k = 0; k < K.rows(); ++k) {
    Index best = 0;
    left.maxCoeff(&best);
    order.push_back(best);
    E -= Matrix(E.col(best) * E.row(best) / E(best, best));
    left = E.diagonal();
    for (const Index i : order) left[i] = -1.0;
  }
  Matrix out(K.rows(), K.rows());
  for (Index i = 0; i < K.rows(); ++i)
    for (Index j = 0; j < K.rows(); ++j) out(i, j) = K(order[std::size_t(i)], order[std::size_t(j)]);
  return out;
}

void expect_one_change_of_coordinates(const Matrix& K, bool grouped) {
  SCOPED_TRACE(grouped);
  const Coordinates c(K, grouped);
  const Index n = K.rows();
  ASSERT_EQ(c.size(), n);
  Matrix B = Matrix::Identity(n, n), Bt = B, P = B;
  c.features(B);
  c.adjoint(Bt);
  EXPECT_LE((B.transpose() - Bt).cwiseAbs().maxCoeff(), 1e-9 * B.cwiseAbs().maxCoeff());
  c.penalise(P);
  EXPECT_LE((P - B * K * B.transpose()).cwiseAbs().maxCoeff(), 1e-8);
  Matrix C = Matrix::Zero(n + 1, n + 1);
  c.add_penalty(2.0, C.data(), n + 1);
  EXPECT_EQ(Matrix(C.topLeftCorner(n, n).triangularView<Eigen::Lower>()),
            Matrix((2.0 * P).triangularView<Eigen::Lower>()));
  const Matrix half = testing::random_matrix(n, n, 92), G = half + half.transpose();
  EXPECT_NEAR(c.along_penalty(G), G.cwiseProduct(P).sum(), 1e-9 * G.cwiseAbs().sum());
  if (c.whitened()) return;
  for (std::size_t g = 0; g + 1 < c.groups().size(); ++g) {
    const Index b = c.groups()[g], s = c.groups()[g + 1] - b;
    const Matrix E = P.block(b, b, s, s);
    EXPECT_LE(E.inverse().diagonal().cwiseProduct(E.diagonal()).maxCoeff(), 101.0);
  }
}

TEST(Coordinates, AreOneChangeOfCoordinatesForEveryConditioning) {
  for (const double theta : {1.0, 0.1, 0.05, 0.03, 0.02, 0.01})
    for (const Index n : {1, 2, 7, 40}) {
      SCOPED_TRACE(::testing::Message() << theta << ", " << n);
      expect_one_change_of_coordinates(kernel_matrix(n, 5, theta), true);
      expect_one_change_of_coordinates(largest_first(kernel_matrix(n, 5, theta)), true);
      expect_one_change_of_coordinates(kernel_matrix(n, 5, theta), false);
    }
}

TEST(Coordinates, AreLeftAloneWhereTheBasisIsFarFromDependent) {
  const Coordinates c(kernel_matrix(50, 10, 0.1), true);
  EXPECT_FALSE(c.whitened());
  EXPECT_EQ(c.groups(), (std::vector<Index>{0, 50}));
}

TEST(Coordinates, AreGroupedBeforeTheyAreWhitened) {
  const Coordinates some(largest_first(kernel_matrix(60, 8, 0.02)), true);
  EXPECT_FALSE(some.whitened());
  EXPECT_GT(some.groups().size(), 2u);
  EXPECT_TRUE(Coordinates(largest_first(kernel_matrix(60, 3, 0.2)), true).whitened());
}

TEST(Coordinates, EndWhereTheMatrixDoes) {
  Matrix K = kernel_matrix(6, 3, 0.5);
  K.row(5) = K.row(2);
  K.col(5) = K.col(2);
  K(5, 5) = K(2, 2) - 1e-9;
  EXPECT_EQ(Coordinates(K, true).size(), 5);
  EXPECT_EQ(Coordinates(Matrix(0, 0), true).size(), 0);
}

}  // namespace coordinates_test
}  // namespace lacuna::compute::cpu

// Factor, inverse and products of compute/cpu/triangular.hpp against plain loops and against what defines them.
#include "lacuna/compute/cpu/triangular.hpp"
#include "lacuna/compute/cpu/transpose.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace lacuna::compute::cpu {
namespace triangular_test {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Index> sizes() {
  std::vector<Index> n;
  for (Index i = 1; i <= 40; ++i) n.push_back(i);
  for (const Index i : {63, 64, 65, 127, 129, 200, 333}) n.push_back(i);
  return n;
}

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(generator); });
}

Matrix random_spd(Index n, unsigned seed) {
  const Matrix X = random_matrix(n, n, seed);
  return X * X.transpose() / double(n) + Matrix::Identity(n, n);
}

// Eigenvalues 1 .. 1/condition, evenly spaced in the logarithm, in random directions.
Matrix ill_conditioned(Index n, double condition, unsigned seed) {
  const Matrix V = Eigen::HouseholderQR<Matrix>(random_matrix(n, n, seed)).householderQ();
  const Vector e = Vector::LinSpaced(n, 0.0, -std::log(condition)).array().exp();
  const Matrix A = V * e.asDiagonal() * V.transpose();
  return (A + A.transpose()) / 2.0;
}

// A pair whose unused and not yet computed parts are NaN, so that reading them shows.
struct Pair {
  Index n, ld;
  std::vector<double> data;

  Pair(const Matrix& A, Index extra_rows)
      : n(A.rows()), ld(std::max<Index>(1, n + extra_rows)), data(std::size_t(pair_size(n, ld)), kNan) {
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) data[std::size_t(i + j * ld)] = A(i, j);
  }
  double* p() { return data.data(); }
  Matrix L() const {
    return Matrix::NullaryExpr(n, n, [&](Index i, Index j) { return i >= j ? data[std::size_t(i + j * ld)] : 0.0; });
  }
  Matrix S() const {
    return Matrix::NullaryExpr(n, n,
                               [&](Index i, Index j) { return i >= j ? data[std::size_t(j + (i + 1) * ld)] : 0.0; });
  }
};

Matrix cholesky_by_loops(const Matrix& A) {
  const Index n = A.rows();
  Matrix L = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      double s = A(i, j);
      for (Index k = 0; k < j; ++k) s -= L(i, k) * L(j, k);
      L(i, j) = i == j ? std::sqrt(s) : s / L(j, j);
    }
  }
  return L;
}

double distance(const Matrix& X, const Matrix& Y) { return (X - Y).norm() / std::max(Y.norm(), 1e-300); }

TEST(Triangular, FactorAndInverseEqualPlainLoops) {
  for (const Index n : sizes()) {
    for (const Index extra : {Index(0), Index(3)}) {
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", ld = n + " << extra);
      const Matrix A = random_spd(n, unsigned(n));
      const Matrix L = cholesky_by_loops(A);
      const Matrix S = L.triangularView<Eigen::Lower>().solve(Matrix::Identity(n, n));
      Pair pair(A, extra);
      Index failed = -1;
      ASSERT_TRUE(factor_and_invert(n, pair.p(), pair.ld, &failed));
      EXPECT_EQ(failed, 0);
      EXPECT_LT(distance(pair.L(), L), 1e-14);  // condition number about 5
      EXPECT_LT(distance(pair.S(), S), 1e-14);
    }
  }
}

TEST(Triangular, FactorThenInvertGivesTheBitsOfBothAtOnce) {
  for (const Index n : {1, 31, 33, 200}) {
    const Matrix A = random_spd(n, 3);
    Pair once(A, 1), twice(A, 1);
    ASSERT_TRUE(factor_and_invert(n, once.p(), once.ld));
    ASSERT_TRUE(factor(n, twice.p(), twice.ld));
    EXPECT_EQ(once.L(), twice.L());
    invert(n, twice.p(), twice.ld);
    EXPECT_EQ(once.S(), twice.S());
  }
}

TEST(Triangular, RowsBeyondTheMatrixAreLeftAlone) {
  const Index n = 70;
  Pair pair(random_spd(n, 5), 2);
  ASSERT_TRUE(factor_and_invert(n, pair.p(), pair.ld));
  for (Index j = 0; j <= n; ++j)
    for (Index i = n; i < pair.ld; ++i) EXPECT_TRUE(std::isnan(pair.data[std::size_t(i + j * pair.ld)]));
}

TEST(Triangular, IllConditionedFactorIsBackwardStable) {
  for (const Index n : {20, 64, 129, 333}) {
    SCOPED_TRACE(n);
    const Matrix A = ill_conditioned(n, 1e12, 7);
    Pair pair(A, 0);
    ASSERT_TRUE(factor_and_invert(n, pair.p(), pair.ld));
    // Substitution would give about n eps; inverted diagonal blocks may cost a little more, never sqrt(condition).
    const Matrix L = pair.L();
    EXPECT_LT(distance(L * L.transpose(), A), 100.0 * kEps);
    // S L = I up to eps times the condition of L, 1e6.
    EXPECT_LT((pair.S() * L - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e6 * double(n) * kEps);
    // A solution satisfies its equations to rounding, relative to |A| |x|.
    const Vector b = random_matrix(n, 1, 8);
    Vector x = b;
    solve(n, pair.p(), pair.ld, 1, x.data(), n);
    EXPECT_LT((A * x - b).norm() / (A.norm() * x.norm()), 100.0 * kEps);
  }
}

TEST(Triangular, NearlySingularKernelMatrixIsAsAccurateAsSubstitution) {
  // A = I + K / lambda, K smooth and of low numerical rank: what a search visits at the edge of its box. The truth is
  // in long double; plain loops in double give the yardstick.
  const Index n = 150;
  const Matrix x = random_matrix(n, 2, 9);
  Matrix A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = 1e10 * std::exp(-0.1 * (x.row(i) - x.row(j)).squaredNorm()) + (i == j);
  const Wide inverse_wide = Eigen::LLT<Wide>(A.cast<long double>()).solve(Wide::Identity(n, n));
  const Matrix truth = inverse_wide.cast<double>();
  const Matrix L = cholesky_by_loops(A);
  const Matrix S = L.triangularView<Eigen::Lower>().solve(Matrix::Identity(n, n));
  const Vector by_loops = S.colwise().squaredNorm();
  Pair pair(A, 0);
  ASSERT_TRUE(factor_and_invert(n, pair.p(), pair.ld));
  Vector d(n);
  inverse_diagonal(n, pair.p(), pair.ld, d.data());
  const double loop_error = (by_loops - truth.diagonal()).cwiseAbs().maxCoeff();
  EXPECT_LT((d - truth.diagonal()).cwiseAbs().maxCoeff(), 10.0 * loop_error);
}

TEST(Triangular, NotPositiveDefiniteIsReportedWithItsOrder) {
  for (const Index n : {1, 5, 32, 33, 100, 200}) {
    for (const Index bad : {Index(1), n / 2 + 1, n}) {
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", order " << bad);
      for (const double value : {-1.0, 0.0, kNan, std::numeric_limits<double>::infinity()}) {
        Matrix A = Matrix::Identity(n, n);
        A(bad - 1, bad - 1) = value;
        Pair pair(A, 0);
        Index failed = -1;
        EXPECT_FALSE(factor_and_invert(n, pair.p(), pair.ld, &failed));
        EXPECT_EQ(failed, bad);
        EXPECT_FALSE(factor(n, Pair(A, 0).p(), n));
      }
    }
  }
}

TEST(Triangular, SolvesSatisfyTheirEquations) {
  for (const Index n : sizes()) {
    for (const Index m : {1, 2, 7, 40}) {
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", m = " << m);
      const Matrix A = random_spd(n, 11);
      const Matrix B = random_matrix(n + 2, m, 12);  // leading dimension n + 2
      Pair pair(A, 1);
      ASSERT_TRUE(factor(n, pair.p(), pair.ld));
      const Matrix L = pair.L();
      Matrix X = B, Y = B, Z = B;
      solve(n, pair.p(), pair.ld, m, X.data(), n + 2);
      solve_lower(n, pair.p(), pair.ld, m, Y.data(), n + 2);
      solve_lower_transposed(n, pair.p(), pair.ld, m, Z.data(), n + 2);
      EXPECT_LT(distance(A * X.topRows(n), B.topRows(n)), 1e-13);
      EXPECT_LT(distance(L * Y.topRows(n), B.topRows(n)), 1e-13);
      EXPECT_LT(distance(L.transpose() * Z.topRows(n), B.topRows(n)), 1e-13);
      EXPECT_EQ(X.bottomRows(2), B.bottomRows(2));
      invert(n, pair.p(), pair.ld);  // solving is the same, to the bit, with S complete
      Matrix X2 = B;
      solve(n, pair.p(), pair.ld, m, X2.data(), n + 2);
      EXPECT_EQ(X2, X);
    }
  }
}

TEST(Triangular, InverseItsDiagonalAndItsBlocksAgree) {
  for (const Index n : sizes()) {
    SCOPED_TRACE(n);
    const Matrix A = random_spd(n, 13);
    const Matrix truth = A.inverse();
    Pair pair(A, 2);
    ASSERT_TRUE(factor_and_invert(n, pair.p(), pair.ld));
    Matrix C = Matrix::Constant(n + 1, n, kNan);
    inverse(n, pair.p(), pair.ld, C.data(), n + 1);
    EXPECT_LT(distance(C.topRows(n), truth), 1e-13);
    EXPECT_EQ(C.topRows(n), C.topRows(n).transpose());
    Vector d = Vector::Constant(n, kNan);
    inverse_diagonal(n, pair.p(), pair.ld, d.data());
    EXPECT_LT(distance(d, truth.diagonal()), 1e-13);
    std::vector<Index> F;
    for (Index i = n - 1; i >= 0; i -= 3) F.push_back(i);
    const Index m = Index(F.size());
    Matrix block = Matrix::Constant(m + 2, m, kNan);
    inverse_block(n, pair.p(), pair.ld, F, block.data(), m + 2);
    EXPECT_LT(distance(block.topRows(m), truth(F, F)), 1e-13);
    EXPECT_EQ(block.topRows(m), block.topRows(m).transpose());
  }
}

TEST(Triangular, InverseBlockMayBeTheWholeInverseOrRepeatAnIndex) {
  const Index n = 300;  // more than one panel
  const Matrix A = random_spd(n, 14);
  const Matrix truth = A.inverse();
  Pair pair(A, 0);
  ASSERT_TRUE(factor_and_invert(n, pair.p(), pair.ld));
  std::vector<Index> F;
  for (Index i = 0; i < n; ++i) F.push_back(i);
  F.push_back(7);
  const Index m = Index(F.size());
  Matrix block(m, m);
  inverse_block(n, pair.p(), pair.ld, F, block.data(), m);
  EXPECT_LT(distance(block, truth(F, F)), 1e-13);
}

TEST(Triangular, WeightedSquareEqualsTheProduct) {
  for (const Index n : sizes()) {
    SCOPED_TRACE(n);
    Matrix Q = random_matrix(n, n, 15);
    Q = (Q + Q.transpose()).eval();
    Vector v = random_matrix(n, 1, 16);
    for (Index i = 0; i < n; i += 5) v[i] = 0.0;
    Matrix lent = Matrix::Constant(n + 3, n, kNan);
    lent.topRows(n) = Q;
    for (const double sign : {1.0, -1.0, 0.0}) {  // mixed, mixed, all zero
      const Vector w = sign * v;
      Matrix T = Matrix::Constant(n + 2, n, kNan);
      weighted_square(n, lent.data(), n + 3, w.data(), T.data(), n + 2);
      mirror_lower(n, T.data(), n + 2);
      const Matrix truth = Q * w.asDiagonal() * Q;
      EXPECT_LT((T.topRows(n) - truth).norm(), 1e-13 * double(n + 1) * Q.squaredNorm() / double(n));
      EXPECT_EQ(T.topRows(n), T.topRows(n).transpose());
    }
  }
}

TEST(Triangular, WeightedSquareShowsAWeightThatIsNotANumber) {
  const Index n = 40;
  const Matrix Q = Matrix::Ones(n, n);
  Vector v = Vector::Ones(n);
  v[3] = kNan;
  Matrix T(n, n);
  weighted_square(n, Q.data(), n, v.data(), T.data(), n);
  EXPECT_TRUE(std::isnan(T(0, 0)));
}

TEST(Triangular, LogDeterminantIsThatOfTheEigenvalues) {
  const Matrix A = random_spd(65, 17);
  Pair pair(A, 0);
  ASSERT_TRUE(factor(65, pair.p(), pair.ld));
  const double truth = Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues().array().log().sum();
  EXPECT_NEAR(log_determinant(65, pair.p(), pair.ld), truth, 1e-11);
}

TEST(Triangular, OrderZeroIsNothingToDo) {
  Index failed = -1;
  EXPECT_TRUE(factor_and_invert(0, nullptr, 1, &failed));
  EXPECT_EQ(failed, 0);
  EXPECT_TRUE(factor(0, nullptr, 1));
  invert(0, nullptr, 1);
  solve(0, nullptr, 1, 0, nullptr, 1);
  inverse(0, nullptr, 1, nullptr, 1);
  inverse_diagonal(0, nullptr, 1, nullptr);
  inverse_block(0, nullptr, 1, {}, nullptr, 1);
  weighted_square(0, nullptr, 1, nullptr, nullptr, 1);
  EXPECT_EQ(log_determinant(0, nullptr, 1), 0.0);
}

TEST(Triangular, SameBitsInEveryThreadOfAParallelRegion) {
  const Index n = 200;
  const Matrix A = random_spd(n, 18);
  std::vector<Matrix> S(8);
#pragma omp parallel for num_threads(4)
  for (int r = 0; r < 8; ++r) {
    Pair pair(A, 0);
    if (factor_and_invert(n, pair.p(), pair.ld)) S[std::size_t(r)] = pair.S();
  }
  ASSERT_EQ(S[0].rows(), n);
  for (const Matrix& other : S) EXPECT_EQ(other, S[0]);
}

TEST(Triangular, SameBitsWhenRunAgainWithTheSameThreads) {
  const Index n = 700;  // large enough for tall solves to be shared among threads
  const Matrix A = random_spd(n, 19);
  const Vector v = random_matrix(n, 1, 20);
  std::vector<Matrix> S(3), T(3);
  for (std::size_t r = 0; r < 3; ++r) {
    Pair pair(A, 0);
    ASSERT_TRUE(factor_and_invert(n, pair.p(), pair.ld));
    S[r] = pair.S();
    Matrix Q(n, n);
    inverse(n, pair.p(), pair.ld, Q.data(), n);
    T[r].resize(n, n);
    weighted_square(n, Q.data(), n, v.data(), T[r].data(), n);
    Vector d(n);
    inverse_diagonal(n, pair.p(), pair.ld, d.data());
    EXPECT_LT(distance(d, Q.diagonal()), 1e-13);
    EXPECT_LT(distance(pair.L() * pair.L().transpose(), A), 1e-13);
    EXPECT_EQ(S[r], S[0]);
    EXPECT_EQ(T[r], T[0]);
  }
}

}  // namespace triangular_test
}  // namespace lacuna::compute::cpu

#include "lacuna/compute/cpu/blas.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/random.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {
namespace blas_test {

Matrix some(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix out(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) out(i, j) = random.uniform() - 0.5;
  return out;
}

Matrix product(const Matrix& A, const Matrix& B) { return A.lazyProduct(B); }  // plain sums, no BLAS

// Sums of k terms below 1/4: 1e-12 is far above rounding and far below a misplaced entry.
constexpr double tolerance = 1e-12;

// Sizes on either side of what is cut into strips (5e5 multiplications).
const std::vector<std::array<Index, 3>> shapes{{3, 5, 7}, {200, 90, 60}, {70, 260, 40}, {500, 2, 700}, {1, 300, 2000}};

TEST(Blas, ProductsInStripsAreProducts) {
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    for (const auto& [m, n, k] : shapes)
      for (const Op a : {Op::as_is, Op::transposed})
        for (const Op b : {Op::as_is, Op::transposed}) {
          const Matrix A = some(m, k, 1), B = some(k, n, 2), C = some(m, n, 3);
          const Matrix stored_A = a == Op::as_is ? A : Matrix(A.transpose());
          const Matrix stored_B = b == Op::as_is ? B : Matrix(B.transpose());
          Matrix out = C;
          gemm(a, b, m, n, k, -2.0, stored_A.data(), stored_A.rows(), stored_B.data(), stored_B.rows(), 0.5, out.data(),
               m);
          EXPECT_LT((out - (0.5 * C - 2.0 * product(A, B))).cwiseAbs().maxCoeff(), tolerance) << m << ' ' << n;
        }
  }
}

TEST(Blas, SymmetricAndTriangularProductsInStripsAreProducts) {
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    for (const auto& [n, m, k] : shapes) {
      const Matrix A = some(n, k, 4), B = some(n, k, 5), S = some(n, n, 6), V = some(n, m, 7);
      const auto expect_lower = [&](const Matrix& found, const Matrix& wanted) {
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < n; ++i)
            EXPECT_NEAR(found(i, j), i >= j ? wanted(i, j) : S(i, j), tolerance);  // above: left alone
      };
      Matrix out = S;
      syrk_lower(n, k, -1.5, A.data(), n, 1.0, out.data(), n);
      expect_lower(out, S - 1.5 * product(A, A.transpose()));
      out = S;
      add_syr2k_lower(n, k, 0.5, A.data(), B.data(), n, out.data(), n);
      expect_lower(out, S + 0.5 * (product(A, B.transpose()) + product(B, A.transpose())));

      const Matrix full = S.selfadjointView<Eigen::Lower>(), L = S.triangularView<Eigen::Lower>();
      Matrix z(n, m);
      symm_lower(n, m, S.data(), n, V.data(), n, z.data(), n);
      EXPECT_LT((z - product(full, V)).cwiseAbs().maxCoeff(), tolerance);
      z = V;
      trmm_lower_transposed(n, m, S.data(), n, z.data(), n);
      EXPECT_LT((z - product(L.transpose(), V)).cwiseAbs().maxCoeff(), tolerance);
    }
    Matrix T = some(80, 80, 8);
    T.diagonal().array() += 20.0;
    const Matrix X = some(300, 80, 9);
    Matrix x = product(X, T.triangularView<Eigen::Lower>());
    trsm_from_right(300, 80, T.data(), 80, x.data(), 300);
    EXPECT_LT((x - X).cwiseAbs().maxCoeff(), tolerance);
  }
}

}  // namespace blas_test
}  // namespace lacuna::compute::cpu

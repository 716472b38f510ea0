// The primal core: fits equal the least-squares problem solved as it is written; with every row in the basis it is the
// dual machine; rows may be dense, sparse or read block by block; threads do not change bits.
#include "lacuna/machine/primal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/primal_held_out.hpp"
#include "lacuna/machine/dual.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/least_squares.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace primal_test {

TEST(Primal, EqualsTheLeastSquaresProblemForEveryKernel) {
  const Index l = 60;
  const RowMatrix X = testing::random_rows(l, 3, 1);
  const Vector beta = testing::random_weights(l, 2, 6);
  const Matrix eta = testing::random_matrix(l, 2, 3);
  const std::vector<bool> all(std::size_t(l), true);
  for (const auto& [name, kernel] : testing::all_kernels(3))
    for (const double lambda : {1e-6, 1e-2, 10.0}) {
      SCOPED_TRACE(name + ", " + std::to_string(lambda));
      const auto features = testing::backend().features(kernel, X.topRows(9).eval());
      const PrimalFit fit = solve_primal(features, X, beta, eta, lambda, compute::Want::solve);
      ASSERT_TRUE(fit.usable());
      const Matrix K_ln = compute::cpu::kernel_matrix(kernel, X, features->basis());
      const Matrix K_nn = compute::cpu::kernel_matrix(kernel, features->basis(), features->basis());
      const Matrix truth = testing::least_squares_outputs(K_ln, K_nn, beta, eta, lambda, all);
      EXPECT_LE((fit.z - truth).cwiseAbs().maxCoeff(), 1e-9 * truth.cwiseAbs().maxCoeff());
      // and what predicts new rows says the same
      const Matrix a = fit.coefficients();
      const Matrix z = (K_ln * a.topRows(a.rows() - 1)).rowwise() + a.row(a.rows() - 1);
      EXPECT_LE((z - truth).cwiseAbs().maxCoeff(), 1e-8 * truth.cwiseAbs().maxCoeff());
    }
}

TEST(Primal, WithEveryRowInTheBasisIsTheDualMachine) {
  const Index l = 50;
  const RowMatrix X = testing::random_rows(l, 3, 4);
  const Matrix eta = testing::random_matrix(l, 2, 5);
  for (const int zeros : {0, 6}) {
    const Vector beta = testing::random_weights(l, 6, zeros);
    for (const auto& [name, kernel] : testing::all_kernels(3))
      for (const double lambda : {1e-3, 0.1, 10.0}) {
        SCOPED_TRACE(name + ", " + std::to_string(lambda));
        const DualFit dual = solve_dual(*testing::backend().gram(kernel, X), beta, eta, lambda, compute::Want::inverse);
        const PrimalFit primal =
            solve_primal(testing::backend().features(kernel, X), X, beta, eta, lambda, compute::Want::inverse);
        const double size = eta.cwiseAbs().maxCoeff();
        // Basis vectors whose pivots are below the rounding of K, l eps max K_ii, are left out; in the outputs K alpha
        // such a pivot counts 1/lambda times. Only poly5 at the smallest lambda comes near 1e-7.
        const double rounding = double(l) * 2.2e-16 * testing::backend().gram(kernel, X)->diagonal().maxCoeff();
        const double tolerance = std::max(1e-7, rounding / lambda);
        EXPECT_LE((primal.z - dual.z).cwiseAbs().maxCoeff(), tolerance * size);
        const Matrix loo = leave_one_out(dual, Q_diagonal(dual));
        EXPECT_LE((leave_one_out(primal) - loo).cwiseAbs().maxCoeff(),
                  tolerance * std::max(size, loo.cwiseAbs().maxCoeff()));
        EXPECT_LE((leverage(primal) - leverage(dual, Q_diagonal(dual))).cwiseAbs().maxCoeff(), tolerance);
        EXPECT_LE((primal.pull - lambda * dual.alpha).cwiseAbs().maxCoeff(), tolerance * size);
      }
  }
}

TEST(Primal, TakesSparseRowsAndRowsReadBlockByBlock) {
  const Index l = 1000;
  const SparseMatrix X = testing::random_sparse(l, 6, 7);
  RowMatrix dense(l, 6);
  for (Index i = 0; i < l; ++i) dense_row(X, i, dense.row(i).data());
  const Vector beta = testing::random_weights(l, 8, 30);
  const Matrix eta = testing::random_matrix(l, 1, 9);
  std::vector<Index> chosen(20);
  std::iota(chosen.begin(), chosen.end(), Index(11));
  std::atomic<Index> largest = 0;
  const RowSource read(l, [&](Index first, Index count) -> Rows {
    if (count > largest) largest = count;
    return RowMatrix(dense.middleRows(first, count));
  });
  for (const auto& [name, kernel] : testing::all_kernels(6)) {
    SCOPED_TRACE(name);
    const auto of_dense = testing::backend().features(kernel, take_rows(dense, chosen));
    const auto of_sparse = testing::backend().features(kernel, take_rows(X, chosen));
    const Folds folds = k_folds(l, 300, {}, 1);
    const PrimalFit fit = solve_primal(of_dense, dense, beta, eta, 0.3, compute::Want::inverse);
    const PrimalFit sparse = solve_primal(of_sparse, X, beta, eta, 0.3, compute::Want::inverse);
    const PrimalFit mixed = solve_primal(of_dense, X, beta, eta, 0.3, compute::Want::inverse);
    const PrimalFit streamed = solve_primal(of_dense, read, beta, eta, 0.3, compute::Want::inverse);
    EXPECT_EQ(streamed.z, fit.z);
    EXPECT_EQ(streamed.variance, fit.variance);
    const Matrix z = leave_fold_out(dense, fit, folds);
    EXPECT_LE((leave_fold_out(read, streamed, folds) - z).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LE((leave_fold_out(X, sparse, folds) - z).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE((leave_one_out(mixed) - leave_one_out(fit)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE((leave_one_out(sparse) - leave_one_out(fit)).cwiseAbs().maxCoeff(), 1e-9);
  }
  EXPECT_LE(largest, 384);
}

TEST(Primal, RepeatsItsBitsAndHardlyDependsOnThreads) {
  const Index l = 2000;
  const RowMatrix X = testing::random_rows(l, 4, 10);
  const Matrix eta = testing::random_matrix(l, 1, 11);
  const auto features = testing::backend().features(kernels::Rbf{.theta = 0.1}, X.topRows(100).eval());
  const auto fit = [&](int threads) {
    const ThreadScope scope(threads);
    return solve_primal(features, X, Vector::Ones(l), eta, 0.1, compute::Want::inverse);
  };
  const PrimalFit one = fit(1), two = fit(2), again = fit(2);
  EXPECT_EQ(two.z, again.z);
  EXPECT_EQ(two.variance, again.variance);
  EXPECT_LE((one.z - two.z).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Primal, SaysWhichBasisVectorsItKeeps) {
  RowMatrix Z = testing::random_rows(12, 3, 12);
  Z.row(4) = Z.row(1);
  Z.row(9) = Z.row(1);
  EXPECT_EQ(testing::backend().features(kernels::Rbf{.theta = 0.5}, Z)->kept().size(), 10u);
  EXPECT_EQ(testing::backend().features(kernels::Linear{}, Z)->kept().size(), 3u);
  EXPECT_EQ(testing::backend().features(kernels::Linear{}, RowMatrix::Zero(4, 3).eval())->size(),
            1);  // the constant alone
}

}  // namespace primal_test
}  // namespace lacuna

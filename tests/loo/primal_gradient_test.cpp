// The gradient of a criterion of held-out outputs on a fixed basis equals central differences: every loss, every
// kernel, leave-one-out, folds smaller and larger than the basis, weights and rows of zero weight, several outputs,
// sparse rows.
#include "lacuna/loo/primal_gradient.hpp"

#include <gtest/gtest.h>

#include "lacuna/machine/primal_irls.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/losses.hpp"

namespace lacuna {
namespace primal_gradient_test {

using testing::difference;

constexpr Index l = 40;

double smooth(const Matrix& z, Matrix* d) {  // any smooth function of the held-out outputs
  double sum = 0.0;
  if (d) d->resize(z.rows(), z.cols());
  for (Index i = 0; i < z.rows(); ++i)
    for (Index c = 0; c < z.cols(); ++c) {
      sum += std::sin(z(i, c) + 0.1 * double(i + 3 * c)) / double(z.rows());
      if (d) (*d)(i, c) = std::cos(z(i, c) + 0.1 * double(i + 3 * c)) / double(z.rows());
    }
  return sum;
}

using Fit = std::function<PrimalFit(const Kernel&, double lambda)>;

void expect_gradient(const Fit& fit, const RowSource& X, const Kernel& kernel, double lambda, const Folds& folds,
                     double tolerance) {
  const auto held_out = [&](const PrimalFit& f) {
    return folds.empty() ? leave_one_out(f) : leave_fold_out(X, f, folds);
  };
  const auto value = [&](const Kernel& k, double lam) { return smooth(held_out(fit(k, lam)), nullptr); };
  const PrimalFit f = fit(kernel, lambda);
  Matrix d;
  const double at = smooth(held_out(f), &d);
  const compute::CriterionGradient g = criterion_gradient(X, f, folds, d);
  double largest = std::max(std::abs(at), std::abs(g.d_log_lambda));
  if (g.d_log_kernel.size() > 0) largest = std::max(largest, g.d_log_kernel.cwiseAbs().maxCoeff());
  ASSERT_TRUE(std::isfinite(largest));
  EXPECT_NEAR(g.d_log_lambda, difference([&](double h) { return value(kernel, lambda * std::exp(h)); }),
              tolerance * largest);
  const std::vector<double> p = kernel_parameters(kernel);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double fd = difference([&](double h) {
      std::vector<double> q = p;
      q[k] *= std::exp(h);
      return value(with_parameters(kernel, q), lambda);
    });
    EXPECT_NEAR(g.d_log_kernel[Index(k)], fd, tolerance * largest) << "parameter " << k;
  }
}

std::vector<std::pair<std::string, Folds>> partitions() {
  return {{"leave one out", {}},
          {"groups", group_folds(testing::random_groups(l, 13, 1))},
          {"three folds", k_folds(l, 3, {}, 2)}};
}

TEST(PrimalGradient, MatchesCentralDifferencesForEveryKernelAndSeveralOutputs) {
  const RowMatrix X = testing::random_rows(l, 3, 61);
  const SparseMatrix S = testing::random_sparse(l, 3, 62);
  const Matrix eta = testing::random_matrix(l, 2, 63);
  const Vector beta = testing::random_weights(l, 64, 6);
  std::vector<Index> chosen{2, 3, 5, 7, 11, 13, 17};
  for (const auto& [how, folds] : partitions())
    for (const auto& [name, kernel] : testing::all_kernels(3))
      for (const bool sparse : {false, true}) {
        SCOPED_TRACE(how + ", " + name + (sparse ? ", sparse" : ""));
        const RowSource rows = sparse ? RowSource(S) : RowSource(X);
        const Rows Z = take_rows(sparse ? RowsView(S) : RowsView(X), chosen);
        const Fit fit = [&](const Kernel& k, double lambda) {
          return solve_primal(testing::backend().features(k, Z), rows, beta, eta, lambda, compute::Want::inverse);
        };
        expect_gradient(fit, rows, kernel, 0.4, folds, 1e-6);
      }
}

TEST(PrimalGradient, MatchesCentralDifferencesForEveryLoss) {
  const RowMatrix X = testing::random_rows(l, 3, 65);
  const Rows Z = RowMatrix(X.topRows(8));
  for (const auto& c : testing::loss_cases(X)) {
    if (std::holds_alternative<losses::SquaredHinge>(c.loss)) continue;  // rows cross its margin
    for (const auto& [how, folds] : partitions())
      for (const Kernel& kernel : {Kernel(kernels::Rbf{.theta = 0.3}), Kernel(kernels::Ard{{0.1, 0.2, 0.3}})}) {
        SCOPED_TRACE(c.name + ", " + how);
        const Vector zeta = testing::random_weights(l, 66, 4);
        const Fit fit = [&](const Kernel& k, double lambda) {
          return irls(testing::backend().features(k, Z), X, c.loss, zeta, c.t, {}, lambda, compute::Want::inverse).fit;
        };
        expect_gradient(fit, X, kernel, 0.7, folds, 1e-5);
      }
  }
}

TEST(PrimalGradient, HoldsForManyBlocksOfRowsAndARepeatedBasis) {
  const Index many = 900;
  const RowMatrix X = testing::random_rows(many, 3, 67);
  const Vector t = testing::loss_cases(X)[1].t, zeta = testing::random_weights(many, 68, 20);
  std::vector<Index> chosen{1, 2, 3, 1, 5, 6, 2, 8};
  const Rows Z = take_rows(X, chosen);
  const Fit fit = [&](const Kernel& k, double lambda) {
    return irls(testing::backend().features(k, Z), X, losses::Logistic{}, zeta, t, {}, lambda, compute::Want::inverse)
        .fit;
  };
  for (const Folds& folds : {Folds{}, k_folds(many, 300, {}, 1), k_folds(many, 2, {}, 1)})
    expect_gradient(fit, X, kernels::Rbf{.theta = 0.2}, 0.2, folds, 1e-5);
}

}  // namespace primal_gradient_test
}  // namespace lacuna

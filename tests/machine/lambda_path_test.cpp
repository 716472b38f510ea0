// The eigendecomposition path gives at every lambda what a factorisation gives there.
#include <gtest/gtest.h>

#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/lambda_path.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

TEST(LambdaPath, EqualsTheFactorisationAtEveryLambdaForEveryKernel) {
  const Index n = 35;
  const RowMatrix X = testing::random_rows(n, 3, 1);
  const Matrix t = testing::random_matrix(n, 2, 2);
  for (const int zeros : {0, 6})
    for (const auto& [name, kernel] : testing::all_kernels(3)) {
      const Vector weights = testing::random_weights(n, 3, zeros);
      const auto K = cpu_backend().gram(kernel, X);
      const LambdaPath path(*K, weights, t);
      for (const double lambda : {1e-3, 1e-1, 1.0, 1e2, 1e6}) {
        SCOPED_TRACE(name);
        const DualFit fit = solve_dual(*K, weights, t, lambda, Want::inverse);
        const PathPoint p = path.at(lambda);
        const Matrix z = leave_one_out(fit, Q_diagonal(fit));
        // Condition numbers here reach 1e8 (poly5 at lambda = 1e-3).
        EXPECT_LE((p.held_out - z).cwiseAbs().maxCoeff(), 1e-6 * z.cwiseAbs().maxCoeff());
        EXPECT_LE((p.z - fit.z).cwiseAbs().maxCoeff(), 1e-6 * fit.z.cwiseAbs().maxCoeff());
        EXPECT_LE((p.alpha - fit.alpha).cwiseAbs().maxCoeff(), 1e-6 * fit.alpha.cwiseAbs().maxCoeff());
      }
    }
}

}  // namespace
}  // namespace lacuna

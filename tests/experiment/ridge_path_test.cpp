#include "experiment/ridge_path.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/random.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/loo/leave_one_out.hpp"

namespace lacuna {
namespace ridge_path_test {

struct Problem {
  RowMatrix X, test;
  Vector zeta, t;
};

Problem problem() {
  Random random(3);
  Problem p{RowMatrix(40, 4), RowMatrix(7, 4), Vector(40), Vector(40)};
  for (auto* X : {&p.X, &p.test})
    for (double& v : X->reshaped()) v = random.normal();
  p.X.row(5) = p.X.row(6);  // a repeated row, and weights that differ
  for (Index i = 0; i < 40; ++i) {
    p.zeta[i] = random.uniform(0.3, 3.0);
    p.t[i] = p.X(i, 0) * p.X(i, 1) > 0.0 ? 1.0 : -1.0;
  }
  return p;
}

// The dual machine at each lambda, which has tests of its own against refits.
void expect_equal(const RidgePath& path, const Kernel& kernel, const Problem& p) {
  const auto gram = cpu_backend().gram(kernel, p.X);
  const Vector lambda{{1e-3, 0.1, 2.0, 300.0}};
  const Matrix z = path.held_out(lambda);
  const Matrix K = compute::cpu::kernel_matrix(kernel, p.test, p.X);
  for (Index k = 0; k < lambda.size(); ++k) {
    const DualFit at = solve_dual(*gram, p.zeta, p.t, lambda[k], compute::Want::inverse);
    const Matrix held_out = leave_one_out(at, Q_diagonal(at));
    EXPECT_LT((z.col(k) - held_out.col(0)).norm(), 1e-8 * held_out.norm()) << "lambda " << lambda[k];
    const Vector expected = (K * at.alpha.col(0)).array() + at.b[0];
    EXPECT_LT((path.test_outputs(lambda[k]) - expected).norm(), 1e-8 * expected.norm()) << "lambda " << lambda[k];
  }
}

TEST(RidgePath, OnFeaturesEqualsTheLinearMachine) {
  const Problem p = problem();
  expect_equal(RidgePath::from_features(p.X, p.test, p.zeta, p.t), kernels::Linear{}, p);
}

TEST(RidgePath, OnQuadraticFeaturesEqualsThePolynomialMachine) {
  const Problem p = problem();
  const Kernel kernel = kernels::Polynomial{.c = 0.7, .degree = 2};
  expect_equal(RidgePath::from_features(quadratic_features(p.X, 0.7), quadratic_features(p.test, 0.7), p.zeta, p.t),
               kernel, p);
}

TEST(RidgePath, OnAKernelMatrixEqualsItsMachine) {
  const Problem p = problem();
  const Kernel kernel = kernels::Rbf{0.3};
  const Matrix K = compute::cpu::kernel_matrix(kernel, p.X, p.X),
               test_K = compute::cpu::kernel_matrix(kernel, p.test, p.X);
  expect_equal(RidgePath::from_kernel(K, test_K, p.zeta, p.t), kernel, p);
}

}  // namespace ridge_path_test
}  // namespace lacuna

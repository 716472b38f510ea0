// Descents that know the curvature beforehand, and starts that are near optima.
#include "lacuna/select/quasi_newton.hpp"

#include <gtest/gtest.h>

#include "lacuna/select/multi_start.hpp"
#include "tests/select/functions.hpp"

namespace lacuna {
namespace quasi_newton_test {

using namespace testing_functions;

const Box wide = box(2, -20.0, 20.0);

TEST(QuasiNewton, CurvatureOfABowlIsItsInverseHessian) {
  const Objective f = bowl(Vector{{1.0, -2.0}});  // Hessian diag(2, 4)
  std::vector<Slope> slopes;
  for (const Vector& x : {Vector{{0.4, -1.5}}, Vector{{1.3, -2.4}}, Vector{{0.9, -1.8}}, Vector{{1.0, -2.0}}})
    slopes.push_back({x, f(x, true).gradient});
  const Matrix H = curvature_of(slopes_near(slopes, slopes.back().log_parameters), {0, 1}).inverse_hessian();
  EXPECT_LT((H - Matrix(Vector{{0.5, 0.25}}.asDiagonal())).cwiseAbs().maxCoeff(), 0.05);  // BFGS of few pairs
  EXPECT_FALSE(curvature_of({slopes[0]}, {0, 1}).known());
}

TEST(QuasiNewton, NearAnOptimumAFewEvaluationsAreEnough) {
  const SearchResult before = multi_start(rosenbrock, wide, {Vector{{0.0, 0.5}}});
  ASSERT_EQ(before.curvature.rows(), 2);
  // The same problem, moved a little.
  const Objective moved = [](const Vector& x, bool g) { return rosenbrock(x + Vector{{0.1, 0.05}}, g); };
  const std::vector<Vector> near{before.best.log_parameters};
  const SearchResult known =
      multi_start(moved, wide, near, {}, {}, lbfgs_descent, {.near = true, .curvature = before.curvature});
  const SearchResult unknown = multi_start(moved, wide, near);
  EXPECT_LT((known.best.log_parameters - Vector{{0.9, 0.95}}).norm(), 1e-3);
  EXPECT_EQ(known.stop, Stop::converged);
  EXPECT_LT(known.evaluations, unknown.evaluations);
}

TEST(QuasiNewton, AFalseCurvatureCostsEvaluationsAndNothingElse) {
  for (const double size : {1e-6, 1e3}) {
    const SearchResult r = multi_start(rosenbrock, wide, {Vector{{0.3, -0.4}}}, {}, {}, lbfgs_descent,
                                       {.near = true, .curvature = size * Matrix::Identity(2, 2)});
    EXPECT_LT((r.best.log_parameters - Vector::Ones(2)).norm(), 5e-3) << size;
  }
}

TEST(QuasiNewton, StaysInTheBox) {
  const Box b{Vector{{-20.0, -20.0}}, Vector{{0.5, 20.0}}};
  const SearchResult r = multi_start(bowl(Vector{{1.0, -2.0}}), b, {Vector{{0.0, 0.0}}}, {}, {}, lbfgs_descent,
                                     {.near = true, .curvature = Matrix::Identity(2, 2)});
  EXPECT_EQ(r.best.log_parameters[0], 0.5);
  EXPECT_NEAR(r.best.log_parameters[1], -2.0, 1e-3);
  EXPECT_EQ(r.stop, Stop::at_bound);
}

// Of several starts near optima the best is descended from, and those that may change places with it.
TEST(QuasiNewton, TheLikeliestStartIsLeftForABetterOne) {
  const Objective f = hollows({{Vector{{-4.0, 0.0}}, 0.3}, {Vector{{4.0, 0.0}}, 0.6}}, 1.0);
  const SearchResult r = multi_start(f, wide, {Vector{{-4.2, 0.1}}, Vector{{4.3, 0.2}}}, {}, {}, lbfgs_descent,
                                     {.near = true, .curvature = Matrix::Identity(2, 2)});
  EXPECT_NEAR(r.best.value, 0.4, 1e-4);
  EXPECT_EQ(r.descents, 1);
}

TEST(Budget, APointSeenWithItsGradientCostsNothingAgain) {
  Budget budget(rosenbrock, wide, {}, {});
  const Vector x{{0.3, 0.2}};
  budget.evaluate(x, true);
  const auto again = budget.evaluate(x, true);
  EXPECT_EQ(budget.evaluations(), 1);
  EXPECT_EQ(again->value, rosenbrock(x, false).value);
}

}  // namespace quasi_newton_test
}  // namespace lacuna

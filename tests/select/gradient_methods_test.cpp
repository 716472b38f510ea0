// L-BFGS and scaled conjugate gradient: what gradients buy.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/select/lbfgs.hpp"
#include "lacuna/select/scg.hpp"
#include "lacuna/select/start_design.hpp"
#include "tests/select/functions.hpp"

namespace lacuna {
namespace gradient_methods_test {

using namespace testing_functions;

TEST(Lbfgs, ReachesSixDigitsOfABowlInTwentyEvaluations) {
  const auto r = lbfgs(bowl(Vector{{3.0, -5.0}}), box(2, -20.0, 20.0), Vector::Zero(2), {.value_tolerance = 1e-9});
  EXPECT_NEAR(r.best.value, 1.0, 1e-6);
  EXPECT_LE(r.evaluations, 20);
  EXPECT_EQ(r.stop, Stop::converged);
}

TEST(Lbfgs, FirstStepIsOneLogUnitHoweverSteepTheCriterion) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    std::vector<Vector> visited;
    const Objective inner = bowl(Vector{{8.0, 8.0}});
    const Objective steep = [&](const Vector& x, bool g) {
      visited.push_back(x);
      Evaluation at = inner(x, g);
      at.value *= scale;
      at.gradient *= scale;
      return at;
    };
    lbfgs(steep, box(2, -20.0, 20.0), Vector::Zero(2));
    ASSERT_GE(visited.size(), 2u);
    EXPECT_NEAR((visited[1] - visited[0]).norm(), 1.0, 1e-6);
  }
}

TEST(Lbfgs, StopsAtOnceWhereTheGradientVanishes) {
  const auto r = lbfgs(bowl(Vector{{1.0, 1.0}}), box(2, -5.0, 5.0), Vector{{1.0, 1.0}});
  EXPECT_EQ(r.evaluations, 1);
  EXPECT_EQ(r.stop, Stop::converged);
}

TEST(Lbfgs, StopsAtOnceInACornerThatAllGradientsPointInto) {
  const auto r = lbfgs(bowl(Vector{{9.0, 9.0}}), box(2, -5.0, 5.0), Vector{{5.0, 5.0}});
  EXPECT_EQ(r.evaluations, 1);
  EXPECT_EQ(r.stop, Stop::at_bound);
}

TEST(Lbfgs, SearchesTheSixtyParametersOfAnArdKernelWithinItsDefaultBudget) {
  const Index n = 60;
  const Vector centre = Vector::LinSpaced(n, -4.0, 4.0);
  const auto r =
      lbfgs(bowl(centre), box(n, -20.0, 20.0), Vector::Zero(n), {.max_evaluations = default_max_evaluations(n)});
  EXPECT_NEAR(r.best.value, 1.0, 0.02);
}

TEST(Scg, SearchesTheSixtyParametersOfAnArdKernelWithinItsDefaultBudget) {
  const Index n = 60;
  const Vector centre = Vector::LinSpaced(n, -4.0, 4.0);
  const auto r =
      scg(bowl(centre), box(n, -20.0, 20.0), Vector::Zero(n), {.max_evaluations = default_max_evaluations(n)});
  EXPECT_NEAR(r.best.value, 1.0, 0.02);
}

TEST(Scg, TakesAQuadraticInAboutTwoEvaluationsAParameterAndStep) {
  const auto r = scg(bowl(Vector{{0.5, -0.5}}), box(2, -20.0, 20.0), Vector::Zero(2));
  EXPECT_NEAR(r.best.value, 1.0, 1e-4);
  EXPECT_LE(r.evaluations, 30);
}

TEST(Scg, LeavesAPlaceOfNegativeCurvature) {
  const auto r = scg(hollows({{Vector{{3.0, 0.0}}, 0.5}}, 1.5), box(2, -10.0, 10.0), Vector{{0.0, 0.3}});
  EXPECT_NEAR(r.best.value, 0.5, 1e-3);
}

TEST(GradientMethods, RefuseACriterionWithoutGradient) {
  const Objective bare = [](const Vector& x, bool) { return Evaluation{x.squaredNorm(), {}}; };
  EXPECT_THROW(lbfgs(bare, box(2, -5.0, 5.0), Vector::Ones(2)), Error);
  EXPECT_THROW(scg(bare, box(2, -5.0, 5.0), Vector::Ones(2)), Error);
}

}  // namespace gradient_methods_test
}  // namespace lacuna

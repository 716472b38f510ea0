// Nelder-Mead and the hierarchical grid: no gradient is ever asked for.
#include <gtest/gtest.h>

#include <set>

#include "lacuna/select/grid.hpp"
#include "lacuna/select/nelder_mead.hpp"
#include "tests/select/functions.hpp"

namespace lacuna {
namespace gradient_free_methods_test {

using namespace testing_functions;

TEST(NelderMead, NeverAsksForAGradient) {
  const Objective f = [](const Vector& x, bool want_gradient) {
    EXPECT_FALSE(want_gradient);
    return rosenbrock(x, false);
  };
  EXPECT_EQ(nelder_mead(f, box(2, -5.0, 5.0), Vector::Zero(2)).gradients, 0);
}

TEST(NelderMead, DescendsAStaircase) {  // like an error rate, which has no slope anywhere
  const Objective inner = bowl(Vector{{1.0, -1.0}});
  const Objective stairs = [&](const Vector& x, bool) {
    return Evaluation{std::ceil(inner(x, false).value * 4.0), {}};
  };
  EXPECT_LE(nelder_mead(stairs, box(2, -9.0, 9.0), Vector::Zero(2)).best.value, 5.0);
}

TEST(NelderMead, FitsItsSimplexIntoANarrowBox) {
  const auto r = nelder_mead(bowl(Vector{{0.01, 0.02}}), box(2, 0.0, 0.05), Vector{{0.05, 0.05}});
  EXPECT_NEAR(r.best.value, 1.0, 1e-4);
}

TEST(Grid, NeverAsksForAGradientNorForTheSamePointTwice) {
  for (const Index n : {1, 2, 3, 5}) {
    std::set<std::vector<double>> seen;
    const Objective inner = bowl(Vector::Constant(n, 3.7));
    const Objective f = [&](const Vector& x, bool want_gradient) {
      EXPECT_FALSE(want_gradient);
      EXPECT_TRUE(seen.emplace(x.begin(), x.end()).second) << x.transpose();
      return inner(x, false);
    };
    grid(f, box(n, -4.0, 4.0), Vector::Zero(n), {.max_evaluations = 200});
  }
}

TEST(Grid, WalksBeyondItsFirstGridWhenTheBestPointLiesOnTheEdgeOfIt) {
  const auto r = grid(bowl(Vector{{15.0, -15.0}}), box(2, -20.0, 20.0), Vector::Zero(2), {.max_evaluations = 200});
  EXPECT_NEAR(r.best.value, 1.0, 0.01);
}

TEST(Grid, FindsTheDeeperOfTwoHollows) {
  const auto f = hollows({{Vector{{0.0, 0.0}}, 0.3}, {Vector{{4.0, -4.0}}, 0.6}}, 2.0);
  EXPECT_NEAR(grid(f, box(2, -20.0, 20.0), Vector::Zero(2)).best.value, 0.4, 0.02);
}

TEST(Grid, GoesOneParameterAtATimeBeyondThree) {
  const auto r =
      grid(bowl(Vector{{1.0, -2.0, 3.0, 0.5, -1.0}}), box(5, -9.0, 9.0), Vector::Zero(5), {.max_evaluations = 200});
  EXPECT_NEAR(r.best.value, 1.0, 0.02);
  EXPECT_EQ(r.stop, Stop::converged);
}

TEST(Grid, KeepsItsFirstGridWithinHalfTheBudget) {
  const auto r = grid(bowl(Vector{{0.5, 0.5}}), box(2, -9.0, 9.0), Vector::Zero(2), {.max_evaluations = 20});
  EXPECT_LT(r.best.value, 2.0);
}

}  // namespace gradient_free_methods_test
}  // namespace lacuna

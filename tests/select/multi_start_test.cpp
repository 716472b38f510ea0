// Several starts: which optima are found, merged, reported, and left.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/select/multi_start.hpp"
#include "lacuna/select/scg.hpp"
#include "lacuna/select/start_design.hpp"
#include "tests/select/functions.hpp"

namespace lacuna {
namespace multi_start_test {

using namespace testing_functions;

TEST(MultiStart, FindsTheDeeperHollowThatASingleStartMisses) {
  const auto f = hollows({{Vector{{0.0, 0.0}}, 0.3}, {Vector{{-6.0, 6.0}}, 0.6}}, 1.5);
  const Box b = box(2, -20.0, 20.0);
  EXPECT_NEAR(lbfgs(f, b, Vector{{0.5, 0.5}}).best.value, 0.7, 1e-3);
  const auto r = multi_start(f, b, {Vector{{0.5, 0.5}}, Vector{{-4.5, 4.0}}});
  EXPECT_NEAR(r.best.value, 0.4, 1e-3);
}

TEST(MultiStart, ReportsEveryOptimumBestFirst) {
  const auto f = hollows({{Vector{{0.0, 0.0}}, 0.5}, {Vector{{-6.0, 6.0}}, 0.6}}, 1.5);
  const auto r = multi_start(f, box(2, -20.0, 20.0), {Vector{{1.0, 1.0}}, Vector{{-5.0, 5.0}}});
  ASSERT_EQ(r.optima.size(), 2u);
  EXPECT_NEAR(r.optima[0].value, 0.4, 1e-3);
  EXPECT_NEAR(r.optima[1].value, 0.5, 1e-3);
  EXPECT_EQ(r.optima[0].log_parameters, r.best.log_parameters);
  EXPECT_EQ(r.optima[0].stop, Stop::converged);
  EXPECT_EQ(r.descents, 2);
}

TEST(MultiStart, MergesDescentsThatEndInTheSameOptimumAndLeavesThemEarly) {
  const auto f = bowl(Vector{{0.0, 0.0}});
  const auto r = multi_start(f, box(2, -20.0, 20.0), {Vector{{4.0, 4.0}}, Vector{{-4.0, -4.0}}, Vector{{4.0, -4.0}}});
  EXPECT_EQ(r.optima.size(), 1u);
  EXPECT_EQ(r.descents, 3);
  EXPECT_EQ(r.given_up, 2);
  EXPECT_LT(r.evaluations, 45);
}

TEST(MultiStart, LeavesADescentAsSoonAsItsSlopeLeadsToAKnownOptimum) {
  // In a bowl the slope tells from the first point on, if that is near enough.
  const auto f = bowl(Vector{{0.0, 0.0}});
  const Box b = box(2, -20.0, 20.0);
  const Vector near{{1.5, -1.5}}, first{{-1.2, -1.4}};
  const auto r = multi_start(f, b, {first, near});
  EXPECT_EQ(r.evaluations, 2 + lbfgs(f, b, first).evaluations + 1);
  EXPECT_EQ(r.given_up, 1);
  EXPECT_EQ(r.optima.size(), 1u);
}

TEST(MultiStart, DoesNotTakeAHollowForTheKnownOneBesideIt) {
  const auto f = hollows({{Vector{{0.0, 0.0}}, 0.5}, {Vector{{1.9, 0.0}}, 0.6}}, 0.6);
  const auto r = multi_start(f, box(2, -20.0, 20.0), {Vector{{-0.4, 0.1}}, Vector{{2.2, 0.1}}});
  EXPECT_EQ(r.optima.size(), 2u);
  EXPECT_NEAR(r.best.value, 0.4 - 0.5 * std::exp(-0.5 * 1.9 * 1.9 / 0.36), 1e-3);  // both hollows count
}

TEST(MultiStart, LeavesADescentThatCannotCatchUp) {
  // A deep hollow near one start; around the other the winding way down to a worse optimum.
  const Objective hollow = hollows({{Vector{{0.0, 0.0}}, 0.9}}, 1.0);
  const Vector there{{12.0, 12.0}};
  const Objective f = [&](const Vector& x, bool g) { return x[0] < 6.0 ? hollow(x, g) : rosenbrock(x - there, g); };
  const Box b = box(2, -20.0, 20.0);
  const Vector far = there + Vector{{-1.0, 1.0}};
  const auto r = multi_start(f, b, {Vector{{0.8, 0.8}}, far});
  EXPECT_EQ(r.given_up, 1);
  EXPECT_LT(r.evaluations, 2 + lbfgs(f, b, Vector{{0.8, 0.8}}).evaluations + lbfgs(f, b, far).evaluations);
  ASSERT_EQ(r.optima.size(), 2u);
  EXPECT_EQ(r.optima[0].stop, Stop::converged);
  EXPECT_EQ(r.optima[1].stop, Stop::none);  // where it was left
}

TEST(MultiStart, SkipsStartsThatAreNotFiniteAndSaysSoWhenAllAre) {
  const Objective inner = bowl(Vector{{2.0, 2.0}});
  const Objective half = [&](const Vector& x, bool g) { return x[0] < 0.0 ? Evaluation{} : inner(x, g); };
  const Box b = box(2, -20.0, 20.0);
  EXPECT_NEAR(multi_start(half, b, {Vector{{-5.0, 0.0}}, Vector{{5.0, 0.0}}}).best.value, 1.0, 1e-3);
  EXPECT_EQ(multi_start(half, b, {Vector{{-5.0, 0.0}}, Vector{{-9.0, 0.0}}}).stop, Stop::not_finite);
}

TEST(MultiStart, SpendsNothingOnRankingASingleStart) {
  const auto f = bowl(Vector{{1.0, 1.0}});
  const Box b = box(2, -20.0, 20.0);
  EXPECT_EQ(multi_start(f, b, {Vector::Zero(2)}).evaluations, lbfgs(f, b, Vector::Zero(2)).evaluations);
}

TEST(MultiStart, StillReturnsTheBestCoarsePointWhenTheBudgetEndsBeforeADescent) {
  const auto f = bowl(Vector{{1.0, 1.0}});
  const auto r = multi_start(f, box(2, -20.0, 20.0), {Vector{{5.0, 5.0}}, Vector{{2.0, 2.0}}, Vector{{9.0, 9.0}}},
                             {.max_evaluations = 2});
  EXPECT_EQ(r.best.log_parameters, Vector(Vector{{2.0, 2.0}}));
  EXPECT_EQ(r.stop, Stop::max_evaluations);
}

TEST(MultiStart, StaysConvergedWhenOnlyTheExplorationRanOutOfEvaluations) {
  const auto f = hollows({{Vector{{0.0, 0.0}}, 0.6}, {Vector{{-6.0, 6.0}}, 0.59}}, 1.5);
  const std::vector<Vector> starts = {Vector{{0.8, 0.8}}, Vector{{-4.5, 4.5}}};
  const Box b = box(2, -20.0, 20.0);
  const int first = 2 + lbfgs(f, b, starts[0]).evaluations;
  const auto r = multi_start(f, b, starts, {.max_evaluations = first + 2});
  EXPECT_EQ(r.stop, Stop::converged);
  EXPECT_NEAR(r.best.value, 0.4, 1e-3);
  EXPECT_EQ(r.evaluations, first + 2);
}

TEST(MultiStart, FollowsTheLinearValleyFromTheDesignOfStartsAndNamesIt) {
  const SearchSpace space{box(2, -23.0, 9.0), Vector::Zero(2), Index(0), {1}};
  const auto r = multi_start(valley, space.box, start_design(space));
  EXPECT_LT(r.best.value, 0.4 * 1.001);
  EXPECT_NEAR(r.best.log_parameters[0], r.best.log_parameters[1], 0.5);
  EXPECT_LE(r.evaluations, 60);
}

TEST(MultiStart, TakesAnyDescent) {
  const auto r = multi_start(bowl(Vector{{1.0, 1.0}}), box(2, -20.0, 20.0), {Vector::Zero(2), Vector{{5.0, 5.0}}}, {},
                             {}, scg_descent);
  EXPECT_NEAR(r.best.value, 1.0, 1e-3);
}

TEST(MultiStart, RefusesToBeginNowhere) { EXPECT_THROW(multi_start(valley, box(2, -1.0, 1.0), {}), Error); }

// Values of starts come from looser fits than those of descents, and may look better than anything near them is.
TEST(MultiStart, EndsWithAReasonWhereTheBestPointIsAStartThatNoDescentBeganAt) {
  const auto f = bowl(Vector{{0.0, 0.0}});
  const Vector lucky{{1.0, 1.0}};
  const auto noisy = [&](const Vector& x, bool want_gradient) {
    Evaluation at = f(x, want_gradient);
    if (x == lucky && !want_gradient) at.value -= 10.0;
    return at;
  };
  for (const double limit : {0.0, -5.0}) {
    // The descent that begins at the best start cannot move: its gradient is not finite.
    const auto walled = [&](const Vector& x, bool want_gradient) {
      Evaluation at = noisy(x, want_gradient);
      if (want_gradient && at.value > limit) at.gradient.setConstant(std::nan(""));
      return at;
    };
    const auto r = multi_start(walled, box(2, -20.0, 20.0), {Vector{{3.0, 3.0}}, lucky});
    EXPECT_EQ(r.best.log_parameters, lucky);
    EXPECT_NE(r.stop, Stop::none);
    EXPECT_EQ(r.stop, r.best.stop);
  }
  const auto r = multi_start(noisy, box(2, -20.0, 20.0), {Vector{{3.0, 3.0}}, lucky});
  EXPECT_EQ(r.stop, Stop::converged);
}

}  // namespace multi_start_test
}  // namespace lacuna

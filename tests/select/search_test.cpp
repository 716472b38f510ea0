// A search by name, the design of its starts, and the penalty.
#include "lacuna/select/search.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/select/penalty.hpp"
#include "tests/select/functions.hpp"

namespace lacuna {
namespace search_test {

using namespace testing_functions;

SearchSpace plane() { return {box(2, -23.0, 13.0), Vector{{0.0, -1.0}}, Index(0), {1}}; }

TEST(Search, EveryNameReachesTheBottomOfABowl) {
  for (const auto* word : {"auto", "lbfgs", "scg", "nelder-mead", "grid"}) {
    const SearchMethod method = search_method(word);
    EXPECT_EQ(name_of(method), word);
    EXPECT_NEAR(search(method, bowl(Vector{{-1.0, -2.0}}), plane(), true).best.value, 1.0, 0.03) << word;
  }
}

TEST(Search, AutoTakesNelderMeadWhereThereIsNoGradient) {
  EXPECT_EQ(resolve(SearchMethod::automatic, true), SearchMethod::lbfgs);
  EXPECT_EQ(resolve(SearchMethod::automatic, false), SearchMethod::nelder_mead);
  const auto r = search(SearchMethod::automatic, bowl(Vector{{-1.0, -2.0}}), plane(), false);
  EXPECT_EQ(r.gradients, 0);
  EXPECT_NEAR(r.best.value, 1.0, 2e-3);
}

TEST(Search, RefusesAGradientMethodForACriterionWithoutOneAndAnUnknownName) {
  EXPECT_THROW(search(SearchMethod::lbfgs, bowl(Vector::Zero(2)), plane(), false), Error);
  try {
    search_method("lbgfs");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'lbfgs'"), std::string::npos) << e.what();
  }
}

TEST(StartDesign, HasSixteenPointsOfWhichTheStartIsTheFirst) {
  const auto points = start_design(plane());
  ASSERT_EQ(points.size(), 16u);
  EXPECT_EQ(points[0], plane().start);
}

TEST(StartDesign, MovesAllScalesTogetherAndNothingElse) {
  const Index n = 6;  // lambda, a constant, and four widths
  const SearchSpace space{box(n, -30.0, 30.0), Vector::LinSpaced(n, 0.0, 5.0), Index(0), {2, 3, 4, 5}};
  const auto points = start_design(space);
  EXPECT_EQ(points.size(), 16u);
  for (const Vector& x : points) {
    EXPECT_EQ(x[1], space.start[1]);
    for (Index k = 3; k < n; ++k) EXPECT_NEAR(x[k] - space.start[k], x[2] - space.start[2], 1e-12);
  }
}

TEST(StartDesign, GivesOneKindOfParameterFivePointsAndNoneOnlyTheStart) {
  EXPECT_EQ(start_design({box(1, -23.0, 13.0), Vector::Zero(1), Index(0), {}}).size(), 5u);
  EXPECT_EQ(start_design({box(1, -23.0, 13.0), Vector::Zero(1), std::nullopt, {0}}).size(), 5u);
  EXPECT_EQ(start_design({box(1, -23.0, 13.0), Vector::Zero(1), std::nullopt, {}}).size(), 1u);
}

TEST(StartDesign, StaysInANarrowBoxWithoutRepeatingItself) {
  const auto points = start_design({box(2, -0.5, 0.5), Vector::Zero(2), Index(0), {1}});
  EXPECT_LT(points.size(), 12u);
  for (const Vector& x : points) EXPECT_LE(x.lpNorm<Eigen::Infinity>(), 0.5);
}

TEST(StartDesign, RefusesAnIndexThatIsNoParameter) {
  EXPECT_THROW(start_design({box(2, -1.0, 1.0), Vector::Zero(2), Index(2), {}}), Error);
  EXPECT_THROW(start_design({box(2, -1.0, 1.0), Vector::Zero(2), std::nullopt, {5}}), Error);
}

TEST(Penalty, GradientMatchesCentralDifferences) {
  const Objective f = with_penalty(rosenbrock, Vector{{0.3, -0.7}}, 0.8);
  const Vector x{{-0.4, 0.9}};
  const Vector g = f(x, true).gradient;
  for (Index k = 0; k < 2; ++k) {
    const Vector h = 1e-5 * Vector::Unit(2, k);
    EXPECT_NEAR(g[k], (f(x + h, false).value - f(x - h, false).value) / 2e-5, 1e-7);
  }
}

TEST(Penalty, MovesTheOptimumOfABowlHalfWayWhenAsStrongAsTheBowl) {
  const auto r = search(SearchMethod::lbfgs, with_penalty(bowl(Vector{{4.0}}), Vector{{0.0}}, 1.0),
                        {box(1, -9.0, 9.0), Vector{{-1.0}}, Index(0), {}}, true);
  EXPECT_NEAR(r.best.log_parameters[0], 2.0, 0.01);
}

TEST(Penalty, AddsNothingAtItsCentreAndKeepsWalls) {
  EXPECT_EQ(with_penalty(valley, Vector{{1.0, 2.0}}, 3.0)(Vector{{1.0, 2.0}}, false).value,
            valley(Vector{{1.0, 2.0}}, false).value);
  const Objective wall = [](const Vector&, bool) { return Evaluation{}; };
  EXPECT_EQ(with_penalty(wall, Vector::Zero(2), 1.0)(Vector::Ones(2), true).value, kInf);
  EXPECT_THROW(with_penalty(wall, Vector::Zero(2), -1.0), Error);
}

TEST(DefaultBudget, GrowsWithTheParametersOfAnArdKernel) {
  EXPECT_EQ(default_max_evaluations(2), 60);
  EXPECT_EQ(default_max_evaluations(60), 660);
}

}  // namespace search_test
}  // namespace lacuna

// What every search promises, whichever it is: one suite over all of them.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "lacuna/base/error.hpp"
#include "lacuna/select/grid.hpp"
#include "lacuna/select/lbfgs.hpp"
#include "lacuna/select/multi_start.hpp"
#include "lacuna/select/nelder_mead.hpp"
#include "lacuna/select/scg.hpp"
#include "tests/select/functions.hpp"

namespace lacuna {
namespace every_method_test {

using namespace testing_functions;

struct Method {
  std::string label;
  std::function<SearchResult(const Objective&, const Box&, const Vector&, const SearchOptions&, const Observer&)> run;
  bool gradients;
  double close = 2e-3;  // how near the bottom of a bowl 60 evaluations must come
};
void PrintTo(const Method& method, std::ostream* out) { *out << method.label; }

SearchResult from_three(const Objective& f, const Box& b, const Vector& x, const SearchOptions& o, const Observer& w) {
  return multi_start(f, b, {x, x.array() + 3.0, x.array() - 3.0}, o, w);
}

class EveryMethod : public ::testing::TestWithParam<Method> {
 protected:
  SearchResult run(const Objective& f, const Box& b, const Vector& start, const SearchOptions& options = {},
                   const Observer& observer = {}) const {
    return GetParam().run(f, b, start, options, observer);
  }
};

INSTANTIATE_TEST_SUITE_P(
    Select, EveryMethod,
    ::testing::Values(Method{"lbfgs", lbfgs, true}, Method{"scg", scg, true},
                      Method{"nelder_mead", nelder_mead,
                             false},  // 60 points reach a spacing of 0.18 log-units: up to 0.09^2 (1 + 2) above.
                      Method{"grid", grid, false, 0.06}, Method{"multi_start", from_three, true}),
    [](const auto& tested) { return tested.param.label; });

TEST_P(EveryMethod, ReachesTheBottomOfASmoothBowlWithinTheDefaultBudget) {
  const auto r = run(bowl(Vector{{1.0, -2.0}}), box(2, -20.0, 20.0), Vector::Zero(2));
  EXPECT_NEAR(r.best.value, 1.0, GetParam().close);
  EXPECT_LE(r.evaluations, 60);
  EXPECT_EQ(r.gradients > 0, GetParam().gradients);
}

TEST_P(EveryMethod, FindsTheOnlyParameterOfAOneDimensionalBowl) {
  const auto r = run(bowl(Vector{{-4.3}}), box(1, -23.0, 14.0), Vector::Zero(1));
  EXPECT_NEAR(r.best.log_parameters[0], -4.3, 0.03);
  EXPECT_EQ(r.stop, Stop::converged);
}

TEST_P(EveryMethod, FollowsTheBananaOfRosenbrock) {
  const auto r = run(rosenbrock, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}}, {.max_evaluations = 400});
  const bool lattice = GetParam().label == "grid";  // creeps in a curved valley: from 5 to below 1.5 is all it can do
  EXPECT_NEAR(r.best.value, 1.0, lattice ? 0.5 : 0.01);
}

TEST_P(EveryMethod, FollowsTheValleyOfNearLinearDataDownToItsFloor) {
  const auto r = run(valley, box(2, -23.0, 9.0), Vector::Zero(2));
  EXPECT_LT(r.best.value, 0.4 * 1.001);  // within 0.1 % of the limit
  EXPECT_LE(r.evaluations, 60);
}

TEST_P(EveryMethod, NeverAsksForAPointOutsideTheBoxAndSaysThatTheBestIsOnItsEdge) {
  const Box b = box(2, -1.0, 0.5);
  const Objective inner = bowl(Vector{{3.0, 0.0}});
  const Objective guarded = [&](const Vector& x, bool g) {
    EXPECT_TRUE((x.array() >= b.lower.array()).all() && (x.array() <= b.upper.array()).all()) << x.transpose();
    return inner(x, g);
  };
  const auto r = run(guarded, b, Vector{{-0.9, 0.4}});
  EXPECT_NEAR(r.best.log_parameters[0], 0.5, 1e-6);
  EXPECT_NEAR(r.best.log_parameters[1], 0.0, 0.05);
  EXPECT_EQ(r.stop, Stop::at_bound);
}

TEST_P(EveryMethod, MovesAStartOutsideTheBoxToItsEdge) {
  const auto r = run(bowl(Vector{{0.0, 0.0}}), box(2, -2.0, 2.0), Vector{{50.0, -50.0}});
  EXPECT_NEAR(r.best.value, 1.0, GetParam().close);
}

TEST_P(EveryMethod, SurvivesWallsOfInfinity) {
  const Objective inner = bowl(Vector{{2.0, 1.0}});
  const Objective walled = [&](const Vector& x, bool g) { return x.sum() > 3.4 ? Evaluation{} : inner(x, g); };
  const auto r = run(walled, box(2, -20.0, 20.0), Vector{{-1.0, -1.0}}, {.max_evaluations = 120});
  EXPECT_NEAR(r.best.value, 1.0, 0.02);
}

TEST_P(EveryMethod, SurvivesWallsOfNanInValueAndGradient) {
  const Objective inner = bowl(Vector{{2.0, 1.0}});
  const Objective walled = [&](const Vector& x, bool g) {
    Evaluation at = inner(x, g);
    if (x[0] > 2.3) at.value = kNan;
    if (g && x[1] > 1.3) at.gradient[0] = kNan;
    return at;
  };
  const auto r = run(walled, box(2, -20.0, 20.0), Vector{{-1.0, -1.0}}, {.max_evaluations = 120});
  EXPECT_NEAR(r.best.value, 1.0, 0.02);
}

TEST_P(EveryMethod, ComesBackFromAnOptimumThatLiesAgainstAWall) {
  const Objective inner = bowl(Vector{{2.0, 0.0}});  // the best reachable value is at x_0 = 1: 2
  const Objective walled = [&](const Vector& x, bool g) { return x[0] > 1.0 ? Evaluation{} : inner(x, g); };
  const auto r = run(walled, box(2, -20.0, 20.0), Vector{{-1.5, -1.5}}, {.max_evaluations = 200});
  EXPECT_LT(r.best.value, 2.4);
  EXPECT_GE(r.best.value, 2.0);
}

TEST_P(EveryMethod, SaysNotFiniteWhenNoFiniteValueExists) {
  for (const double nothing : {kInf, kNan, -kInf}) {
    const Objective f = [=](const Vector& x, bool g) {
      return Evaluation{nothing, g ? Vector(Vector::Constant(x.size(), kNan)) : Vector()};
    };
    const auto r = run(f, box(2, -5.0, 5.0), Vector::Zero(2));
    EXPECT_EQ(r.stop, Stop::not_finite);
    EXPECT_FALSE(r.usable());
    EXPECT_TRUE(r.optima.empty());
  }
}

TEST_P(EveryMethod, StopsAtTheBudgetAndCountsEveryEvaluation) {
  for (const int limit : {1, 2, 3, 5, 8}) {
    int calls = 0, with_gradient = 0;
    const Objective counted = [&](const Vector& x, bool g) {
      ++calls;
      with_gradient += g;
      return rosenbrock(x, g);
    };
    const auto r = run(counted, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}}, {.max_evaluations = limit});
    EXPECT_EQ(calls, limit);
    EXPECT_EQ(r.evaluations, limit);
    EXPECT_EQ(r.gradients, with_gradient);
    EXPECT_EQ(r.stop, Stop::max_evaluations);
    EXPECT_TRUE(r.usable());
  }
}

TEST_P(EveryMethod, ReturnsTheBestPointItVisited) {
  double lowest = kInf;
  Vector where;
  const Objective watched = [&](const Vector& x, bool g) {
    const Evaluation at = rosenbrock(x, g);
    if (at.value < lowest) {
      lowest = at.value;
      where = x;
    }
    return at;
  };
  for (const int limit : {7, 23, 60}) {
    lowest = kInf;
    const auto r = run(watched, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}}, {.max_evaluations = limit});
    EXPECT_EQ(r.best.value, lowest);
    // The last digits may come from a step that is too short to look at.
    EXPECT_LT((r.best.log_parameters - where).lpNorm<Eigen::Infinity>(), 1e-3);
  }
}

TEST_P(EveryMethod, StopsWhenTheObserverSaysSo) {
  long last = -1;
  const Observer observer = [&](const Progress& p) {
    EXPECT_EQ(p.stage, "search");
    last = p.done;
    return p.done < 6;
  };
  const auto r = run(rosenbrock, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}}, {}, observer);
  EXPECT_EQ(r.stop, Stop::interrupted);
  EXPECT_EQ(r.evaluations, 6);
  EXPECT_EQ(last, 6);
  EXPECT_TRUE(r.usable());
}

TEST_P(EveryMethod, StopsAtTheTimeLimit) {
  const Objective slow = [](const Vector& x, bool g) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return rosenbrock(x, g);
  };
  const auto r = run(slow, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}}, {.max_evaluations = 100000, .seconds = 0.02});
  EXPECT_EQ(r.stop, Stop::time_limit);
  EXPECT_LE(r.evaluations, 5);  // 0.02 s at 5 ms or more each, and the one that was under way
  EXPECT_EQ(run(slow, box(2, -5.0, 5.0), Vector::Zero(2), {.seconds = 0.0}).evaluations, 1);  // one point at least
}

TEST_P(EveryMethod, PassesOnAnExceptionOfTheObjectiveAtOnce) {
  int calls = 0;
  const Objective throwing = [&](const Vector& x, bool g) -> Evaluation {
    if (++calls == 4) throw std::domain_error("from the objective");
    return rosenbrock(x, g);
  };
  EXPECT_THROW(run(throwing, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}}), std::domain_error);
  EXPECT_EQ(calls, 4);
}

TEST_P(EveryMethod, GivesTheSameBitsTwice) {
  const auto a = run(rosenbrock, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}});
  const auto b = run(rosenbrock, box(2, -5.0, 5.0), Vector{{-1.0, 1.0}});
  EXPECT_EQ(a.best.value, b.best.value);
  EXPECT_EQ(a.best.log_parameters, b.best.log_parameters);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

TEST_P(EveryMethod, DoesNotDependOnTheScaleOfTheCriterion) {
  for (const double scale : {1e-6, 1e6}) {
    const Objective inner = bowl(Vector{{1.0, -2.0}});
    const Objective scaled = [&](const Vector& x, bool g) {
      Evaluation at = inner(x, g);
      at.value *= scale;
      at.gradient *= scale;
      return at;
    };
    const auto r = run(scaled, box(2, -20.0, 20.0), Vector::Zero(2));
    EXPECT_NEAR(r.best.value / scale, 1.0, GetParam().close);
  }
}

TEST_P(EveryMethod, FindsANegativeMinimum) {
  const Objective inner = bowl(Vector{{1.0, -2.0}});
  const Objective lowered = [&](const Vector& x, bool g) {
    Evaluation at = inner(x, g);
    at.value -= 11.0;
    return at;
  };
  EXPECT_NEAR(run(lowered, box(2, -20.0, 20.0), Vector::Zero(2)).best.value, -10.0, GetParam().close);
}

TEST_P(EveryMethod, EndsOnAConstantCriterion) {
  const Objective flat = [](const Vector& x, bool g) {
    return Evaluation{2.0, g ? Vector(Vector::Zero(x.size())) : Vector()};
  };
  const auto r = run(flat, box(2, -5.0, 5.0), Vector::Zero(2));
  EXPECT_EQ(r.best.value, 2.0);
  EXPECT_LE(r.evaluations, 60);
}

TEST_P(EveryMethod, RefusesABoxThatIsEmptyInsideOutOrOfAnotherSize) {
  const auto f = bowl(Vector::Zero(2));
  EXPECT_THROW(run(f, {Vector(), Vector()}, Vector()), Error);
  EXPECT_THROW(run(f, box(2, 1.0, -1.0), Vector::Zero(2)), Error);
  EXPECT_THROW(run(f, box(2, -1.0, kInf), Vector::Zero(2)), Error);
  EXPECT_THROW(run(f, box(2, -1.0, 1.0), Vector::Zero(3)), Error);
  EXPECT_THROW(run(f, box(2, -1.0, 1.0), Vector::Zero(2), {.max_evaluations = 0}), Error);
}

}  // namespace every_method_test
}  // namespace lacuna

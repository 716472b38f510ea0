// The last digits of an optimum: equal problems, seen through rounding, end at the same point.
#include "lacuna/select/polish.hpp"

#include <gtest/gtest.h>

#include "lacuna/select/multi_start.hpp"
#include "lacuna/select/nelder_mead.hpp"
#include "tests/select/functions.hpp"

namespace lacuna {
namespace polish_test {

using namespace testing_functions;

// A valley that is flat along one direction: its bottom at (1, 2), where a descent stops for want of a fall.
Evaluation trough(const Vector& x, bool want_gradient) {
  const double across = x[0] + x[1] - 3.0, along = x[0] - x[1] + 1.0;
  Evaluation at{1.0 + across * across + 0.01 * along * along + 0.02 * across * along * along, {}};
  const double by_across = 2.0 * across + 0.02 * along * along, by_along = 0.02 * along + 0.04 * across * along;
  if (want_gradient) at.gradient = Vector{{by_across + by_along, by_across - by_along}};
  return at;
}

// What another order of summation does to a criterion.
Objective jittered(double size) {
  return [size](const Vector& x, bool want_gradient) {
    Evaluation at = trough(x, want_gradient);
    at.value *= 1.0 + size * std::sin(1e6 * x.sum());
    return at;
  };
}

TEST(Polish, FindsTheBottomOfAFlatValley) {
  const Box b = box(2, -20.0, 20.0);
  const auto r = multi_start(trough, b, {Vector{{-3.0, 3.5}}});
  EXPECT_EQ(r.best.stop, Stop::converged);
  EXPECT_NEAR(r.best.log_parameters[0], 1.0, 1e-5);
  EXPECT_NEAR(r.best.log_parameters[1], 2.0, 1e-5);
}

TEST(Polish, RoundingDoesNotMoveTheEnd) {
  const Box b = box(2, -20.0, 20.0);
  const Vector plain = multi_start(trough, b, {Vector{{-3.0, 3.5}}}).best.log_parameters;
  for (const double size : {1e-15, 1e-13, 1e-11}) {
    const Vector other = multi_start(jittered(size), b, {Vector{{-3.0, 3.5}}}).best.log_parameters;
    EXPECT_LT((plain - other).lpNorm<Eigen::Infinity>(), 1e-5) << size;
  }
}

TEST(Polish, StaysOnTheEdgeAndInsideTheBudget) {
  const Box b{Vector{{-20.0, -20.0}}, Vector{{0.5, 20.0}}};  // the bottom is outside
  const auto r = multi_start(trough, b, {Vector{{-3.0, 3.5}}});
  EXPECT_EQ(r.best.log_parameters[0], 0.5);
  EXPECT_EQ(r.best.stop, Stop::at_bound);
  // On the edge the bottom is where the second derivative vanishes.
  EXPECT_NEAR(trough(r.best.log_parameters, true).gradient[1], 0.0, 1e-5);
  const auto few = multi_start(trough, b, {Vector{{-3.0, 3.5}}}, {.max_evaluations = 8});
  EXPECT_LE(few.evaluations, 8);
}

TEST(Polish, DoesNothingWithoutGradients) {
  const Box b = box(2, -20.0, 20.0);
  Budget budget(trough, b, {}, {});
  Descent descent(budget);
  const Optimum found = nelder_mead_descent(descent, Vector{{0.0, 0.0}});
  const int spent = budget.evaluations();
  EXPECT_EQ(polish(budget, found).log_parameters, found.log_parameters);
  EXPECT_EQ(budget.evaluations(), spent);
}

}  // namespace polish_test
}  // namespace lacuna

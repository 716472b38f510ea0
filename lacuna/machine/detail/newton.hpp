// machine/detail/newton.hpp -- re-weighted least squares as a loop, for whatever core solves the least-squares
// problems: step, shorten until the objective falls, stop when the point solves its own problem or when double
// precision goes no further. A Problem has a Point and
//
//   double value(const Point&)                                       the objective
//   double slope(const Point& at, const Point& from, const Point& to)   its derivative at a point along a line
//   Working working(const Point&)         its least-squares problem: .stationarity, and .any: whether any row is in it
//   std::optional<Point> solve(const Point&, Working&, bool last)    the solution; none: not positive definite. After
//                                                                    the last one the problem keeps the fit.
//   Point between(const Point& from, const Point& to, double step)
//   std::optional<Point> chord(const Point&)     if there is one: a step with the last factor, which costs no new one;
//                                                none where there is no factor yet
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "lacuna/base/stop.hpp"

namespace lacuna::detail {

struct NewtonResult {
  Stop stop = Stop::not_finite;
  int factorisations = 0;
  double stationarity = 0.0;
  double objective = 0.0;
};

// Where the slope at Newton's point is still steep (a flat tail of the loss hides the optimum: the outputs of separable
// classes grow by about one a step), a little beyond it. Not far: where every row is in the tail nothing is left to
// see.
template <class Problem, class Point = typename Problem::Point>
Point further(const Problem& problem, const Point& p, const Point& newton) {
  constexpr double step = 2.0;
  Point next = problem.between(p, newton, step);
  return std::isfinite(problem.value(next)) && problem.slope(next, p, newton) <= 0.0 ? next : newton;
}

// The whole step to Newton's point when the objective falls and does not end rising steeply; else, by bisection, a step
// to where the slope has lost three quarters: any fall will not do, because a step across the valley of a loss with
// flat tails falls by next to nothing, and one that ends short of a squared hinge's margin leaves the next as short.
// Where the fall drowns in rounding the slope still tells: a convex function falls on a way that ends with slope <= 0.
// Where the slope drowns too, nothing can tell, and Newton's point is taken: rows that contradict one another exactly
// have the right outputs from the start, while their coefficients, which K does not see, are still to be found.
// None: no way down.
template <class Problem, class Point = typename Problem::Point>
std::optional<Point> downhill(const Problem& problem, const Point& p, double value, const Point& newton, bool early) {
  constexpr double rounding = 1e-13;
  const double before = std::abs(problem.slope(p, p, newton)), slack = 1e-9 * std::abs(value);
  if (before <= rounding * std::abs(value) && problem.value(newton) <= value + slack) return newton;
  double low = 0.0, high = 1.0, step = 1.0;
  for (int trial = 0; trial < 40; ++trial) {
    const Point next = step < 1.0 ? problem.between(p, newton, step) : newton;
    const double next_value = problem.value(next), after = problem.slope(next, p, newton);
    const bool falls = std::isfinite(next_value) && (after <= 0.0 || next_value <= value + slack);
    if (!(falls && after <= 0.25 * before))
      high = step;
    else if (step < 1.0 && after < -0.25 * before)
      low = step;
    else
      return step < 1.0 || !early || after >= -0.1 * before ? next : further(problem, p, newton);
    step = 0.5 * (low + high);
  }
  return low > 0.0 ? std::optional<Point>(problem.between(p, newton, low)) : std::nullopt;
}

// Below this stationarity steps with an old factor are worth a try.
inline constexpr double near_enough = 0.3;
// Steps that may go beyond Newton's.
inline constexpr int early_steps = 3;

// Steps with the last factor, for as long as each takes away three quarters of what is left. They are cheap and go well
// beyond the tolerance: what is left shows as noise in the criterion, and a line search stumbles over that.
template <class Problem, class Point = typename Problem::Point, class Working = typename Problem::Working>
void polish(const Problem& problem, Point& p, Working& w, double tolerance) {
  if constexpr (requires { problem.chord(p); })
    while (w.stationarity > 1e-3 * tolerance && w.stationarity < near_enough) {
      auto better = problem.chord(p);
      if (!better) return;
      auto w_better = problem.working(*better);
      if (!(w_better.stationarity < 0.25 * w.stationarity)) return;
      p = std::move(*better);
      w = std::move(w_better);
    }
}

// Tolerances from here down ask for all that the gradient has to say, which is more than the objective's digits show.
inline constexpr double settled = 1e-13;

template <class Problem>
NewtonResult newton(Problem& problem, typename Problem::Point p, int max_iterations, double tolerance) {
  NewtonResult out;
  auto w = problem.working(p);
  polish(problem, p, w, tolerance);  // a warm start leaves a factor
  double value = problem.value(p);
  bool solved = false;  // the next factorisation is the one that is kept
  for (int k = 0; k < max_iterations && std::isfinite(value); ++k) {
    solved = solved || w.stationarity <= tolerance;
    if (!w.any) break;  // every row is beyond the margin: nothing pulls any more
    const auto solution = problem.solve(p, w, solved);
    ++out.factorisations;
    if (!solution) {
      out.stop = Stop::not_positive_definite;
      return out;
    }
    out.stationarity = w.stationarity;
    out.objective = value;
    if (solved) {
      out.stop = Stop::converged;
      return out;
    }
    if (tolerance <= settled && w.stationarity < 1e-6) {  // Newton's step whole, for as long as it gains
      auto w_newton = problem.working(*solution);
      solved = !(w_newton.stationarity < 0.5 * w.stationarity);
      if (solved) continue;
      p = *solution;
      w = std::move(w_newton);
      value = problem.value(p);
      continue;
    }
    auto next = downhill(problem, p, value, *solution, k < early_steps);
    if (!next) {
      solved = w.stationarity < 1e-6;  // rounding has the last word
      if (!solved) break;
      continue;
    }
    auto w_next = problem.working(*next);
    polish(problem, *next, w_next, tolerance);
    // No further progress although close: this is as far as double precision goes.
    if (w.stationarity < 1e-7 && w_next.stationarity > 0.5 * w.stationarity) {
      solved = true;
      if (w_next.stationarity > w.stationarity) continue;
    }
    p = std::move(*next);
    w = std::move(w_next);
    value = problem.value(p);
  }
  out.stop = std::isfinite(value) && w.any ? Stop::max_evaluations : Stop::not_finite;
  return out;
}

}  // namespace lacuna::detail

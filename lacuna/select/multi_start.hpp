// select/multi_start.hpp -- the default search. Criteria are not unimodal (method 11), and most of their local optima
// are either far apart or not worth having:
//
//   1. evaluate every given start (values only: a third of the price of a gradient);
//   2. descend from the best of them;
//   3. descend from the best of those that are apart from every earlier start (by a factor 12 in some parameter) and
//      from every optimum found (by a factor 2.5), three descents in all;
//   4. leave a later descent early when it arrives at a known optimum, or when it is still above the best one by more
//      than twice what its last evaluations gained;
//   5. descend from starts, too, whose kernel is narrower than that of every optimum found (by a factor 12 in theta)
//   and
//      whose value is within a quarter of the best: a fast wave on a trend lies in a hollow that nothing wider sees.
//
// Deterministic; nothing in it is random. Typical cost for (lambda, theta): 35 evaluations, 23 of them with gradient.
#pragma once

#include <limits>
#include <vector>

#include "lacuna/select/budget.hpp"
#include "lacuna/select/lbfgs.hpp"

namespace lacuna {

/// Further starts, which are looked at only if no other is well below this value.
struct Reserve {
  std::vector<Vector> points = {};
  double unless_below = std::numeric_limits<double>::infinity();
};

/// What is known beforehand.
struct Known {
  Reserve reserve = {};
  bool near = false;      ///< the starts are about optima, the likeliest first: descents from the best of them, and
                          ///< those that are nearly as good
  Matrix curvature = {};  ///< the inverse Hessian there; empty: unknown, or no gradient to use it with
  std::vector<Index> scales = {};  ///< which parameters are inverse squared widths
};

/// `method` is lbfgs_descent, scg_descent, nelder_mead_descent or one of the caller's own. One start: one descent.
/// Requires: at least one start. Promises: every optimum reached is reported, best first,
/// and so is the best point of a descent that was left early (with Stop::none) unless it is near another.
SearchResult multi_start(const Objective& objective, const Box& box, const std::vector<Vector>& starts,
                         const SearchOptions& options = {}, const Observer& observer = {},
                         const DescentMethod& method = lbfgs_descent, const Known& known = {});

}  // namespace lacuna

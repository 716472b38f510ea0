// select/objective.hpp -- select/ chooses hyper-parameters. A search sees only this: a function of log-parameters in a
// box, with or without its gradient, and a budget. What is minimised is assembled in select.cpp.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/observer.hpp"
#include "lacuna/base/stop.hpp"
#include "lacuna/select/search_method.hpp"

namespace lacuna {

/// The criterion at one point. Not finite: the point is outside what the arithmetic can do (never an exception).
struct Evaluation {
  double value = std::numeric_limits<double>::infinity();
  Vector gradient = {};  ///< in the log-parameters; empty when it was not asked for
};

/// P(log-parameters); the gradient is computed only when `want_gradient`.
using Objective = std::function<Evaluation(const Vector& log_parameters, bool want_gradient)>;

/// The box of log-parameters. Requires lower < upper everywhere.
struct Box {
  Vector lower, upper;
};

/// One local optimum (or the best point of one descent; Stop::none: left early, as it could not beat the best).
struct Optimum {
  Vector log_parameters;
  double value = std::numeric_limits<double>::infinity();
  Stop stop = Stop::none;
};

struct SearchResult {
  Stop stop = Stop::none;  ///< of the search as a whole; at_bound when the best point sits on the box
  Optimum best;
  std::vector<Optimum> optima;        ///< every one found, best first, near-duplicates merged
  std::vector<Optimum> visited = {};  ///< the points evaluated, in order; those that are walls apart
  int evaluations = 0;                ///< of the criterion, all starts counted
  int gradients = 0;                  ///< how many of them came with a gradient
  Matrix curvature = {};              ///< inverse Hessian at the best, as gradients near it tell; empty: unknown
  int descents = 0;                   ///< how many were begun
  int given_up = 0;  ///< how many of them were left because they led to a known optimum or to no better
  bool usable() const { return std::isfinite(best.value); }
};

}  // namespace lacuna

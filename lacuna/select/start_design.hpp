// select/start_design.hpp -- where to look first: a small log grid of (regulariser, kernel scale) about the start.
//
// As theta -> 0 the RBF machine turns into the linear one with ridge lambda/(2 theta) (method 11): what matters there
// is lambda/theta. The grid is therefore sheared below theta_0, so that one of its rows follows that valley:
//
//   theta/theta_0 in 10^{-2, -0.7, 0, 0.7},   lambda/lambda_0 in 10^{0, -1.2, -2.7} * min(1, theta/theta_0)
//
// Four more are far narrower: a fast wave under a slow one has its optimum two or three powers of ten above theta_0, in
// a hollow that nothing wider sees.
//
//   theta/theta_0 = 10^2, 10^2, 10^2.8, 10^2.8,   lambda/lambda_0 = 10^0, 10^-1.2, 10^0.4, 10^-0.6
//
// Where neighbours are nearer still (many rows of one feature, clusters far apart), every power of ten up to the width
// that tells neighbours apart is looked at, with the last two of these regularisers.
//
// All scales (the widths of an ARD kernel, or of the parts of a sum) move together; other parameters stay put.
// One kind alone gets five points of its own. The start itself is always the first point.
//
// Parts of a kernel that could change places begin a factor of ten apart (detail/apart.hpp). Two length scales of data
// are often a thousand times as far apart in theta, and a descent seldom finds the way. So every regulariser above (or
// none) is also tried with factors of 100, 1000 and 10,000 from one such part to the next, the first of them staying
// where it is.
#pragma once

#include <optional>
#include <vector>

#include "lacuna/select/objective.hpp"

namespace lacuna {

/// The parameters to search: where, from where, and which of them are what.
struct SearchSpace {
  Box box;
  Vector start;                                     ///< theta_0, lambda_0 and so on, as logarithms
  std::optional<Index> regulariser = std::nullopt;  ///< which parameter is log(lambda), if it is searched
  std::vector<Index> scales = {};                   ///< which are inverse squared widths (theta), if any
  double neighbours = 0.0;                          ///< log(theta / theta_0) at which neighbours are told apart
  Vector places = {};  ///< 0, 1, 2 ... of parameters whose parts could change places, else 0; empty: there are none
  std::vector<Vector> near = {};                 ///< optima are about here: begin at them and nowhere else
  Matrix curvature = {};                         ///< the inverse Hessian there; empty: unknown
  std::optional<double> nothing = std::nullopt;  ///< the criterion of one answer for all rows
};

/// The points to evaluate before descending, all in the box.
std::vector<Vector> start_design(const SearchSpace& space);
/// Where to look when none of them knows more than nothing: next to no regulariser, at theta_0 and far below. One huge
/// outlier squeezes all other rows into a place that only such a machine resolves.
std::vector<Vector> far_starts(const SearchSpace& space);

/// Evaluations to allow when the caller does not say: 60 for up to three parameters, then 60 + 10 a parameter.
int default_max_evaluations(Index parameters);
/// The same, and those that near neighbours and interchangeable parts add to the design.
int default_max_evaluations(const SearchSpace& space);

}  // namespace lacuna

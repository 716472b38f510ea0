// tests/support/lbfgs.hpp -- a minimiser that shares nothing with the library's: limited-memory BFGS on first
// derivatives only, in extended precision, so that the comparison is limited by what is tested and not by the oracle.
#pragma once

#include <Eigen/Dense>
#include <functional>

namespace lacuna::testing {

using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
/// Value at x, and the gradient there into g.
using Smooth = std::function<long double(const LongVector& x, LongVector& g)>;

struct Minimum {
  LongVector x;
  long double value = 0.0L;
  long double left = 0.0L;  ///< g'Hg/2 with H the inverse Hessian as BFGS knows it: what is still to be gained, about
  int iterations = 0;
};

/// Of a convex function. Ends when less than `tolerance` is left to be gained or the line search cannot tell any more.
Minimum lbfgs(const Smooth& f, LongVector x, long double tolerance, int max_iterations = 3000);

}  // namespace lacuna::testing

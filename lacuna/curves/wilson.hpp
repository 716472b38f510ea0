// curves/wilson.hpp -- curves/ is what held-out rows look like as curves, with how sure each is: reliability, ranking,
// cuts, learning, the criterion around its optimum, quantile residuals. This file: how sure a share is (Wilson 1927),
//
//   centre = (p + z^2/2n)/(1 + z^2/n),   half = z sqrt(p(1 - p)/n + z^2/4n^2)/(1 + z^2/n),   z = 1.96
//
// which stays between 0 and 1 and has a width even where all rows agree.
#pragma once

#include <algorithm>
#include <cmath>

namespace lacuna {

struct ShareInterval {
  double lower = 0.0, upper = 1.0;
};
/// A normal number lies so many standard errors from its mean, at most, in 95 of 100 cases.
inline constexpr double standard_errors_of_95 = 1.959963984540054;

/// 95 %, of `hits` out of n rows; everything where there are none.
inline ShareInterval wilson(double hits, double n) {
  constexpr double z = standard_errors_of_95;
  if (!(n > 0.0)) return {};
  const double p = std::clamp(hits / n, 0.0, 1.0), stretch = 1.0 + z * z / n;
  const double centre = (p + z * z / (2.0 * n)) / stretch;
  const double half = z * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / stretch;
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace lacuna

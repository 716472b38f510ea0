// tests/support/difference.hpp -- the oracle for every gradient.
#pragma once

#include <functional>

namespace lacuna::testing {

// Fourth-order central differences: with h = 2e-4 the truncation error (~h^4) and the rounding error (~eps P / h) are
// both far below the tolerance.
inline double difference(const std::function<double(double)>& f) {
  const double h = 2e-4;
  return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
}

}  // namespace lacuna::testing

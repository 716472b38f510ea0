// kernel/slope.hpp -- derivatives of k(x, y) in x: how steep a machine is along each of its inputs (method 15).
//
//   u = ||x - y||^2                     dk/dx = 2 k'(u) (x - y)
//   u = sum_k theta_k (x_k - y_k)^2     dk/dx_k = 2 theta_k k'(u) (x_k - y_k)
//   u = x . y                           dk/dx = k'(u) y
// Sums and products follow the rules of differentiation, and weighed inputs multiply by their weights.
#pragma once

#include <span>
#include <vector>

#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

/// Whether a kernel has a derivative in u.
template <class K>
concept HasSlope = (kernels::Elementwise<K> && kernels::HasScale<K>) || requires(const K& k) {
  k.d_u(0.0, 0.0);
};
/// dk/du where k = value(u). An inverse squared width multiplies u, so that u dk/du is the derivative in its logarithm;
/// at u = 0, where some kernels have no slope, x - x' = 0 takes it away, and it counts as 0.
template <HasSlope K>
double slope_in_u(const K& kernel, double u, double k) {
  if constexpr (requires { kernel.d_u(u, k); })
    return kernel.d_u(u, k);
  else
    return u > 0.0 ? kernel.d_log(int(K::scale), u, k) / u : 0.0;
}

/// dk(x, y)/dx_k for each feature k. Requires has_slopes().
std::vector<double> pair_slope(const Kernel& kernel, std::span<const double> x, std::span<const double> y);
/// Whether k(x, y) has derivatives in x that are known: all but precomputed kernels and those that users write.
bool has_slopes(const Kernel& kernel);

}  // namespace lacuna

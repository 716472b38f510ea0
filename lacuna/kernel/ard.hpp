// kernel/ard.hpp -- Gaussian kernel with a relevance for each feature, k(x, x') = exp(-sum_k theta_k (x_k - x'_k)^2).
// The theta_k are searched as logarithms; a feature that does not matter gets a tiny one.
#pragma once

#include <vector>

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct Ard {
  std::vector<double> theta;  ///< one for each feature; empty until the number of features is known

  static constexpr std::string_view id = "ard";
  static constexpr Geometry geometry = Geometry::scaled_distance;

  /// In u = sum_k theta_k (x_k - x'_k)^2; the chain rule to each theta_k belongs to the geometry.
  template <class Number>
  Number value(Number u) const {
    using std::exp;
    return exp(-u);
  }
  double d_u(double, double k) const { return -k; }
};

}  // namespace lacuna::kernels

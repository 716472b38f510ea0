// kernel/detail/pairs.hpp -- what the plain formulas over one pair of rows share.
#pragma once

#include <span>
#include <vector>

#include "lacuna/kernel/kernel.hpp"

namespace lacuna::detail {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;  // Clang 14 does not deduce it

inline double coordinate(kernels::Geometry geometry, std::span<const double> x, std::span<const double> y,
                         Index column) {
  double u = 0.0;
  switch (geometry) {
    case kernels::Geometry::dot:
      for (std::size_t k = 0; k < x.size(); ++k) u += x[k] * y[k];
      return u;
    case kernels::Geometry::distance:
      for (std::size_t k = 0; k < x.size(); ++k) u += (x[k] - y[k]) * (x[k] - y[k]);
      return u;
    case kernels::Geometry::given:
      return x[std::size_t(column)];
    default:
      return u;
  }
}

inline double scaled_distance(const kernels::Ard& k, std::span<const double> x, std::span<const double> y) {
  double u = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) u += k.theta[j] * (x[j] - y[j]) * (x[j] - y[j]);
  return u;
}

inline std::vector<double> weighed(std::span<const double> x, const std::vector<double>& weights) {
  std::vector<double> out(x.begin(), x.end());
  for (std::size_t k = 0; k < weights.size(); ++k) out[k] *= weights[k];
  return out;
}

}  // namespace lacuna::detail

// kernel/rbf.hpp -- Gaussian kernel, k(x, x') = exp(-theta ||x - x'||^2). theta = 1/(2 sigma^2).
#pragma once

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct Rbf {
  double theta = 1.0;

  static constexpr std::string_view id = "rbf";
  static constexpr Geometry geometry = Geometry::distance;
  static constexpr std::array<std::string_view, 1> names{"theta"};
  static constexpr std::array<double Rbf::*, 1> members() { return {&Rbf::theta}; }
  static constexpr std::size_t scale = 0;
  static std::array<double, 1> start(const DataScale& data) { return {data.theta}; }

  template <class Number>
  Number value(Number sq_dist) const {
    using std::exp;
    return exp(-theta * sq_dist);
  }
  double d_log(int, double sq_dist, double k) const { return -theta * sq_dist * k; }
};

}  // namespace lacuna::kernels

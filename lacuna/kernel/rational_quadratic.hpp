// kernel/rational_quadratic.hpp -- k(x, x') = (1 + theta ||x - x'||^2 / alpha)^-alpha: Gaussians of many widths mixed;
// the Gaussian kernel itself as alpha goes to infinity. theta, alpha > 0 searched as logarithms.
#pragma once

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct RationalQuadratic {
  double theta = 1.0;
  double alpha = 1.0;

  static constexpr std::string_view id = "rq";
  static constexpr Geometry geometry = Geometry::distance;
  static constexpr std::array<std::string_view, 2> names{"theta", "alpha"};
  static constexpr std::array<double RationalQuadratic::*, 2> members() {
    return {&RationalQuadratic::theta, &RationalQuadratic::alpha};
  }
  static constexpr std::size_t scale = 0;
  static std::array<double, 2> start(const DataScale& data) { return {data.theta, 1.0}; }

  template <class Number>
  Number value(Number sq_dist) const {
    using std::exp, std::log1p;
    return exp(-alpha * log1p(theta * sq_dist / alpha));
  }
  double d_log(int parameter, double sq_dist, double k) const {
    const double v = theta * sq_dist / alpha;
    return parameter == 0 ? -alpha * v / (1.0 + v) * k : alpha * k * (v / (1.0 + v) - std::log1p(v));
  }
};

}  // namespace lacuna::kernels

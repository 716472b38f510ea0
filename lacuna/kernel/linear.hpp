// kernel/linear.hpp -- k(x, x') = x . x'. No parameters.
#pragma once

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct Linear {
  static constexpr std::string_view id = "linear";
  static constexpr Geometry geometry = Geometry::dot;
  static constexpr std::array<std::string_view, 0> names{};
  static constexpr std::array<double Linear::*, 0> members() { return {}; }
  static std::array<double, 0> start(const DataScale&) { return {}; }

  template <class Number>
  Number value(Number dot) const {
    return dot;
  }
  double d_log(int, double, double) const { return 0.0; }
  double d_u(double, double) const { return 1.0; }
};

}  // namespace lacuna::kernels

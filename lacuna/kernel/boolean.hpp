// kernel/boolean.hpp -- k(x, x') = (1 + eta)^(x . x'): on 0/1 rows, a sum over all conjunctions of features that both
// rows satisfy, one of n literals weighted eta^n. eta > 0 searched as log(eta).
#pragma once

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct Boolean {
  double eta = 1.0;

  static constexpr std::string_view id = "boolean";
  static constexpr Geometry geometry = Geometry::dot;
  static constexpr std::array<std::string_view, 1> names{"eta"};
  static constexpr std::array<double Boolean::*, 1> members() { return {&Boolean::eta}; }
  static std::array<double, 1> start(const DataScale& scale) { return {1.0 / scale.dot}; }

  template <class Number>
  Number value(Number dot) const {
    using std::exp;
    return exp(dot * std::log1p(eta));
  }
  double d_log(int, double dot, double k) const { return dot * eta / (1.0 + eta) * k; }
  double d_u(double, double k) const { return std::log1p(eta) * k; }
};

}  // namespace lacuna::kernels

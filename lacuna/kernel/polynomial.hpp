// kernel/polynomial.hpp -- k(x, x') = (x . x' + c)^degree, c > 0 searched as log(c), degree a fixed whole number.
#pragma once

#include "lacuna/kernel/geometry.hpp"
#include "lacuna/kernel/whole.hpp"

namespace lacuna::kernels {

struct Polynomial {
  double c = 1.0;
  int degree = 2;

  static constexpr std::string_view id = "poly";
  static constexpr Geometry geometry = Geometry::dot;
  static constexpr std::array<std::string_view, 1> names{"c"};
  static constexpr std::array<double Polynomial::*, 1> members() { return {&Polynomial::c}; }
  static constexpr Whole<Polynomial> whole() { return {"degree", &Polynomial::degree, 1, 20}; }
  static constexpr std::array<Shorthand, 2> shorthands{{{"poly2", 2}, {"poly3", 3}}};
  static std::array<double, 1> start(const DataScale& scale) { return {scale.dot}; }

  template <class Number>
  Number value(Number dot) const {
    return power(dot + c, degree);
  }
  double d_log(int, double dot, double k) const { return c * d_u(dot, k); }
  double d_u(double dot, double) const { return degree * (degree == 1 ? 1.0 : power(dot + c, degree - 1)); }

 private:
  template <class Number>
  static Number power(Number t, int n) {  // the common ones without a call to pow
    using std::pow;
    return n == 1 ? t : n == 2 ? t * t : n == 3 ? t * t * t : pow(t, double(n));
  }
};

}  // namespace lacuna::kernels

// criterion/hinge.hpp -- max(0, 1 - y_i z_i) and its square: what lies inside or beyond the margin.
#pragma once

#include <algorithm>

#include "lacuna/criterion/score.hpp"

namespace lacuna {

struct Hinge {
  static constexpr std::string_view id = "hinge";
  static constexpr Judges judges = Judges::margin;
  static constexpr bool differentiable = true;

  static double value(double z, double y) { return std::max(0.0, 1.0 - y * z); }
  static double slope(double z, double y) { return y * z < 1.0 ? -y : 0.0; }
  static CriterionScore score(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&) {
    return mean_over_rows(z, truth, want_derivative, Hinge{});
  }
};

struct HingeSquared {
  static constexpr std::string_view id = "hinge2";
  static constexpr Judges judges = Judges::margin;
  static constexpr bool differentiable = true;

  static double value(double z, double y) { return Hinge::value(z, y) * Hinge::value(z, y); }
  static double slope(double z, double y) { return -2.0 * y * Hinge::value(z, y); }
  static CriterionScore score(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&) {
    return mean_over_rows(z, truth, want_derivative, HingeSquared{});
  }
};

}  // namespace lacuna

// criterion/press.hpp -- predicted residual sum of squares, as a mean: (t_i - z_i)^2.
#pragma once

#include "lacuna/criterion/score.hpp"

namespace lacuna {

struct Press {
  static constexpr std::string_view id = "press";
  static constexpr Judges judges = Judges::residual;
  static constexpr bool differentiable = true;

  static double value(double z, double t) { return (t - z) * (t - z); }
  static double slope(double z, double t) { return -2.0 * (t - z); }
  static CriterionScore score(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&) {
    return mean_over_rows(z, truth, want_derivative, Press{});
  }
};

}  // namespace lacuna

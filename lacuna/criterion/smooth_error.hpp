// criterion/smooth_error.hpp -- the error rate with its step smoothed: sigma(-g y_i z_i), sigma(x) = 1/(1 + e^-x).
#pragma once

#include <cmath>

#include "lacuna/criterion/score.hpp"

namespace lacuna {

struct SmoothError {
  static constexpr std::string_view id = "smooth-error";
  static constexpr Judges judges = Judges::margin;
  static constexpr bool differentiable = true;

  double gain;
  double value(double z, double y) const { return 1.0 / (1.0 + std::exp(gain * y * z)); }
  double slope(double z, double y) const {
    const double s = value(z, y);
    return -gain * y * s * (1.0 - s);
  }
  static CriterionScore score(const Matrix& z, const Truth& truth, bool want_derivative,
                              const CriterionOptions& options) {
    return mean_over_rows(z, truth, want_derivative, SmoothError{options.gain});
  }
};

}  // namespace lacuna

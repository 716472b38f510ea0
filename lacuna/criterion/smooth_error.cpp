// criterion/smooth_error.cpp -- the error rate with its step smoothed: sigma(-g y_i z_i), sigma(x) = 1/(1 + e^-x).
#include <cmath>

#include "lacuna/criterion/scores.hpp"

namespace lacuna {
namespace {

struct SmoothError {
  double gain;
  double value(double z, double y) const { return 1.0 / (1.0 + std::exp(gain * y * z)); }
  double slope(double z, double y) const {
    const double s = value(z, y);
    return -gain * y * s * (1.0 - s);
  }
};

}  // namespace

Score smooth_error(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions& options) {
  return mean_over_rows(z, truth, want_derivative, SmoothError{options.gain});
}

}  // namespace lacuna

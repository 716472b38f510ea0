// criterion/press.cpp -- predicted residual sum of squares, as a mean: (t_i - z_i)^2.
#include "lacuna/criterion/scores.hpp"

namespace lacuna {
namespace {

struct Press {
  static double value(double z, double t) { return (t - z) * (t - z); }
  static double slope(double z, double t) { return -2.0 * (t - z); }
};

}  // namespace

Score press(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&) {
  return mean_over_rows(z, truth, want_derivative, Press{});
}

}  // namespace lacuna

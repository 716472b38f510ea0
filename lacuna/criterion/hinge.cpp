// criterion/hinge.cpp -- max(0, 1 - y_i z_i) and its square: what lies inside or beyond the margin.
#include <algorithm>

#include "lacuna/criterion/scores.hpp"

namespace lacuna {
namespace {

struct Hinge {
  static double value(double z, double y) { return std::max(0.0, 1.0 - y * z); }
  static double slope(double z, double y) { return y * z < 1.0 ? -y : 0.0; }
};

struct HingeSquared {
  static double value(double z, double y) { return Hinge::value(z, y) * Hinge::value(z, y); }
  static double slope(double z, double y) { return -2.0 * y * Hinge::value(z, y); }
};

}  // namespace

Score hinge(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&) {
  return mean_over_rows(z, truth, want_derivative, Hinge{});
}

Score squared_hinge(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&) {
  return mean_over_rows(z, truth, want_derivative, HingeSquared{});
}

}  // namespace lacuna

// Criteria of known shape, in log-parameters, for the tests of the searches.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "lacuna/select/objective.hpp"

namespace lacuna::testing_functions {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline Box box(Index n, double lower, double upper) { return {Vector::Constant(n, lower), Vector::Constant(n, upper)}; }

/// 1 + sum (k + 1) (x_k - centre_k)^2: a smooth bowl with minimum 1.
inline Objective bowl(Vector centre) {
  return [centre = std::move(centre)](const Vector& x, bool want_gradient) {
    const Vector w = Vector::LinSpaced(x.size(), 1.0, double(x.size()));
    const Vector r = x - centre;
    Evaluation at{1.0 + r.dot(w.cwiseProduct(r)), {}};
    if (want_gradient) at.gradient = 2.0 * w.cwiseProduct(r);
    return at;
  };
}

/// 1 + 10 (y - x^2)^2 + (1 - x)^2: Rosenbrock's banana with a floor, minimum 1 at (1, 1).
inline Evaluation rosenbrock(const Vector& x, bool want_gradient) {
  const double a = x[1] - x[0] * x[0], b = 1.0 - x[0];
  Evaluation at{1.0 + 10.0 * a * a + b * b, {}};
  if (want_gradient) at.gradient = Vector{{-40.0 * a * x[0] - 2.0 * b, 20.0 * a}};
  return at;
}

/// The valley of near-linear data (method 11): (log lambda, log theta), falling ever more slowly along
/// lambda ~ theta as theta -> 0, with steep sides.  P = 0.4 + (l - t)^2/50 + 0.05/(1 + e^{-t - 2}).
inline Evaluation valley(const Vector& x, bool want_gradient) {
  const double across = x[0] - x[1];
  const double s = 1.0 / (1.0 + std::exp(-x[1] - 2.0));
  Evaluation at{0.4 + across * across / 50.0 + 0.05 * s, {}};
  if (want_gradient) at.gradient = Vector{{across / 25.0, -across / 25.0 + 0.05 * s * (1.0 - s)}};
  return at;
}

/// 1 - sum_k depth_k exp(-|x - centre_k|^2 / (2 width^2)): hollows in a plain.
struct Hollow {
  Vector centre;
  double depth;
};
inline Objective hollows(std::vector<Hollow> list, double width) {
  return [list = std::move(list), width](const Vector& x, bool want_gradient) {
    Evaluation at{1.0, want_gradient ? Vector(Vector::Zero(x.size())) : Vector()};
    for (const auto& [centre, depth] : list) {
      const double e = depth * std::exp(-0.5 * (x - centre).squaredNorm() / (width * width));
      at.value -= e;
      if (want_gradient) at.gradient += e / (width * width) * (x - centre);
    }
    return at;
  };
}

}  // namespace lacuna::testing_functions

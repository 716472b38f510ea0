#include "lacuna/base/weight_unit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lacuna {
namespace {

// To 2^-33 of itself: far more than the rounding of a product and a quotient, and nothing that an answer would show.
double rounded(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 33)), exponent - 33);
}

// A unit is looked for among the ten-thousandths of a weight. The bound is no ratio of two whole numbers that a table
// holds, so that rounding never decides on which side of it a weight lies.
constexpr double finest = 1.0 / 10'000.318;

// Euclid's algorithm for numbers that are multiples of one another but for rounding; 0: they have no common measure to
// speak of.
double common_measure(double a, double b) {
  const double rounding = 1e-10 * std::max(a, b), least = finest * std::max(a, b);
  if (std::min(a, b) < least) return 0.0;
  while (b > rounding) {
    double rest = std::fmod(a, b);
    if (rest > b - rounding) rest = 0.0;
    a = std::exchange(b, rest);
    if (a < least) return 0.0;
  }
  return a;
}

// Euclid's subtractions cost the measure its last digits; the least weight is a multiple of it.
double measured(double a, double b, double least) {
  const double measure = common_measure(a, b);
  return measure > 0.0 ? least / std::nearbyint(least / measure) : 0.0;
}

}  // namespace

void WeightUnit::add(const Vector& weights) {
  double least = std::numeric_limits<double>::infinity();
  for (const double w : weights)
    if (w > 0.0) least = std::min(least, w);
  if (!std::isfinite(least)) return;
  WeightUnit these;
  these.least_ = these.measure_ = least;
  these.largest_ = weights.maxCoeff();
  for (Index i = 0; i < weights.size() && these.measure_ > 0.0; ++i)
    if (weights[i] > 0.0) these.measure_ = measured(weights[i], these.measure_, least);
  add(these);
}

void WeightUnit::add(const WeightUnit& others) {
  if (others.least_ == 0.0) return;
  if (least_ == 0.0) {
    *this = others;
    return;
  }
  least_ = std::min(least_, others.least_);
  largest_ = std::max(largest_, others.largest_);
  measure_ = measure_ > 0.0 && others.measure_ > 0.0 ? measured(measure_, others.measure_, least_) : 0.0;
}

double WeightUnit::value() const { return least_ == 0.0 ? 1.0 : measure_ > 0.0 ? measure_ : largest_; }

double without_unit(double weight, double unit) { return rounded(weight / unit); }

}  // namespace lacuna

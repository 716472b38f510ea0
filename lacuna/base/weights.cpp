#include "lacuna/base/weights.hpp"

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

}  // namespace

double take_unit_out(Vector& weights) {
  double least = std::numeric_limits<double>::infinity();
  for (const double w : weights)
    if (w > 0.0) least = std::min(least, w);
  if (!std::isfinite(least)) return 1.0;
  double unit = least;
  for (Index i = 0; i < weights.size() && unit > 0.0; ++i) {
    if (weights[i] > 0.0) unit = common_measure(weights[i], unit);
    // Euclid's subtractions cost the measure its last digits; the least weight is a multiple of it.
    if (unit > 0.0) unit = least / std::nearbyint(least / unit);
  }
  if (!(unit > 0.0)) unit = weights.maxCoeff();
  for (double& w : weights) w = rounded(w / unit);
  return unit;
}

double weight_of_one_row(const Vector& weights) {
  const double unit = weights.maxCoeff();  // squares must neither overflow nor vanish
  return unit * (weights / unit).squaredNorm() / (weights / unit).sum();
}

double rows_counted(const Vector& weights) { return weights.sum() / weight_of_one_row(weights); }

Vector gathered(const Vector& weights, const std::vector<Index>& first) {
  if (first.empty()) return weights;
  Vector out = Vector::Zero(weights.size());
  for (Index i = 0; i < weights.size(); ++i) out[first[std::size_t(i)]] += weights[i];
  return out;
}

double value_at_weight(std::vector<std::pair<double, double>>& value_weight, double weight) {
  const double each = value_weight.front().second;
  const auto same = [&](const auto& one) { return one.second == each; };
  if (each > 0.0 && std::all_of(value_weight.begin(), value_weight.end(), same)) {  // no need to sort all of them
    const double slack = weight_rounding * double(value_weight.size());
    const double rank = std::clamp(std::ceil(weight / each - slack), 1.0, double(value_weight.size()));
    const auto at = value_weight.begin() + std::ptrdiff_t(rank) - 1;
    std::nth_element(value_weight.begin(), at, value_weight.end());
    return at->first;
  }
  std::sort(value_weight.begin(), value_weight.end());
  double total = 0.0, seen = 0.0;
  for (const auto& [value, w] : value_weight) total += w;
  for (const auto& [value, w] : value_weight) {
    seen += w;
    if (w > 0.0 && seen >= weight - weight_rounding * total) return value;
  }
  const auto last =
      std::find_if(value_weight.rbegin(), value_weight.rend(), [](const auto& p) { return p.second > 0.0; });
  return last == value_weight.rend() ? value_weight.back().first : last->first;
}

}  // namespace lacuna

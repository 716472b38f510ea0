#include "lacuna/data/standardise.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

constexpr double negligible = 1e-15;

double largest(std::span<const double> x) {
  double most = 0.0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

// Moments of x among rows of total weight `all_weight` (in units of `unit_weight`), zero in the rows not listed.
Moments moments(std::span<const double> x, std::span<const double> weights, double unit_weight, double all_weight) {
  const double a = largest(x);
  if (a == 0.0) return {.constant = true};
  const auto w = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i] / unit_weight; };
  double listed = 0.0, mean = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    listed += w(i);
    mean += w(i) * (x[i] / a);
  }
  mean /= all_weight;
  double variance = std::max(0.0, all_weight - listed) * mean * mean;  // rows not listed are at distance |mean|
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double deviation = x[i] / a - mean;
    variance += w(i) * deviation * deviation;
  }
  const double deviation = std::sqrt(variance / all_weight);
  Moments out{.centre = a * mean, .scale = a * deviation, .constant = false};
  // The smallest numbers have no deviation above zero to divide by.
  if (deviation <= negligible || out.scale == 0.0) out = {.centre = out.centre, .scale = 1.0, .constant = true};
  return out;
}

}  // namespace

Moments weighted_moments(std::span<const double> x, std::span<const double> weights) {
  if (x.empty()) return {.constant = true};
  const double unit = weights.empty() ? 1.0 : largest(weights);
  double all = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) all += weights.empty() ? 1.0 : weights[i] / unit;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  if (*low == *high) return {.centre = *low, .scale = 1.0, .constant = true};
  return moments(x, weights, unit, all);
}

Moments sparse_moments(std::span<const double> x, std::span<const double> weights, double all_weight) {
  return moments(x, weights, 1.0, all_weight);
}

Moments indicator_moments(double share) {
  const double deviation = std::sqrt(std::max(0.0, share * (1.0 - share)));
  if (deviation <= negligible) return {.centre = share, .scale = 1.0, .constant = true};
  return {.centre = share, .scale = deviation, .constant = false};
}

}  // namespace lacuna

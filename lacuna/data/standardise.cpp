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

}  // namespace

Moments weighted_moments(std::span<const double> x, std::span<const double> weights) {
  if (x.empty()) return {.constant = true};
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  if (*low == *high) return {.centre = *low, .scale = 1.0, .constant = true};
  const double unit = power_of_two(largest(weights));
  const auto w = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i] / unit; };
  ExactSum all;
  MomentSums sums;
  for (const double v : x) sums.measure(v);
  for (std::size_t i = 0; i < x.size(); ++i) {
    all.add(w(i));
    sums.add(x[i], w(i));
  }
  sums.settle(all.value());
  for (std::size_t i = 0; i < x.size(); ++i) sums.spread(x[i], w(i));
  return sums.moments();
}

Moments moments_of_sums(const ExactSum& weight, const ExactSum& first, const ExactSum& second, double low, double high,
                        const ExactSum& all) {
  if (!(low <= high)) return {.constant = true};
  if (low == high) return {.centre = low, .scale = 1.0, .constant = true};
  const double mean = first.value() / weight.value(), square = mean * mean;
  ExactSum spread = second;  // sum w (x - mean)^2
  spread.add(first, -2.0 * mean);
  spread.add(weight, square);
  spread.add(weight, std::fma(mean, mean, -square));
  const double scale = std::sqrt(std::max(0.0, spread.value()) / all.value());
  if (!(scale > negligible * power_of_two(std::max(std::abs(low), std::abs(high)))))
    return {.centre = mean, .scale = 1.0, .constant = true};
  return {.centre = mean, .scale = scale, .constant = false};
}

Moments MomentSums::moments() const {
  if (unit_ == 0.0) return {.constant = true};
  const double deviation = std::sqrt(variance_.value() / all_);
  Moments out{.centre = unit_ * mean_, .scale = unit_ * deviation, .constant = false};
  // The smallest numbers have no deviation above zero to divide by.
  if (deviation <= negligible || out.scale == 0.0) out = {.centre = out.centre, .scale = 1.0, .constant = true};
  return out;
}

Moments indicator_moments(double share) {
  const double deviation = std::sqrt(std::max(0.0, share * (1.0 - share)));
  if (deviation <= negligible) return {.centre = share, .scale = 1.0, .constant = true};
  return {.centre = share, .scale = deviation, .constant = false};
}

}  // namespace lacuna

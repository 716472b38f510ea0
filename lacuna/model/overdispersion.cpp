#include "lacuna/model/overdispersion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lacuna/base/weights.hpp"
#include "lacuna/model/detail/largest_log_rate.hpp"

namespace lacuna {
namespace {

using detail::largest_log_rate;

// Minus the mean log-likelihood, as a function of log a.
double minus_log_likelihood(double log_a, const Truth& truth, const Matrix& z) {
  const losses::NegativeBinomial loss{std::exp(log_a)};
  double sum = 0.0;
  for (Index i = 0; i < z.rows(); ++i) {
    if (!(truth.weights[i] > 0.0)) continue;
    const double offset = truth.offset.size() > 0 ? truth.offset[i] : 0.0;
    for (Index c = 0; c < z.cols(); ++c) {
      const double t = truth.targets(i, c), at = std::clamp(z(i, c) + offset, -largest_log_rate, largest_log_rate);
      sum += truth.weights[i] * (loss.at(at, t).c + loss.normaliser(t));
    }
  }
  return sum / (truth.weights.sum() * double(z.cols()));
}

// The lowest of some points, then golden sections between its neighbours: a likelihood may have a flat end.
double lowest(double from, double to, const auto& f) {
  constexpr int points = 25;
  constexpr double golden = std::numbers::phi - 1.0, tolerance = 1e-5;
  const double step = (to - from) / (points - 1);
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < points; ++k)
    if (const double value = f(from + k * step); value < least) least = value, best = k;
  double a = from + std::max(0, best - 1) * step, b = from + std::min(points - 1, best + 1) * step;
  double c = b - golden * (b - a), d = a + golden * (b - a), at_c = f(c), at_d = f(d);
  while (b - a > tolerance)
    if (at_c < at_d) {
      b = d, d = c, at_d = at_c;
      c = b - golden * (b - a), at_c = f(c);
    } else {
      a = c, c = d, at_c = at_d;
      d = a + golden * (b - a), at_d = f(d);
    }
  return 0.5 * (a + b);
}

constexpr double far = 1e4;  // from 1, either way: the overdispersion times the mean count

double mean_count(const Truth& truth) {
  return (truth.targets.transpose() * truth.weights).mean() / truth.weights.sum();
}

}  // namespace

bool is_least_overdispersion(double overdispersion, const Truth& truth) {
  constexpr double rounding = 1e-3;
  return overdispersion * mean_count(truth) < (1.0 + rounding) / far;
}

double overdispersion_error(double overdispersion, const Truth& truth, const Matrix& z) {
  constexpr double h = 0.02;  // in log a: the second difference is good to h^2, and rounding takes 1e-12 of its value
  const double log_a = std::log(overdispersion), here = minus_log_likelihood(log_a, truth, z);
  const double bend =
      (minus_log_likelihood(log_a + h, truth, z) - 2.0 * here + minus_log_likelihood(log_a - h, truth, z)) / (h * h);
  const double rows = rows_counted(truth.counted()) * double(z.cols());
  return bend > 0.0 ? overdispersion / std::sqrt(rows * bend) : std::numeric_limits<double>::quiet_NaN();
}

Overdispersion likeliest_overdispersion(const Truth& truth, const Matrix& z) {
  const double mean = mean_count(truth), from = std::log(1.0 / (far * mean)), to = std::log(far / mean);
  const double value = std::exp(lowest(from, to, [&](double log_a) { return minus_log_likelihood(log_a, truth, z); }));
  return {value, overdispersion_error(value, truth, z)};
}

}  // namespace lacuna

#include "lacuna/evaluate/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace lacuna {
namespace {

// Continued fraction of the incomplete beta function (modified Lentz).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1.0, d = 1.0 / std::max(tiny, 1.0 - (a + b) * x / (a + 1.0)), h = d;
  for (int m = 1; m <= 300; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    double step = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 + term * d;
      c = 1.0 + term / c;
      d = 1.0 / (std::abs(d) < tiny ? tiny : d);
      if (std::abs(c) < tiny) c = tiny;
      step = c * d;
      h *= step;
    }
    if (std::abs(step - 1.0) < 1e-15) break;
  }
  return h;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                       : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

}  // namespace

SampleMean mean_of(const std::vector<double>& values) {
  SampleMean out;
  double sum = 0.0, squares = 0.0;
  for (const double v : values)
    if (std::isfinite(v)) sum += v, ++out.count;
  out.mean = sum / out.count;
  for (const double v : values)
    if (std::isfinite(v)) squares += (v - out.mean) * (v - out.mean);
  out.se = std::sqrt(squares / (out.count - 1) / out.count);
  if (out.count < 1) out.mean = std::nan("");
  if (out.count < 2) out.se = std::nan("");
  return out;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

double z_between(const SampleMean& a, const SampleMean& b) { return (a.mean - b.mean) / std::hypot(a.se, b.se); }

double corrected_error(const SampleMean& mean, double tested_to_trained) {
  return mean.se * std::sqrt(1.0 + mean.count * tested_to_trained);
}

PairedDifference paired_difference(double value, const std::vector<double>& d, double tested_to_trained) {
  PairedDifference out;
  SampleMean& m = out.difference;
  m = mean_of(d);
  if (m.count > 0) m.mean = value;
  out.se = corrected_error(m, tested_to_trained);
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (m.count < 2) {
    out.z = out.t = out.p = unknown;
    return out;
  }
  // The same difference in every split, up to rounding: none at all, or one of which nobody can say how sure it is.
  if (m.se <= 1e-12 * std::abs(m.mean) || std::abs(m.mean) + m.se < 1e-14) {
    const bool none = std::abs(m.mean) < 1e-14;
    out.z = out.t = none ? 0.0 : unknown;
    out.p = none ? 1.0 : unknown;
    return out;
  }
  out.z = m.mean / m.se;
  out.t = m.mean / out.se;
  out.p = student_two_sided(out.t, m.count - 1);
  return out;
}

PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b,
                                   double tested_to_trained) {
  std::vector<double> d;
  for (std::size_t k = 0; k < a.size(); ++k) d.push_back(a[k] - b[k]);
  return paired_difference(mean_of(d).mean, d, tested_to_trained);
}

double student_two_sided(double t, double freedom) {
  return incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
}

}  // namespace lacuna

#include "lacuna/machine/averaged.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lacuna/base/error.hpp"
#include "lacuna/machine/gauss_legendre.hpp"

namespace lacuna {
namespace {

double Phi(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// The trapezoidal rule over mu +- (9 + s) deviations: e^z N(z | mu, s^2), the tail of a small probability, has its peak
// s deviations from mu. Its error falls exponentially in the distance to the next singularity over the step: e^{-2 pi
// pi/h} for the poles of the logistic function at +-i pi, e^{-2 pi^2 s^2/h^2} for the Gaussian.
double trapezoidal(double mu, double s) {
  const double step = std::min(0.5 * s, 0.5), u = step / s;
  const int n = int(std::ceil((9.0 + s) / u));
  double sum = 0.0, weight = 0.0;
  for (int k = -n; k <= n; ++k) {
    const double x = u * k, g = std::exp(-0.5 * x * x);
    sum += g * Logistic{}.mean(mu + s * x);
    weight += g;
  }
  return sum / weight;
}

// For wide Gaussians the logistic function is a step with a short rounded corner, mu <= 0:
//   p = Phi(mu/s) + int_0^inf [N(-z) - N(z)] / (1 + e^z) dz
// and the corner is e^-z wide whatever the Gaussian: twelve panels of length 3 leave 1e-16.
double corner(double mu, double s) {
  static const GaussLegendre<20> rule;
  constexpr double half = 1.5;
  double sum = 0.0;
  for (int panel = 0; panel < 12; ++panel)
    for (std::size_t k = 0; k < rule.x.size(); ++k) {
      const double z = half * (2 * panel + 1 + rule.x[k]), near = (z + mu) / s;
      // N(-z) - N(z) = N(-z) (1 - e^{2 z mu / s^2})
      sum += rule.w[k] * std::exp(-0.5 * near * near) * -std::expm1(2.0 * z * mu / (s * s)) / (1.0 + std::exp(z));
    }
  return Phi(mu / s) + half * sum / (s * std::sqrt(2.0 * std::numbers::pi));
}

double average(const Logistic& l, double mu, double variance) {
  const double s = std::sqrt(variance);
  if (s < 1e-9) return l.mean(mu);
  if (std::abs(mu) - 0.5 * variance > 745.0) return mu < 0.0 ? 0.0 : 1.0;  // about e^(mu + s^2/2)
  // Beyond s deviations from 0 a small probability is all tail, and the corner none of it.
  if (s < 8.0 || std::abs(mu) > variance) return trapezoidal(mu, s);
  return mu <= 0.0 ? corner(mu, s) : 1.0 - corner(-mu, s);
}

double average(const Probit& l, double mu, double variance) {
  return Phi(l.s * mu / std::sqrt(1.0 + l.s * l.s * variance));
}

// Near 0 the output is proportional to mu: p is one half to rounding there, and its logarithms would leave the sign, and
// which of several classes has the largest output, to chance.
double moderate(const Logistic& l, double mu, double variance) {
  const double a = std::max(std::abs(mu), proportional_below * std::max(1.0, std::sqrt(variance)));
  const double p = std::max(average(l, -a, variance), 1e-300);
  return mu / a * std::max(0.0, std::log1p(-p) - std::log(p));
}

double moderate(const Probit& l, double mu, double variance) { return mu / std::sqrt(1.0 + l.s * l.s * variance); }

[[noreturn]] void refuse(const Loss& likelihood) {
  fail_usage("gp: the likelihood must be logistic or probit; this is " + std::string(name(likelihood)));
}

}  // namespace

double averaged_mean(const Loss& likelihood, double mu, double variance) {
  if (const auto* logistic = std::get_if<Logistic>(&likelihood)) return average(*logistic, mu, variance);
  if (const auto* probit = std::get_if<Probit>(&likelihood)) return average(*probit, mu, variance);
  refuse(likelihood);
}

double moderated_output(const Loss& likelihood, double mu, double variance) {
  if (const auto* logistic = std::get_if<Logistic>(&likelihood)) return moderate(*logistic, mu, variance);
  if (const auto* probit = std::get_if<Probit>(&likelihood)) return moderate(*probit, mu, variance);
  refuse(likelihood);
}

}  // namespace lacuna

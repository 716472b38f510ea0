#include "lacuna/machine/averaged.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lacuna/base/error.hpp"
#include "lacuna/base/matrix.hpp"
#include "lacuna/machine/gauss_legendre.hpp"

namespace lacuna {
namespace {

double Phi(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

using Three = Eigen::Array3d;
double zero_of(double) { return 0.0; }
Three zero_of(const Three&) { return Three::Zero(); }

// The trapezoidal rule, for one function or three, over mu +- (9 + s) deviations: e^z N(z | mu, s^2), the tail of a
// small probability, has its peak s deviations from mu. Its error falls exponentially in the distance to the next
// singularity over the step: e^{-2 pi pi/h} for the poles of the logistic function at +-i pi, e^{-2 pi^2 s^2/h^2} for
// the Gaussian.
template <class Function>
auto trapezoidal(double mu, double s, const Function& f) {
  const double step = std::min(0.5 * s, 0.5), u = step / s;
  const int n = int(std::ceil((9.0 + s) / u));
  auto sum = zero_of(f(mu));
  double weight = 0.0;
  for (int k = -n; k <= n; ++k) {
    const double x = u * k, g = std::exp(-0.5 * x * x);
    sum += g * f(mu + s * x);
    weight += g;
  }
  return decltype(sum)(sum / weight);
}

// For wide Gaussians the logistic function is a step with a short rounded corner, mu <= 0:
//   p = Phi(mu/s) + int_0^inf [N(-z) - N(z)] / (1 + e^z) dz
// and the corner is e^-z wide whatever the Gaussian: twelve panels of length 3 leave 1e-16.
// f(z, N(-z), N(-z) - N(z)) is integrated, the latter being N(-z) (1 - e^{2 z mu / s^2}).
template <class Function>
auto near_corner(double mu, double s, const Function& f) {
  static const GaussLegendre<20> rule;
  constexpr double half = 1.5;
  auto sum = zero_of(f(0.0, 0.0, 0.0));
  for (int panel = 0; panel < 12; ++panel)
    for (std::size_t k = 0; k < rule.x.size(); ++k) {
      const double z = half * (2 * panel + 1 + rule.x[k]), near = (z + mu) / s, N = std::exp(-0.5 * near * near);
      sum += rule.w[k] * f(z, N, N * -std::expm1(2.0 * z * mu / (s * s)));
    }
  return decltype(sum)(half * sum / (s * std::sqrt(2.0 * std::numbers::pi)));
}
double corner(double mu, double s) {
  return Phi(mu / s) + near_corner(mu, s, [](double z, double, double odd) { return odd / (1.0 + std::exp(z)); });
}
// Beyond s deviations from 0 a small probability is all tail, and the corner none of it.
bool is_wide(double mu, double variance) { return variance >= 64.0 && std::abs(mu) <= variance; }

double average(const losses::Logistic& l, double mu, double variance) {
  const double s = std::sqrt(variance);
  if (s < 1e-9) return l.mean(mu);
  if (std::abs(mu) - 0.5 * variance > 745.0) return mu < 0.0 ? 0.0 : 1.0;  // about e^(mu + s^2/2)
  if (!is_wide(mu, variance)) return trapezoidal(mu, s, [](double z) { return losses::Logistic{}.mean(z); });
  return mu <= 0.0 ? corner(mu, s) : 1.0 - corner(-mu, s);
}

double average(const losses::Probit& l, double mu, double variance) {
  return Phi(l.s * mu / std::sqrt(1.0 + l.s * l.s * variance));
}

// Near 0 the output is proportional to mu: p is one half to rounding there, and its logarithms would leave the sign,
// and which of several classes has the largest output, to chance.
double moderate(const losses::Logistic& l, double mu, double variance) {
  const double a = std::max(std::abs(mu), proportional_below * std::max(1.0, std::sqrt(variance)));
  const double p = std::max(average(l, -a, variance), 1e-300);
  return mu / a * std::max(0.0, std::log1p(-p) - std::log(p));
}

double moderate(const losses::Probit& l, double mu, double variance) {
  return mu / std::sqrt(1.0 + l.s * l.s * variance);
}

// The likelihood, its slope and half its bend: their averages are p, dp/dmu and dp/dv.
Three with_derivatives(double z) {
  const double p = losses::Logistic{}.mean(z), slope = p * (1.0 - p);
  return {p, slope, 0.5 * slope * (1.0 - 2.0 * p)};
}

Three averages(double mu, double variance) {
  const double s = std::max(std::sqrt(variance), 1e-9);
  if (!is_wide(mu, variance)) return trapezoidal(mu, s, with_derivatives);
  Three out = near_corner(mu, s, [](double z, double N, double odd) -> Three {
    return with_derivatives(-z) * Three(odd, 2.0 * N - odd, odd);
  });
  out[0] += Phi(mu / s);
  return out;
}

ModeratedSlope slope(const losses::Logistic&, double mu, double variance) {
  const Three at = averages(-std::abs(mu), variance);
  const double bend = at[0] * (1.0 - at[0]);
  if (!(bend > 1e-300)) return {};
  return {at[1] / bend, (mu < 0.0 ? at[2] : -at[2]) / bend};
}

ModeratedSlope slope(const losses::Probit& l, double mu, double variance) {
  const double q = std::sqrt(1.0 + l.s * l.s * variance);
  return {1.0 / q, -0.5 * l.s * l.s * mu / (q * q * q)};
}

[[noreturn]] void refuse(const Loss& likelihood) {
  fail_usage("gp: the likelihood must be logistic or probit; this is " + std::string(name_of(likelihood)));
}

}  // namespace

double averaged_mean(const Loss& likelihood, double mu, double variance) {
  if (const auto* logistic = std::get_if<losses::Logistic>(&likelihood)) return average(*logistic, mu, variance);
  if (const auto* probit = std::get_if<losses::Probit>(&likelihood)) return average(*probit, mu, variance);
  refuse(likelihood);
}

ModeratedSlope moderated_slope(const Loss& likelihood, double mu, double variance) {
  if (const auto* logistic = std::get_if<losses::Logistic>(&likelihood)) return slope(*logistic, mu, variance);
  if (const auto* probit = std::get_if<losses::Probit>(&likelihood)) return slope(*probit, mu, variance);
  refuse(likelihood);
}

double moderated_output(const Loss& likelihood, double mu, double variance) {
  if (const auto* logistic = std::get_if<losses::Logistic>(&likelihood)) return moderate(*logistic, mu, variance);
  if (const auto* probit = std::get_if<losses::Probit>(&likelihood)) return moderate(*probit, mu, variance);
  refuse(likelihood);
}

}  // namespace lacuna

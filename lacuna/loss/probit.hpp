// loss/probit.hpp -- t = 0 or 1, y = 2t - 1: c(z, t) = -log Phi(s y z), mean Phi(s z). s = 1 by default; s = sqrt(2) is
// the (1 + erf z)/2 of [KPR].
//
// With m = s y z and r = phi(m)/Phi(m):  c' = -s y r,  c'' = s^2 r (r + m),  c''' = (s y)^3 [r'(r + m) + r (r' + 1)],
// r' = -r (r + m) (method 2). For m far below 0, r + m -> -1/m has lost its digits to cancellation: there it comes from
// the continued fraction of the normal tail instead.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct Probit {
  double s = 1.0;

  static constexpr std::string_view id = "probit";
  static constexpr LossTraits traits{
      .model = "kpr", .targets = Targets::classes, .outputs = Outputs::probability, .words = "probit"};
  static constexpr std::array<std::string_view, 1> names{"s"};
  static constexpr std::array<double Probit::*, 1> members() { return {&Probit::s}; }
  static constexpr std::array<ParameterWord, 1> parameter_words{{{"paper", std::numbers::sqrt2}}};

  LossAt at(double z, double t) const {
    const double sy = t >= 0.5 ? s : -s;
    const Tail a = tail(sy * z);
    const double r1 = -a.r * a.excess;  // r'
    return {.c = a.minus_log,
            .c1 = -sy * a.r,
            .c2 = s * s * a.r * a.excess,
            .c3 = sy * sy * sy * (r1 * a.excess + a.r * a.excess_slope)};
  }
  double mean(double z) const { return 0.5 * std::erfc(-s * z / std::numbers::sqrt2); }

  /// What everything above is made of, at m = s y z.
  struct Tail {
    double minus_log;     // -log Phi(m)
    double r;             // phi(m)/Phi(m)
    double excess;        // r + m > 0
    double excess_slope;  // its derivative, r' + 1, in (0, 1)
  };
  static Tail tail(double m) {
    constexpr double log_sqrt_2pi = 0.91893853320467274178;
    if (m > -6.0) {
      const double Phi = 0.5 * std::erfc(-m / std::numbers::sqrt2);
      const double r = std::exp(-0.5 * m * m - log_sqrt_2pi) / Phi;
      const double minus_log = m > 0.0 ? -std::log1p(-0.5 * std::erfc(m / std::numbers::sqrt2)) : -std::log(Phi);
      return {minus_log, r, r + m, 1.0 - r * (r + m)};
    }
    // x = -m: Phi(m) = phi(m) / (x + d), d = 1/(x + 2/(x + 3/(x + ...))), so r = x + d, r + m = d and
    // r' + 1 = 1 - (x + d) d = d (d2 - d) with d2 = 2/(x + 3/(x + ...)).
    const double x = -m;
    double inner = 0.0;
    for (int k = 60; k >= 2; --k) inner = k / (x + inner);  // ends as d2
    const double d = 1.0 / (x + inner), r = x + d;
    return {0.5 * m * m + log_sqrt_2pi + std::log(r), r, d, d * (inner - d)};
  }
};

}  // namespace lacuna::losses

// loss/negative_binomial.hpp -- counts t with mean m = e^z that scatter more than Poisson's: their variance is
// m + a m^2, a > 0 (a Poisson count whose rate is gamma distributed with shape 1/a about m).
//
//   c(z, t) = (t + 1/a) log(1 + a e^z) - t z,   minus the log-likelihood but for terms in t and a
//
// With p = a m/(1 + a m), q = 1 - p:  c' = p/a - t q,  c'' = (1/a + t) p q > 0,  c''' = c'' (q - p). Convex in z for
// any fixed a; a -> 0 is Poisson's loss, without loss of digits.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct NegativeBinomial {
  double overdispersion = 1.0;  // a

  static constexpr std::string_view id = "negative-binomial";
  static constexpr LossTraits traits{.model = "negbin",
                                     .targets = Targets::counts,
                                     .outputs = Outputs::log_mean,
                                     .words = "negative binomial, counts with excess variance"};
  static constexpr std::array<std::string_view, 1> names{"overdispersion"};
  static constexpr std::array<double NegativeBinomial::*, 1> members() { return {&NegativeBinomial::overdispersion}; }
  /// 0 stands for the value that held-out counts make likeliest (model/detail/loss_parameters.cpp).
  static constexpr NegativeBinomial to_be_chosen() { return {.overdispersion = 0.0}; }

  LossAt at(double z, double t) const {
    const double a = overdispersion, u = z + std::log(a);  // p/q = e^u
    const double e = std::exp(-std::abs(u));
    const double p = u > 0.0 ? 1.0 / (1.0 + e) : e / (1.0 + e), q = u > 0.0 ? e / (1.0 + e) : 1.0 / (1.0 + e);
    const double log_1_am = std::log1p(e) + (u > 0.0 ? u : 0.0);
    // t (log(1 + a m) - z): for u > 0 the two are nearly equal, and their difference is log a and a little.
    const double less_z = u > 0.0 ? std::log(a) + std::log1p(e) : log_1_am - z;
    const double c2 = (1.0 / a + t) * p * q;
    return {.c = log_1_am / a + t * less_z, .c1 = p / a - t * q, .c2 = c2, .c3 = c2 * (q - p)};
  }
  double mean(double z) const { return std::exp(z); }
  double least(double t) const {
    if (!(t > 0.0)) return 0.0;
    return (t + 1.0 / overdispersion) * std::log1p(overdispersion * t) - t * std::log(t);
  }
  double variance(double mean) const { return mean + overdispersion * mean * mean; }
  /// c(z, t) + this is minus the log-probability of t. With r = 1/a it is log t! less the logarithm of
  /// Gamma(t + r)/(Gamma(r) r^t), which for large r comes from Stirling's series, where the gammas cancel.
  double normaliser(double t) const {
    const double a = overdispersion, r = 1.0 / a;
    if (r < 100.0) return std::lgamma(t + 1.0) - (std::lgamma(t + r) - std::lgamma(r) + t * std::log(a));
    const double s = r + t, series = (1.0 / s - 1.0 / r) / 12.0 - (1.0 / (s * s * s) - 1.0 / (r * r * r)) / 360.0;
    return std::lgamma(t + 1.0) - ((s - 0.5) * std::log1p(a * t) - t + series);
  }
};

}  // namespace lacuna::losses

// loss/poisson.hpp -- counts t with mean e^z: c(z, t) = e^z - t z.
#pragma once

#include <cmath>
#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct Poisson {
  static constexpr std::string_view id = "poisson";
  static constexpr LossTraits traits{.model = "poisson", .targets = Targets::counts, .outputs = Outputs::log_mean};
  LossAt at(double z, double t) const {
    const double mu = std::exp(z);
    return {.c = mu - t * z, .c1 = mu - t, .c2 = mu, .c3 = mu};
  }
  double mean(double z) const { return std::exp(z); }
  double least(double t) const { return t > 0.0 ? t - t * std::log(t) : 0.0; }
  double variance(double mean) const { return mean; }
  /// c(z, t) + this is minus the log-probability of t.
  double normaliser(double t) const { return std::lgamma(t + 1.0); }
};

}  // namespace lacuna::losses

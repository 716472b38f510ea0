// loss/logistic.hpp -- t in [0, 1], the probability of the positive class (0 or 1 for labels, anything between for soft
// targets): c(z, t) = log(1 + e^z) - t z, mean 1/(1 + e^-z).
#pragma once

#include <cmath>
#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct Logistic {
  static constexpr std::string_view id = "logistic";
  static constexpr LossTraits traits{
      .model = "klr", .targets = Targets::classes, .outputs = Outputs::probability, .words = "logistic"};
  LossAt at(double z, double t) const {
    // Everything from e = e^-|z|, the odds of the less likely side: nothing overflows and small tails keep their
    // digits.
    const double e = std::exp(-std::abs(z)), q = e / (1.0 + e), p = 1.0 / (1.0 + e);  // q <= 1/2 <= p
    const double c2 = p * q;
    const double up = z >= 0.0 ? p : q, down = z >= 0.0 ? q : p;  // mean and one minus the mean
    return {.c = (z >= 0.0 ? (1.0 - t) * z : -t * z) + std::log1p(e),
            .c1 = (1.0 - t) * up - t * down,
            .c2 = c2,
            .c3 = c2 * (down - up)};
  }
  double mean(double z) const { return z >= 0.0 ? 1.0 / (1.0 + std::exp(-z)) : std::exp(z) / (1.0 + std::exp(z)); }
};

}  // namespace lacuna::losses

// loss/gamma.hpp -- positive t with mean e^z (log link): c(z, t) = z + t e^-z.
#pragma once

#include <cmath>
#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct Gamma {
  static constexpr std::string_view id = "gamma";
  static constexpr LossTraits traits{.model = "gamma", .targets = Targets::positive, .outputs = Outputs::log_mean};
  LossAt at(double z, double t) const {
    const double ratio = t * std::exp(-z);
    return {.c = z + ratio, .c1 = 1.0 - ratio, .c2 = ratio, .c3 = -ratio};
  }
  double mean(double z) const { return std::exp(z); }
  double least(double t) const { return 1.0 + std::log(t); }
};

}  // namespace lacuna::losses

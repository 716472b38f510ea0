// loss/squared.hpp -- real t: c(z, t) = (z - t)^2 / 2.
#pragma once

#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct Squared {
  static constexpr std::string_view id = "squared";
  static constexpr LossTraits traits{
      .model = "ls-svm", .targets = Targets::either, .criterion = "press", .quadratic = true};
  LossAt at(double z, double t) const { return {.c = 0.5 * (z - t) * (z - t), .c1 = z - t, .c2 = 1.0, .c3 = 0.0}; }
  double mean(double z) const { return z; }
};

}  // namespace lacuna::losses

// loss/squared_hinge.hpp -- t = +1 or -1: c(z, t) = max(0, 1 - t z)^2 / 2: the 2-norm support vector machine. Rows
// outside the margin have c' = c'' = 0 and leave the system.
#pragma once

#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct SquaredHinge {
  static constexpr std::string_view id = "squared-hinge";
  static constexpr LossTraits traits{.model = "l2-svm", .targets = Targets::classes, .criterion = "hinge2"};
  LossAt at(double z, double t) const {
    const double gap = 1.0 - t * z;
    if (gap <= 0.0) return {0.0, 0.0, 0.0, 0.0};
    return {.c = 0.5 * gap * gap, .c1 = -t * gap, .c2 = 1.0, .c3 = 0.0};
  }
  double mean(double z) const { return z; }
};

}  // namespace lacuna::losses

// loss/pseudo_huber.hpp -- real t, robust: c(z, t) = delta^2 (sqrt(1 + ((z - t)/delta)^2) - 1), a square near 0 and a
// straight line far away, with c'' > 0 everywhere.
#pragma once

#include <cmath>
#include <string_view>

#include "lacuna/loss/loss_at.hpp"

namespace lacuna {

struct PseudoHuber {
  double delta = 1.0;

  static constexpr std::string_view id = "pseudo-huber";
  LossAt at(double z, double t) const {
    const double u = (z - t) / delta, root = std::sqrt(1.0 + u * u);
    return {.c = delta * delta * u * u / (1.0 + root),
            .c1 = delta * u / root,
            .c2 = 1.0 / (root * root * root),
            .c3 = -3.0 * u / (delta * root * root * root * root * root)};
  }
  double mean(double z) const { return z; }
};

}  // namespace lacuna

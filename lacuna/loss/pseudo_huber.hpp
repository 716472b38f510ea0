// loss/pseudo_huber.hpp -- real t, robust: c(z, t) = delta^2 (sqrt(1 + ((z - t)/delta)^2) - 1), a square near 0 and a
// straight line far away, with c'' > 0 everywhere.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct PseudoHuber {
  double delta = 1.0;

  static constexpr std::string_view id = "pseudo-huber";
  static constexpr LossTraits traits{.model = "huber"};
  static constexpr std::array<std::string_view, 1> names{"delta"};
  static constexpr std::array<double PseudoHuber::*, 1> members() { return {&PseudoHuber::delta}; }
  /// 0 stands for a delta that suits the data (model/detail/make_problem.cpp).
  static constexpr PseudoHuber to_be_chosen() { return {.delta = 0.0}; }

  LossAt at(double z, double t) const {
    const double u = (z - t) / delta, root = std::sqrt(1.0 + u * u);
    return {.c = delta * delta * u * u / (1.0 + root),
            .c1 = delta * u / root,
            .c2 = 1.0 / (root * root * root),
            .c3 = -3.0 * u / (delta * root * root * root * root * root)};
  }
  double mean(double z) const { return z; }
  /// Outputs are in the unit of the targets; where a loss has no such function they have none.
  double unit() const { return delta; }
};

}  // namespace lacuna::losses

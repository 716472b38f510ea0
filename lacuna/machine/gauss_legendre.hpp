// machine/gauss_legendre.hpp -- nodes and weights of Gauss and Legendre's rule of order n on [-1, 1], by Newton's
// method on the polynomial.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace lacuna {

template <int n>
struct GaussLegendre {
  std::array<double, n> x{}, w{};
  GaussLegendre() {
    for (int i = 0; i < n; ++i) {
      double at = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
      for (int k = 0; k < 50; ++k) {
        double p = 1.0, before = 0.0;
        for (int j = 1; j <= n; ++j) {
          const double next = ((2 * j - 1) * at * p - (j - 1) * before) / j;
          before = p;
          p = next;
        }
        slope = n * (at * p - before) / (at * at - 1.0);
        const double move = p / slope;
        at -= move;
        if (std::abs(move) < 1e-15) break;
      }
      x[std::size_t(i)] = at;
      w[std::size_t(i)] = 2.0 / ((1.0 - at * at) * slope * slope);
    }
  }
};

}  // namespace lacuna

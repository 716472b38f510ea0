// tests/support/latent_integral.hpp -- the truth about a Gaussian-process classifier of one or two rows, by the
// trapezoidal rule over the latent outputs.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "lacuna/loss/loss.hpp"

namespace lacuna::testing {

/// log of the integral of prod_i exp(-c(z_i, t_i)) N(z | m 1, C) dz; C is 1 x 1 or 2 x 2.
inline double log_evidence(const Loss& likelihood, const Eigen::VectorXd& t, double m, const Eigen::MatrixXd& C) {
  const Eigen::MatrixXd L = C.llt().matrixL();
  const double step = 0.06;
  const int n = int(9.0 / step);
  double sum = 0.0, weight = 0.0;
  for (int j = -n; j <= n; ++j)
    for (int k = t.size() == 2 ? -n : 0; k <= (t.size() == 2 ? n : 0); ++k) {
      const double x0 = j * step, x1 = k * step, g = std::exp(-0.5 * (x0 * x0 + x1 * x1));
      double c = at(likelihood, m + L(0, 0) * x0, t[0]).c;
      if (t.size() == 2) c += at(likelihood, m + L(1, 0) * x0 + L(1, 1) * x1, t[1]).c;
      sum += g * std::exp(-c);
      weight += g;
    }
  return std::log(sum / weight);
}

}  // namespace lacuna::testing

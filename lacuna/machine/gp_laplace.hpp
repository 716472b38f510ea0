// machine/gp_laplace.hpp -- Laplace's approximation for binary labels, logistic or probit likelihood (method 12;
// Rasmussen & Williams 2006, algorithms 3.1, 3.2 and 5.1). The posterior becomes a Gaussian about its mode, which is a
// kernel machine of that loss without bias:
//
//   z minimises  J = (lambda/2) alpha' K alpha + sum_i zeta_i c(z_i, t_i),   z = m + K alpha
//   beta_i = zeta_i c''_i,   eta_i = z_i - c'_i/c''_i                        the sites (gp.hpp)
//   log evidence = -J - log det A / 2
//
// A row of weight zeta stands for so many copies of it: the posterior of all rows is that of the copies, to the last
// digit, and so is what is left without all copies of a row.
//
// Newton's method with a shortened step, as for every other loss (irls.hpp), and O(l^3) a step. In the gradient the
// mode moves with the hyper-parameters, and the sites with it.
#pragma once

#include "lacuna/machine/gp.hpp"

namespace lacuna {

struct GpLaplaceOptions {
  int max_iterations = 250;
  double tolerance = 1e-10;  ///< on max |lambda alpha + c'| / max |c'|
};

/// Requires t in {0, 1} (logistic: [0, 1]), lambda > 0, a likelihood that is logistic or probit (throws Error
/// otherwise). `zeta`: weights >= 0, some > 0; empty: all 1.
GpFit gp_laplace(const compute::Gram& K, const Loss& likelihood, const Vector& t, double mean, double lambda,
                 const GpLaplaceOptions& options = {}, const WarmStart& start = {}, const Vector& zeta = {});

}  // namespace lacuna

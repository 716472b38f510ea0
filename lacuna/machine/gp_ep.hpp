// machine/gp_ep.hpp -- expectation propagation for binary labels with the probit likelihood (method 12; Rasmussen &
// Williams 2006, algorithms 3.5, 3.6 and 5.2). Each site (gp.hpp) is such that the posterior with the site, and the
// posterior with the likelihood in its place, have the same mean and variance at that row. With mu, v the moments
// without row i, which are its leave-one-out moments, q = sqrt(1 + s^2 v), x = s y mu/q, r = phi(x)/Phi(x), e = r + x,
// d = 1 - r e:
//
//   beta = s^2 r e / (1 + s^2 v d),    eta = mu + y q/(s e)
//   log evidence = -log det A/2 + sum_i [log Phi(x_i) + log(1 + beta_i v_i)/2 + a_i (a_i v_i - z_i + m)/2]
//   with a = lambda alpha
//
// A row of weight zeta stands for zeta copies of it, whose sites are equal: what is here of a site is that of all
// copies, beta and nu times zeta, and mu, v are without one copy's. Terms of the evidence count zeta times. So the
// posterior of weighted rows is that of their copies.
//
// All sites are renewed together, so that a round costs one factor with its inverse at full speed, and Anderson's
// acceleration (detail/anderson.hpp) takes the place of sequential updates: typically 5 to 30 rounds to 1e-9. A round
// that leads away is followed by damped ones. The evidence is stationary in the sites: their error enters squared.
#pragma once

#include "lacuna/machine/gp.hpp"

namespace lacuna {

struct GpEpOptions {
  int max_rounds = 300;
  double tolerance = 1e-9;  ///< on how far a renewed site moves its row's mean and variance, relative to the latter
};

/// Requires t in {0, 1}, lambda > 0, weights zeta >= 1 (empty: all 1; with less than a copy in the posterior there is
/// none to take out). stop is max_evaluations, and the fit the best one met, when the sites did not
/// settle.
GpFit gp_ep(const compute::Gram& K, const losses::Probit& likelihood, const Vector& t, double mean, double lambda,
            const GpEpOptions& options = {}, const WarmStart& start = {}, const Vector& zeta = {});

}  // namespace lacuna

// machine/averaged.hpp -- the probability of the positive class when the latent output is not one number but a
// Gaussian:
//
//   p(mu, v) = integral of mean(z) N(z | mu, v) dz
//
// Probit with scale s: Phi(s mu / sqrt(1 + s^2 v)), exactly. Logistic has no closed form; its quadrature is good to
// 1e-12. One minus the result is p(-mu, v), which keeps the digits of small probabilities.
#pragma once

#include "lacuna/loss/loss.hpp"

namespace lacuna {

/// Requires variance >= 0 and a likelihood that is logistic or probit; throws Error(usage) for another.
double averaged_mean(const Loss& likelihood, double mu, double variance);
/// Up to this many deviations (or, if that is more, units) from 0 moderated outputs are proportional to mu; what is
/// left out is of the order of its cube.
inline constexpr double proportional_below = 1e-6;
/// The output that has this probability without being averaged: of the sign of mu, and nearer to 0. One number that
/// stands for the Gaussian wherever probabilities, ranks or decisions are made of outputs. At most 690 in size for the
/// logistic likelihood.
double moderated_output(const Loss& likelihood, double mu, double variance);
/// Its derivatives; 0 where it is at the end of its range.
struct ModeratedSlope {
  double d_mu = 0.0, d_variance = 0.0;
};
ModeratedSlope moderated_slope(const Loss& likelihood, double mu, double variance);

}  // namespace lacuna

// machine/gp.hpp -- Gaussian-process classifiers (method 12). This file: the Gaussian over latent outputs that both
// approximations (gp_laplace.hpp, gp_ep.hpp) end in, and what follows from it alone.
//
//   prior      z ~ N(m 1, C),   C = K / lambda        lambda = 1/sigma_f^2: the prior variance is k(x, x)/lambda
//   posterior  each row's likelihood becomes a Gaussian site of precision beta_i about eta_i. That is a dual machine
//              (dual.hpp) without bias:   M = K + lambda diag(1/beta),   alpha = M^-1 (eta - m)
//              mean z = m + K alpha,   variance h_i / beta_i,   h_i = 1 - (A^-1)_ii
//   at new x   mean m + k'alpha,   variance (k(x, x) - k'M^-1 k) / lambda
//   without i  variance v_i = (1/(M^-1)_ii - lambda/beta_i)/lambda,   mean z_i - lambda alpha_i v_i
//
// There is no unpenalised bias; a constant mean m is a hyper-parameter like lambda. Nothing divides by a small beta.
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "lacuna/base/stop.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna {

/// Mean and variance of latent outputs, one for each row.
struct LatentMoments {
  Vector mean, variance;
};

struct GpFit {
  std::unique_ptr<Factor> factor;  ///< of M, with its inverse; null: see stop
  Loss likelihood = Logistic{};
  double lambda = 1.0;
  double mean = 0.0;  ///< m
  Vector beta;        ///< precisions of the sites, > 0
  Vector alpha;
  Vector z;         ///< posterior means
  Vector leverage;  ///< h
  Vector
      drift;  ///< Laplace only: how the evidence feels a shift of the prior mean through the mode; empty: it does not
  double log_evidence = -std::numeric_limits<double>::infinity();  ///< log marginal likelihood, never NaN
  Stop stop = Stop::not_finite;
  int factorisations = 0;
  double stationarity = 0.0;  ///< reached

  bool usable() const { return factor != nullptr && std::isfinite(log_evidence); }
};

/// Of the log evidence. The constant mean is not a logarithm: it has either sign.
struct EvidenceGradient {
  Vector d_log_kernel;
  double d_log_lambda = 0.0;
  double d_mean = 0.0;
};
/// O(l^3), about as much as the factor with its inverse. Requires usable().
EvidenceGradient evidence_gradient(const GpFit& fit);

/// Of each training row, as if its label were not known (Laplace: one Newton step; EP: the cavity).
LatentMoments held_out_latent(const Gram& K, const GpFit& fit);

/// At new rows, of which `self` is k(x, x): (k(x, x) - k'M^-1 k)/lambda.
Vector posterior_variance(const GpFit& fit, const RowsView& rows, const Vector& self);
/// With the means. Not for precomputed kernels, which do not know k(x, x) of new rows (throws Error).
LatentMoments latent(const GpFit& fit, const Backend& backend, const Kernel& kernel, const RowsView& rows,
                     const RowsView& training_rows);

/// Probability of the positive class, averaged over the latent outputs (averaged.hpp).
Vector averaged_probability(const Loss& likelihood, const LatentMoments& at);
/// The outputs that have these probabilities without averaging (averaged.hpp).
Vector moderated(const Loss& likelihood, const LatentMoments& at);

/// Where an approximation at neighbouring hyper-parameters may begin: a fit of the same rows, without its factor.
struct GpStart {
  Vector z, beta, pull;  ///< pull = lambda alpha = beta (eta - z)
};
GpStart start_from(const GpFit& fit);

}  // namespace lacuna

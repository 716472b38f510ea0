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
#include "lacuna/machine/warm_start.hpp"

namespace lacuna {

/// What is believed of the outputs before rows are seen: z ~ N(mean 1, K/lambda). A machine with a bias has no mean.
struct Prior {
  double lambda = 1.0;
  double mean = 0.0;
  Prior(double regulariser, double constant = 0.0) : lambda(regulariser), mean(constant) {}
};

/// Mean and variance of latent outputs, one for each row.
struct LatentMoments {
  Vector mean, variance;
};

struct GpFit {
  std::unique_ptr<compute::Factor> factor;  ///< of M, with its inverse; null: see stop
  Loss likelihood = losses::Logistic{};
  double lambda = 1.0;
  double mean = 0.0;  ///< m
  Vector beta;        ///< precisions of the sites, > 0
  Vector alpha;
  Vector z;          ///< posterior means
  Vector leverage;   ///< h
  Vector curvature;  ///< Laplace only: c'''/beta^3, how the sites move with the mode
  double log_evidence = -std::numeric_limits<double>::infinity();  ///< log marginal likelihood, never NaN
  Stop stop = Stop::not_finite;
  int factorisations = 0;
  double stationarity = 0.0;  ///< reached

  bool usable() const { return factor != nullptr && std::isfinite(log_evidence); }
};

/// Of the log evidence. O(l^3), about as much as the factor with its inverse. Requires usable().
compute::CriterionGradient evidence_gradient(const GpFit& fit);

/// At new rows, of which `self` is k(x, x): (k(x, x) - k'M^-1 k)/lambda.
Vector posterior_variance(const GpFit& fit, const RowsView& rows, const Vector& self);
/// With the means. Not for precomputed kernels, which do not know k(x, x) of new rows (throws Error).
LatentMoments latent(const GpFit& fit, const Backend& backend, const Kernel& kernel, const RowsView& rows,
                     const RowsView& training_rows);

/// Probability of the positive class, averaged over the latent outputs (averaged.hpp).
Vector averaged_probability(const Loss& likelihood, const LatentMoments& at);
/// The outputs that have these probabilities without averaging (averaged.hpp).
Vector moderated(const Loss& likelihood, const LatentMoments& at);

WarmStart start_from(const GpFit& fit);

}  // namespace lacuna

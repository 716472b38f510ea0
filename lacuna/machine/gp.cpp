#include "lacuna/machine/gp.hpp"

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "lacuna/machine/averaged.hpp"

namespace lacuna {
namespace {

// h/beta has an error of eps/h, relative; the variance at a row from its column of K, k(x, x) - k'M^-1 k, one of
// eps k(x, x) beta/(lambda h). Below this h the rows for which the second is better are worth the longer way.
constexpr double small_leverage = 1e-4;

}  // namespace

EvidenceGradient evidence_gradient(const GpFit& fit) {
  // d log Z = <G, dK>,  G = sym(alpha (lambda alpha/2 + r)') - M^-1/2,  r = drift; dC/d log lambda = -C.
  Vector right = 0.5 * fit.lambda * fit.alpha;
  double drift_K_alpha = 0.0, drift = 0.0;
  const Vector K_alpha = fit.z.array() - fit.mean;
  if (fit.drift.size() > 0) {
    right += fit.drift;
    drift_K_alpha = fit.drift.dot(K_alpha);
    drift = fit.drift.sum();
  }
  EvidenceGradient out;
  out.d_log_kernel =
      fit.factor->contract({.left = fit.alpha, .right = right, .v = {}, .xi = {}, .inverse = -0.5}).d_log_kernel;
  out.d_log_lambda = 0.5 * fit.leverage.sum() - 0.5 * fit.lambda * fit.alpha.dot(K_alpha) - drift_K_alpha;
  out.d_mean = fit.lambda * fit.alpha.sum() + drift;
  return out;
}

LatentMoments held_out_latent(const Gram& K, const GpFit& fit) {
  const Index l = K.size();
  const Vector prior = K.diagonal() / fit.lambda;
  LatentMoments out{Vector(l), Vector(l)};
  Folds longer;
  for (Index i = 0; i < l; ++i) {
    if (fit.leverage[i] < small_leverage && fit.beta[i] * prior[i] < 1.0) {
      longer.push_back({i});
      continue;
    }
    const double variance = std::clamp(fit.leverage[i] / fit.beta[i], 0.0, prior[i]);  // of the posterior
    const double left = 1.0 - fit.beta[i] * variance;                                  // (A^-1)_ii
    out.variance[i] = left > 0.0 ? std::min(variance / left, prior[i]) : prior[i];
  }
  if (!longer.empty()) {
    const Vector variance = fit.factor->take_sites(longer, fit.lambda * fit.alpha).variance;
    for (const auto& row : longer) out.variance[row[0]] = std::clamp(variance[row[0]], 0.0, prior[row[0]]);
  }
  out.mean = fit.z - fit.lambda * fit.alpha.cwiseProduct(out.variance);
  return out;
}

LatentMoments latent(const GpFit& fit, const Backend& backend, const Kernel& kernel, const RowsView& rows,
                     const RowsView& training_rows) {
  if (uses(kernel, Geometry::given)) fail_usage("gp: a precomputed kernel does not know k(x, x) of new rows");
  const Vector mean = backend.expand(kernel, rows, training_rows, fit.alpha);
  return {mean.array() + fit.mean, posterior_variance(fit, rows, kernel_diagonal(kernel, rows))};
}

Vector posterior_variance(const GpFit& fit, const RowsView& rows, const Vector& self) {
  return (self - fit.factor->explained(rows)).cwiseMax(0.0) / fit.lambda;
}

Vector averaged_probability(const Loss& likelihood, const LatentMoments& at) {
  Vector p(at.mean.size());
  for (Index i = 0; i < p.size(); ++i) p[i] = averaged_mean(likelihood, at.mean[i], at.variance[i]);
  return p;
}

Vector moderated(const Loss& likelihood, const LatentMoments& at) {
  Vector z(at.mean.size());
  for (Index i = 0; i < z.size(); ++i) z[i] = moderated_output(likelihood, at.mean[i], at.variance[i]);
  return z;
}

GpStart start_from(const GpFit& fit) { return {fit.z, fit.beta, fit.lambda * fit.alpha}; }

}  // namespace lacuna

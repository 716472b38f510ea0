#include "lacuna/machine/gp.hpp"

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "lacuna/machine/averaged.hpp"

namespace lacuna {
compute::CriterionGradient evidence_gradient(const GpFit& fit) {
  // d log Z = <G, dK>,  G = sym(alpha (lambda alpha/2 + r)') - M^-1/2; dC/d log lambda = -C. The drift r is how the
  // evidence feels a shift of the prior mean through the mode of Laplace's approximation: r = lambda M^-1 (s/beta),
  // s_i = -(c'''_i/c''_i) h_i/2.
  Vector right = 0.5 * fit.lambda * fit.alpha, drift = Vector::Zero(fit.z.size());
  if (fit.curvature.size() > 0)
    drift = -0.5 * fit.lambda * fit.factor->solve(fit.curvature.cwiseProduct(fit.beta).cwiseProduct(fit.leverage));
  right += drift;
  const Vector K_alpha = fit.z.array() - fit.mean;
  compute::CriterionGradient out;
  out.d_log_kernel =
      fit.factor->contract({.left = fit.alpha, .right = right, .v = {}, .xi = {}, .inverse = -0.5}).d_log_kernel;
  out.d_log_lambda = 0.5 * fit.leverage.sum() - 0.5 * fit.lambda * fit.alpha.dot(K_alpha) - drift.dot(K_alpha);
  out.d_mean = fit.lambda * fit.alpha.sum() + drift.sum();
  return out;
}

LatentMoments latent(const GpFit& fit, const Backend& backend, const Kernel& kernel, const RowsView& rows,
                     const RowsView& training_rows) {
  if (uses_geometry(kernel, kernels::Geometry::given))
    fail_usage("gp: a precomputed kernel does not know k(x, x) of new rows");
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

WarmStart start_from(const GpFit& fit) { return {fit.z, fit.beta, fit.lambda * fit.alpha}; }

}  // namespace lacuna

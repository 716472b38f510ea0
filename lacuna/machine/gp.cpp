#include "lacuna/machine/gp.hpp"

#include <algorithm>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/lanes.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "lacuna/machine/averaged.hpp"

namespace lacuna {
namespace {

// h/beta has an error of eps/h, relative; the variance at a row from its column of K, k(x, x) - k'M^-1 k, one of
// eps k(x, x) beta/(lambda h). Below this h the rows for which the second is better are worth the longer way.
constexpr double small_leverage = 1e-4;

// (k(x, x) - k'M^-1 k)/lambda for the rows of `cross`.
Vector posterior_variance(const GpFit& fit, const Matrix& cross, const Vector& self) {
  const Matrix k = cross.transpose();
  const Vector known = k.cwiseProduct(fit.factor->solve(k)).colwise().sum().transpose();
  return (self - known).cwiseMax(0.0) / fit.lambda;
}

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
  Vector variance(l);  // of the posterior
  std::vector<Index> all(static_cast<std::size_t>(l)), longer;
  std::iota(all.begin(), all.end(), Index(0));
  for (Index i = 0; i < l; ++i) {
    if (fit.leverage[i] < small_leverage && fit.beta[i] * prior[i] < 1.0)
      longer.push_back(i);
    else
      variance[i] = std::clamp(fit.leverage[i] / fit.beta[i], 0.0, prior[i]);
  }
  for (std::size_t first = 0; first < longer.size(); first += std::size_t(kBlockRows)) {
    const auto rows = std::span(longer).subspan(first, std::min(std::size_t(kBlockRows), longer.size() - first));
    Vector self(Index(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) self[Index(k)] = prior[rows[k]] * fit.lambda;
    const Vector v = posterior_variance(fit, K.block(rows, all), self);
    for (std::size_t k = 0; k < rows.size(); ++k) variance[rows[k]] = v[Index(k)];
  }
  LatentMoments out{Vector(l), Vector(l)};
  for (Index i = 0; i < l; ++i) {
    const double left = 1.0 - fit.beta[i] * variance[i];  // (A^-1)_ii
    out.variance[i] = left > 0.0 ? std::min(variance[i] / left, prior[i]) : prior[i];
    out.mean[i] = fit.z[i] - fit.lambda * fit.alpha[i] * out.variance[i];
  }
  return out;
}

LatentMoments latent(const GpFit& fit, const Matrix& cross, const Vector& self) {
  return {(cross * fit.alpha).array() + fit.mean, posterior_variance(fit, cross, self)};
}

LatentMoments latent(const GpFit& fit, const Backend& backend, const Kernel& kernel, const RowsView& rows,
                     const RowsView& training_rows) {
  if (uses(kernel, Geometry::given))
    fail_usage("gp: a precomputed kernel does not know k(x, x) of new rows; give it to latent(fit, cross, self)");
  const Vector self = kernel_diagonal(kernel, rows);
  LatentMoments out{Vector(rows.rows()), Vector(rows.rows())};
  std::vector<Index> block;
  for (Index first = 0; first < rows.rows(); first += kBlockRows) {
    const Index count = std::min(kBlockRows, rows.rows() - first);
    block.resize(std::size_t(count));
    std::iota(block.begin(), block.end(), first);
    const LatentMoments some =
        latent(fit, backend.cross(kernel, take_rows(rows, block), training_rows), self.segment(first, count));
    out.mean.segment(first, count) = some.mean;
    out.variance.segment(first, count) = some.variance;
  }
  return out;
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

#include "lacuna/loo/gp_held_out.hpp"

#include <algorithm>

namespace lacuna {
namespace {

// h/beta has an error of eps/h, relative; the variance at a row from its column of K, k(x, x) - k'M^-1 k, one of
// eps k(x, x) beta/(lambda h). Below this h the rows for which the second is better are worth the longer way.
constexpr double small_leverage = 1e-4;

LatentMoments one_at_a_time(const GpFit& fit, const Vector& prior) {
  const Index l = prior.size();
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

}  // namespace

LatentMoments held_out_latent(const compute::Gram& K, const GpFit& fit, const Folds& folds) {
  const Vector prior = K.diagonal() / fit.lambda;
  if (folds.empty()) return one_at_a_time(fit, prior);
  const compute::SitesOut out = fit.factor->take_sites(folds, fit.lambda * fit.alpha);
  LatentMoments at{fit.z, Vector::Zero(K.size())};
  for (const std::vector<Index>& fold : folds)
    for (const Index i : fold) {
      at.mean[i] -= out.shift[i];
      at.variance[i] = std::clamp(out.variance[i], 0.0, prior[i]);
    }
  return at;
}

}  // namespace lacuna

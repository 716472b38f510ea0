#include "lacuna/loo/gp_held_out.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

// While refits judge settings of the hyper-parameters, this is as near to the end as needs be.
constexpr double tolerance = 1e-6;

Vector take(const Vector& v, const std::vector<Index>& rows) {
  Vector out(v.size() > 0 ? Index(rows.size()) : 0);
  for (Index k = 0; k < out.size(); ++k) out[k] = v[rows[std::size_t(k)]];
  return out;
}

GpStart take(const GpStart& start, const std::vector<Index>& rows) {
  return {take(start.z, rows), take(start.beta, rows), take(start.pull, rows)};
}

// All rows but those of a fold.
std::vector<Index> others(Index l, const std::vector<Index>& fold) {
  std::vector<char> held(static_cast<std::size_t>(l));
  for (const Index i : fold) held[std::size_t(i)] = 1;
  std::vector<Index> out;
  for (Index i = 0; i < l; ++i)
    if (!held[std::size_t(i)]) out.push_back(i);
  return out;
}

}  // namespace

LatentMoments held_out_latent(const Gram& K, const GpFit& fit, const Folds& folds) {
  if (folds.empty()) return held_out_latent(K, fit);
  const Vector prior = K.diagonal() / fit.lambda;
  const SitesOut out = fit.factor->take_sites(folds, fit.lambda * fit.alpha);
  LatentMoments at{fit.z, Vector::Zero(K.size())};
  for (const std::vector<Index>& fold : folds)
    for (const Index i : fold) {
      at.mean[i] -= out.shift[i];
      at.variance[i] = std::clamp(out.variance[i], 0.0, prior[i]);
    }
  return at;
}

GpRefits refit_held_out(const GpClassifier& classifier, const Gram& K, const Matrix& t, double mean, double lambda,
                        const Folds& folds, const std::vector<GpStart>& full, const Observer& observer) {
  const Index l = K.size(), m = t.cols();
  const long count = folds.empty() ? long(l) : long(folds.size());
  const Vector unknown = Vector::Constant(l, std::nan("")), self = K.diagonal();
  GpRefits out{std::vector<LatentMoments>(std::size_t(m), {unknown, unknown})};
  for (long f = 0; f < count; ++f) {
    if (!go_on(observer, {.stage = "refits", .done = f, .total = count})) return {{}, Stop::interrupted, 0};
    const std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(f)} : folds[std::size_t(f)];
    const std::vector<Index> rest = others(l, fold);
    const auto K_rest = subset(K, rest);
    const Rows rows = take_rows(K.rows(), fold);
    for (Index c = 0; c < m; ++c) {
      const GpStart start = full.empty() ? GpStart{} : take(full[std::size_t(c)], rest);
      const GpFit fit = fit_gp(classifier, *K_rest, take(t.col(c), rest), mean, lambda, tolerance, start);
      out.factorisations += fit.factorisations;
      if (!fit.usable()) {
        out.stop = fit.stop;
        continue;
      }
      Vector alpha = Vector::Zero(l);
      alpha(rest) = fit.alpha;
      out.latent[std::size_t(c)].mean(fold) = K.multiply(alpha)(fold, 0).array() + mean;
      out.latent[std::size_t(c)].variance(fold) = posterior_variance(fit, rows, take(self, fold));
    }
  }
  return out;
}

}  // namespace lacuna

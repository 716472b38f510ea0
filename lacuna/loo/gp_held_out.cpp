#include "lacuna/loo/gp_held_out.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

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
  const Index l = K.size();
  const Vector prior = K.diagonal() / fit.lambda;
  std::vector<Index> all(static_cast<std::size_t>(l));
  std::iota(all.begin(), all.end(), Index(0));
  LatentMoments out{fit.z, Vector::Zero(l)};
  for (const std::vector<Index>& fold : folds) {
    const auto n = Index(fold.size());
    const Matrix k = K.block(all, fold);
    const Matrix S = (K.block(fold, fold) - k.transpose() * fit.factor->solve(k)) / fit.lambda;
    const Vector W = take(fit.beta, fold), a = fit.lambda * take(fit.alpha, fold);
    // V = (I - S W)^-1 S, whose eigenvalues are those of A^-1 within the fold: between 0 and 1.
    const Matrix V = (Matrix::Identity(n, n) - S * W.asDiagonal()).partialPivLu().solve(S);
    const Vector shift = V * a;
    for (Index k_ = 0; k_ < n; ++k_) {
      const Index i = fold[std::size_t(k_)];
      out.mean[i] = fit.z[i] - shift[k_];
      out.variance[i] = std::clamp(V(k_, k_), 0.0, prior[i]);
    }
  }
  return out;
}

GpRefits refit_held_out(const GpClassifier& classifier, const Backend& backend, const Gram& K, const Matrix& t,
                        double mean, double lambda, const Folds& folds, const std::vector<GpStart>& full,
                        const Observer& observer) {
  const Index l = K.size(), m = t.cols();
  const long count = folds.empty() ? long(l) : long(folds.size());
  const Vector unknown = Vector::Constant(l, std::nan("")), self = K.diagonal();
  GpRefits out{std::vector<LatentMoments>(std::size_t(m), {unknown, unknown})};
  for (long f = 0; f < count; ++f) {
    if (!go_on(observer, {.stage = "refits", .done = f, .total = count})) return {{}, Stop::interrupted, 0};
    const std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(f)} : folds[std::size_t(f)];
    const std::vector<Index> rest = others(l, fold);
    const auto K_rest = backend.gram(K.block(rest, rest));
    const Matrix cross = K.block(fold, rest);
    for (Index c = 0; c < m; ++c) {
      const GpStart start = full.empty() ? GpStart{} : take(full[std::size_t(c)], rest);
      const GpFit fit = fit_gp(classifier, *K_rest, take(t.col(c), rest), mean, lambda, tolerance, start);
      out.factorisations += fit.factorisations;
      if (!fit.usable()) {
        out.stop = fit.stop;
        continue;
      }
      const LatentMoments at = latent(fit, cross, take(self, fold));
      for (std::size_t k = 0; k < fold.size(); ++k) {
        out.latent[std::size_t(c)].mean[fold[k]] = at.mean[Index(k)];
        out.latent[std::size_t(c)].variance[fold[k]] = at.variance[Index(k)];
      }
    }
  }
  return out;
}

}  // namespace lacuna

#include "lacuna/loo/refit.hpp"

#include <limits>

namespace lacuna {
namespace {

WarmStarts take_rows(const WarmStarts& all, const std::vector<Index>& rows) {
  const auto some = [&](const Vector& v) { return v.size() > 0 ? Vector(v(rows)) : Vector(); };
  WarmStarts out;
  for (const WarmStart& one : all) out.emplace_back(some(one.z), some(one.beta), some(one.pull));
  return out;
}

// The rows that stay when a fold leaves; those of no weight are not there at all.
class Rest {
 public:
  explicit Rest(const Vector& zeta) : zeta_(zeta), held_(static_cast<std::size_t>(zeta.size())) {}

  std::vector<Index> without(const std::vector<Index>& fold) {
    for (const Index i : fold) held_[std::size_t(i)] = 1;
    std::vector<Index> rest;
    for (Index i = 0; i < zeta_.size(); ++i)
      if (!held_[std::size_t(i)] && zeta_[i] > 0.0) rest.push_back(i);
    for (const Index i : fold) held_[std::size_t(i)] = 0;
    return rest;
  }

 private:
  const Vector& zeta_;
  std::vector<char> held_;
};

// Fold after fold: `refit(fold, put)` fits without it and hands each part's outputs for it to `put(z, first)`.
template <class Refit>
Refits fold_by_fold(Index rows, Index columns, const Folds& folds, const Observer& observer, const Refit& refit) {
  const long count = folds.empty() ? long(rows) : long(folds.size());
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Refits out{.z = Matrix::Constant(rows, columns, unknown)};
  for (long f = 0; f < count; ++f) {
    if (!go_on(observer, {.stage = "refits", .done = f, .total = count})) {
      out.z.resize(0, 0);
      out.stop = Stop::interrupted;
      return out;
    }
    const std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(f)} : folds[std::size_t(f)];
    const PartsResult parts = refit(fold, [&](const Matrix& z, Index first) {
      for (Index k = 0; k < z.rows(); ++k) out.z.row(fold[std::size_t(k)]).segment(first, z.cols()) = z.row(k);
    });
    out.factorisations += parts.factorisations;
    if (parts.usable()) continue;
    out.stop = parts.stop;
    for (const Index i : fold) out.z.row(i).setConstant(unknown);
  }
  return out;
}

}  // namespace

Refits refit_held_out(const compute::Gram& K, const Supervision& learn, double lambda, const Folds& folds,
                      const WarmStarts& full, const Observer& observer, const IrlsOptions& options) {
  Rest rows(learn.zeta);
  return fold_by_fold(K.size(), learn.columns(), folds, observer, [&](const std::vector<Index>& fold, const auto& put) {
    const std::vector<Index> rest = rows.without(fold);
    const auto K_rest = subset(K, rest);
    WarmStarts warm = take_rows(full, rest);
    return for_each_part(
        *K_rest, take_rows(learn, rest), lambda, compute::Want::solve, &warm,
        [&](const DualFit& fit, Index first) {
          Matrix alpha = Matrix::Zero(K.size(), fit.alpha.cols());
          alpha(rest, Eigen::all) = fit.alpha;
          put(Matrix(K.multiply(alpha)(fold, Eigen::all)).rowwise() + fit.b.transpose(), first);
          return true;
        },
        options);
  });
}

Refits refit_held_out(const std::shared_ptr<const compute::Features>& features, const RowSource& X,
                      const Supervision& learn, double lambda, const Folds& folds, const WarmStarts& full,
                      const Observer& observer, const IrlsOptions& options) {
  Supervision rest = learn;
  return fold_by_fold(X.rows(), learn.columns(), folds, observer, [&](const std::vector<Index>& fold, const auto& put) {
    for (const Index i : fold) rest.zeta[i] = 0.0;
    WarmStarts warm = full;
    const PartsResult parts = for_each_part(
        features, X, rest, lambda, compute::Want::solve, &warm,
        [&](PrimalFit& fit, Index first) {
          put(Matrix(fit.z(fold, Eigen::all)), first);
          return true;
        },
        options);
    for (const Index i : fold) rest.zeta[i] = learn.zeta[i];
    return parts;
  });
}

Refits refit_held_out(Inference inference, const compute::Gram& K, const Supervision& learn, const Prior& prior,
                      const Folds& folds, const WarmStarts& full, const Observer& observer,
                      const IrlsOptions& options) {
  const Vector self = K.diagonal();
  Rest rows(learn.zeta);
  Matrix mean(K.size(), learn.columns()), variance = mean;
  const auto refit = [&](const std::vector<Index>& fold, const auto& put) {
    const std::vector<Index> rest = rows.without(fold);
    const auto K_rest = subset(K, rest);
    const Rows held = lacuna::take_rows(K.rows(), fold);
    WarmStarts warm = take_rows(full, rest);
    const auto visit = [&](const GpFit& fit, Index c) {
      Vector alpha = Vector::Zero(K.size());
      alpha(rest) = fit.alpha;
      const LatentMoments at{K.multiply(alpha)(fold, 0).array() + prior.mean,
                             posterior_variance(fit, held, self(fold))};
      mean.col(c)(fold) = at.mean;
      variance.col(c)(fold) = at.variance;
      put(moderated(fit.likelihood, at), c);
      return true;
    };
    return for_each_part(inference, *K_rest, lacuna::take_rows(learn, rest), prior, &warm, visit, options);
  };
  Refits out = fold_by_fold(K.size(), learn.columns(), folds, observer, refit);
  out.mean = std::move(mean);
  out.variance = std::move(variance);
  return out;
}

}  // namespace lacuna

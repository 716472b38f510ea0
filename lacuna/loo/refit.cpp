#include "lacuna/loo/refit.hpp"

#include <limits>

namespace lacuna {
namespace {

WarmStarts take_rows(const WarmStarts& all, const std::vector<Index>& rows) {
  WarmStarts out;
  for (const WarmStart& one : all) {
    WarmStart z(one.size() > 0 ? Index(rows.size()) : 0);
    for (Index k = 0; k < z.size(); ++k) z[k] = one[rows[std::size_t(k)]];
    out.push_back(std::move(z));
  }
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
  Refits out{Matrix::Constant(rows, columns, unknown), Stop::converged, 0};
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

Refits refit_held_out(const Gram& K, const Supervision& learn, double lambda, const Folds& folds,
                      const WarmStarts& full, const Observer& observer, const IrlsOptions& options) {
  Rest rows(learn.zeta);
  return fold_by_fold(K.size(), learn.columns(), folds, observer, [&](const std::vector<Index>& fold, const auto& put) {
    const std::vector<Index> rest = rows.without(fold);
    const auto K_rest = subset(K, rest);
    WarmStarts warm = take_rows(full, rest);
    return for_each_part(
        *K_rest, take_rows(learn, rest), lambda, Want::solve, &warm,
        [&](const DualFit& fit, Index first) {
          Matrix alpha = Matrix::Zero(K.size(), fit.alpha.cols());
          alpha(rest, Eigen::all) = fit.alpha;
          put(Matrix(K.multiply(alpha)(fold, Eigen::all)).rowwise() + fit.b.transpose(), first);
          return true;
        },
        options);
  });
}

Refits refit_held_out(const std::shared_ptr<const Features>& features, const RowSource& X, const Supervision& learn,
                      double lambda, const Folds& folds, const WarmStarts& full, const Observer& observer,
                      const IrlsOptions& options) {
  Supervision rest = learn;
  return fold_by_fold(X.rows(), learn.columns(), folds, observer, [&](const std::vector<Index>& fold, const auto& put) {
    for (const Index i : fold) rest.zeta[i] = 0.0;
    WarmStarts warm = full;
    const PartsResult parts = for_each_part(
        features, X, rest, lambda, Want::solve, &warm,
        [&](PrimalFit& fit, Index first) {
          put(Matrix(fit.z(fold, Eigen::all)), first);
          return true;
        },
        options);
    for (const Index i : fold) rest.zeta[i] = learn.zeta[i];
    return parts;
  });
}

}  // namespace lacuna

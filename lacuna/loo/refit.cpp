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

}  // namespace

Refits refit_held_out(const Backend& backend, const Gram& K, const Supervision& learn, double lambda,
                      const Folds& folds, const WarmStarts& full, const Observer& observer) {
  const Index l = K.size();
  const long count = folds.empty() ? long(l) : long(folds.size());
  Refits out{Matrix::Constant(l, learn.columns(), std::numeric_limits<double>::quiet_NaN()), Stop::converged, 0};
  std::vector<char> held(static_cast<std::size_t>(l));
  for (long f = 0; f < count; ++f) {
    if (!go_on(observer, {.stage = "refits", .done = f, .total = count})) {
      out.z.resize(0, 0);
      out.stop = Stop::interrupted;
      return out;
    }
    const std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(f)} : folds[std::size_t(f)];
    for (const Index i : fold) held[std::size_t(i)] = 1;
    std::vector<Index> rest;
    for (Index i = 0; i < l; ++i)
      if (!held[std::size_t(i)] && learn.zeta[i] > 0.0) rest.push_back(i);
    for (const Index i : fold) held[std::size_t(i)] = 0;

    const auto K_rest = backend.gram(K.block(rest, rest));
    const Matrix K_fold = K.block(fold, rest);
    WarmStarts warm = take_rows(full, rest);
    const PartsResult parts = for_each_part(*K_rest, take_rows(learn, rest), lambda, Want::solve, &warm,
                                            [&](const DualFit& fit, Index first) {
                                              const Matrix z = (K_fold * fit.alpha).rowwise() + fit.b.transpose();
                                              for (Index k = 0; k < z.rows(); ++k)
                                                out.z.row(fold[std::size_t(k)]).segment(first, z.cols()) = z.row(k);
                                              return true;
                                            });
    out.factorisations += parts.factorisations;
    if (parts.usable()) continue;
    out.stop = parts.stop;
    for (const Index i : fold) out.z.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

}  // namespace lacuna

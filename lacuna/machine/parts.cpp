#include "lacuna/machine/parts.hpp"

#include <algorithm>

#include "lacuna/base/stopping.hpp"

namespace lacuna {

namespace {

// Rounds of expectation propagation gain a digit or two each, where Newton's method squares what is left.
constexpr double least_ep_tolerance = 1e-9;

WarmStart start_from(const DualFit& fit) { return fit.z.col(0); }
WarmStart start_from(const PrimalFit& fit) { return fit.z.col(0); }

// `solve()` fits all columns of the squared loss, `iterate(c, begin)` column c of any other.
template <class Solve, class Iterate, class Visit>
PartsResult in_parts(const Supervision& learn, WarmStarts* warm, const Solve& solve, const Iterate& iterate,
                     const Visit& visit) {
  PartsResult out;
  if (is_quadratic(learn.loss)) {
    auto fit = solve();
    out.factorisations = 1;
    if (!fit.usable())
      out.stop = Stop::not_positive_definite;
    else if (!visit(fit, 0))
      out.stop = Stop::interrupted;
    return out;
  }
  if (warm != nullptr) warm->resize(std::size_t(learn.columns()));
  for (Index c = 0; c < learn.columns(); ++c) {
    check_stop();
    WarmStart* const begin = warm != nullptr ? &(*warm)[std::size_t(c)] : nullptr;
    auto fitted = iterate(c, begin != nullptr ? *begin : WarmStart{});
    out.factorisations += fitted.factorisations;
    out.stop = fitted.stop;
    if (!out.usable()) return out;
    if (begin != nullptr) *begin = start_from(fitted.fit);
    if (visit(fitted.fit, c)) continue;
    out.stop = Stop::interrupted;
    return out;
  }
  return out;
}

}  // namespace

Supervision take_rows(const Supervision& all, const std::vector<Index>& rows) {
  const auto n = Index(rows.size());
  Supervision out{all.loss, Vector(n), Matrix(n, all.t.cols()), Vector(all.offset.size() > 0 ? n : 0), all.penalty};
  for (Index k = 0; k < n; ++k) {
    const Index i = rows[std::size_t(k)];
    out.zeta[k] = all.zeta[i];
    out.t.row(k) = all.t.row(i);
    if (out.offset.size() > 0) out.offset[k] = all.offset[i];
  }
  return out;
}

PartsResult for_each_part(const compute::Gram& K, const Supervision& learn, double lambda, compute::Want want,
                          WarmStarts* warm, const std::function<bool(const DualFit& fit, Index first)>& visit,
                          const IrlsOptions& options) {
  return in_parts(
      learn, warm, [&] { return solve_dual(K, learn.zeta, learn.t, lambda, want); },
      [&](Index c, const WarmStart& begin) {
        return irls(K, learn.loss, learn.zeta, learn.t.col(c), learn.offset, lambda, want, begin, options);
      },
      visit);
}

PartsResult for_each_part(const std::shared_ptr<const compute::Features>& features, const RowSource& X,
                          const Supervision& learn, double lambda, compute::Want want, WarmStarts* warm,
                          const std::function<bool(PrimalFit& fit, Index first)>& visit, const IrlsOptions& options) {
  return in_parts(
      learn, warm, [&] { return solve_primal(features, X, learn.zeta, learn.t, lambda, want); },
      [&](Index c, const WarmStart& begin) {
        return irls(features, X, learn.loss, learn.zeta, learn.t.col(c), learn.offset, lambda, want, begin, options);
      },
      visit);
}

PartsResult for_each_part(Inference inference, const compute::Gram& K, const Supervision& learn, const Prior& prior,
                          WarmStarts* warm, const std::function<bool(const GpFit& fit, Index first)>& visit,
                          const IrlsOptions& options) {
  struct Part {
    GpFit fit;
    Stop stop;
    int factorisations;
  };
  const double tolerance =
      inference == Inference::ep ? std::max(options.tolerance, least_ep_tolerance) : options.tolerance;
  double unsettled = 0.0;
  const auto fit_column = [&](Index c, const WarmStart& begin) {
    return fit_gp({inference, learn.loss}, K, learn.t.col(c), prior.mean, prior.lambda, tolerance, begin, learn.zeta);
  };
  PartsResult out = in_parts(
      learn, warm, [&] { return fit_column(0, {}); },
      [&](Index c, const WarmStart& begin) {
        Part part{fit_column(c, begin), Stop::converged, 0};
        part.factorisations = part.fit.factorisations;
        if (!part.fit.usable())
          part.stop = part.fit.stop == Stop::converged ? Stop::not_finite : part.fit.stop;
        else if (part.fit.stop != Stop::converged)
          unsettled = std::max(unsettled, part.fit.stationarity);
        return part;
      },
      visit);
  out.unsettled = unsettled;
  return out;
}

}  // namespace lacuna

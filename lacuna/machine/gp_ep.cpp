#include "lacuna/machine/gp_ep.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/machine/detail/anderson.hpp"

namespace lacuna {
namespace {

constexpr std::size_t depth = 5;
// A site below this share of its row's posterior precision is kept at it. There r is as small, so that the row does not
// matter, but 1 - (A^-1)_ii still has digits, and with them the row's variance.
constexpr double least_share = 1e-8;
constexpr double longest_move = 4.0;   // of log beta in one round
constexpr int stuck = 6, calming = 3;  // rounds without progress, and damped rounds after them
constexpr int patience = 24;           // rounds without progress before rounding is blamed
constexpr double settled = 1e-6;       // ... when this is reached
constexpr double fit_for_use = 1e-2;

// nu = beta (eta - m).
struct Sites {
  Vector beta, nu;
};

struct Posterior {
  std::unique_ptr<compute::Factor> factor;
  Vector alpha, z, h;
  Vector variance;       // of the posterior at the rows
  LatentMoments cavity;  // without the row's own site, or that of one of its copies
};

// The sites that match moments, and the logarithms of the normalisers.
struct Renewed {
  Sites sites;
  double log_normaliser = 0.0;
  double change = 0.0;
};

class Ep {
 public:
  Ep(const compute::Gram& K, const losses::Probit& likelihood, const Vector& t, double mean, double lambda,
     const Vector& zeta)
      : K_(K),
        probit_(likelihood),
        t_(t),
        mean_(mean),
        lambda_(lambda),
        prior_(K.diagonal() / lambda),
        zeta_(zeta.size() > 0 ? zeta : Vector(Vector::Ones(K.size()))) {}

  Sites from_prior() const {
    Posterior p;
    p.variance = prior_;
    p.cavity = {Vector::Constant(K_.size(), mean_), prior_};
    return renew(p, nullptr).sites;
  }
  Sites from(const WarmStart& start) const {
    const Index l = K_.size();
    if (start.z.size() != l || start.beta.size() != l || start.pull.size() != l) return from_prior();
    Sites s{start.beta.cwiseMax((least_share / prior_.array().max(1e-300)).matrix()), Vector(l)};
    s.nu = start.beta.cwiseProduct((start.z.array() - mean_).matrix()) + start.pull;
    return s.beta.allFinite() && s.nu.allFinite() ? s : from_prior();
  }

  bool posterior(const Sites& s, Posterior& p) const {
    p.factor = K_.factor(s.beta, lambda_, compute::Want::inverse);
    if (!p.factor) return false;
    p.alpha = p.factor->solve(s.nu.cwiseQuotient(s.beta));
    p.z = K_.multiply(p.alpha).array() + mean_;
    p.h = (1.0 - lambda_ * p.factor->inverse_diagonal().array() / s.beta.array())
              .max(1e-2 * least_share)
              .min(1.0 - 1e-15);
    p.variance = p.h.cwiseQuotient(s.beta).cwiseMin(prior_);
    p.cavity.variance = (p.variance.array() / (1.0 - p.h.array() / zeta_.array())).min(prior_.array());
    p.cavity.mean = p.z - lambda_ * p.alpha.cwiseQuotient(zeta_).cwiseProduct(p.cavity.variance);
    return p.z.allFinite();
  }

  Renewed renew(const Posterior& p, const Sites* old) const {
    const Index l = K_.size();
    Renewed out{{Vector(l), Vector(l)}};
    for (Index i = 0; i < l; ++i) {
      const double mu = p.cavity.mean[i], v = probit_.s * probit_.s * p.cavity.variance[i], q = std::sqrt(1.0 + v);
      const double y = t_[i] >= 0.5 ? 1.0 : -1.0;
      const losses::Probit::Tail a = losses::Probit::tail(probit_.s * y * mu / q);
      const double beta = probit_.s * probit_.s * a.r * a.excess / (1.0 + v * a.excess_slope);
      out.sites.beta[i] = zeta_[i] * std::max(beta, least_share / std::max(p.variance[i], 1e-300));
      out.sites.nu[i] = zeta_[i] * beta * (mu - mean_ + y * q / (probit_.s * a.excess));
      out.log_normaliser -= zeta_[i] * a.minus_log;
      if (old == nullptr) continue;
      const double d_beta = out.sites.beta[i] - old->beta[i], d_nu = out.sites.nu[i] - old->nu[i];
      out.change = std::max({out.change, std::abs(d_beta) * p.variance[i],
                             std::abs(d_nu - d_beta * (p.z[i] - mean_)) * std::sqrt(p.variance[i])});
    }
    return out;
  }

  double log_evidence(const Sites& s, const Posterior& p, double log_normaliser) const {
    const auto copies = zeta_.array();
    const auto a = lambda_ * p.alpha.array() / copies;
    const auto v = p.cavity.variance.array();
    return log_normaliser - 0.5 * p.factor->log_determinant() +
           0.5 * (copies * (s.beta.array() / copies * v).log1p()).sum() +
           0.5 * (copies * a * (a * v - p.z.array() + mean_)).sum();
  }

  // Anderson's acceleration sees log beta, which keeps precisions positive, and the pull at the present mean,
  // nu - beta (z - m), which is what moves that mean.
  Sites accelerated(const Sites& s, const Posterior& p, const detail::Anderson<Sites>& anderson) const {
    const Index l = K_.size();
    const Vector at = p.z.array() - mean_;
    const auto coordinates = [&](const Sites& any) {
      Vector x(2 * l);
      x << any.beta.array().log().matrix(), any.nu - any.beta.cwiseProduct(at);
      return x;
    };
    Vector weight(2 * l);
    weight << s.beta.cwiseProduct(p.variance), p.variance.cwiseSqrt();
    const Vector next = anderson.next(coordinates, weight);
    const auto log_beta = s.beta.array().log();
    Sites out;
    out.beta = next.head(l).array().max(log_beta - longest_move).min(log_beta + longest_move).exp();
    out.beta = out.beta.cwiseMax((least_share / p.variance.array().max(1e-300)).matrix());
    out.nu = next.tail(l) + out.beta.cwiseProduct(at);
    return out;
  }
  static Sites damped(const Sites& s, const Sites& to) { return {0.5 * (s.beta + to.beta), 0.5 * (s.nu + to.nu)}; }

 private:
  const compute::Gram& K_;
  losses::Probit probit_;
  const Vector& t_;
  double mean_, lambda_;
  Vector prior_;  // variances
  Vector zeta_;
};

}  // namespace

GpFit gp_ep(const compute::Gram& K, const losses::Probit& likelihood, const Vector& t, double mean, double lambda,
            const GpEpOptions& options, const WarmStart& start, const Vector& zeta) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  GpFit fit;
  fit.likelihood = likelihood;
  fit.lambda = lambda;
  fit.mean = mean;
  fit.stop = Stop::max_evaluations;
  fit.stationarity = infinity;
  const Ep ep(K, likelihood, t, mean, lambda, zeta);
  detail::Anderson<Sites> anderson(depth);
  Sites sites = ep.from(start);
  double last = infinity, mark = infinity;  // progress is half of the last mark
  int damped_until = 0;
  for (int round = 0, idle = 0; round < options.max_rounds; ++round, ++idle) {
    Posterior p;
    ++fit.factorisations;
    if (!ep.posterior(sites, p)) {
      fit.stop = p.factor ? Stop::not_finite : Stop::not_positive_definite;
      break;
    }
    const Renewed to = ep.renew(p, &sites);
    if (to.change < 0.5 * mark) {
      mark = to.change;
      idle = 0;
    }
    if (!(to.change <= 3.0 * last) || (idle > 0 && idle % stuck == 0)) {
      anderson.forget();
      damped_until = round + calming;
    }
    anderson.met(sites, to.sites);
    Sites next = round < damped_until ? Ep::damped(sites, to.sites) : ep.accelerated(sites, p, anderson);
    if (to.change < fit.stationarity) {
      fit.stationarity = to.change;
      fit.log_evidence = ep.log_evidence(sites, p, to.log_normaliser);
      fit.factor = std::move(p.factor);
      fit.beta = std::move(sites.beta);
      fit.alpha = std::move(p.alpha);
      fit.z = std::move(p.z);
      fit.leverage = std::move(p.h);
    }
    if (to.change <= options.tolerance || (idle >= patience && fit.stationarity < settled)) {
      fit.stop = Stop::converged;
      break;
    }
    last = to.change;
    sites = std::move(next);
  }
  const bool good = fit.stop == Stop::converged || fit.stationarity < fit_for_use;
  if (!good || !std::isfinite(fit.log_evidence)) fit.log_evidence = -infinity;
  return fit;
}

}  // namespace lacuna

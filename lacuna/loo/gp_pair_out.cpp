#include "lacuna/loo/gp_pair_out.hpp"

#include <numbers>

namespace lacuna {

double leave_pair_out_auc(const Gram& K, const GpFit& fit, const Vector& side) {
  const Vector v = held_out_latent(K, fit).variance;
  const auto* probit = std::get_if<Probit>(&fit.likelihood);
  const double tie = 1e-12 * fit.z.cwiseAbs().maxCoeff();  // what differs by rounding only
  return fit.factor->pair_areas({.pairs = {side, Vector::Constant(1, tie)},
                                 .alpha = fit.alpha,
                                 .z = fit.z,
                                 .variance = v.array() / (1.0 + fit.beta.array() * v.array()),
                                 .spread = probit != nullptr ? probit->s * probit->s : std::numbers::pi / 8.0})[0];
}

}  // namespace lacuna

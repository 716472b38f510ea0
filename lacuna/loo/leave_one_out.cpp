#include "lacuna/loo/leave_one_out.hpp"

namespace lacuna {

Matrix leave_one_out(const DualFit& fit, const Vector& Q_ii) {
  Matrix z = fit.z;
  for (Index i = 0; i < z.rows(); ++i) {
    if (!fit.in_system(i)) continue;
    const double tau = 1.0 / Q_ii[i] - fit.lambda / fit.beta[i];  // held-out variance of the latent output
    z.row(i) -= tau * fit.alpha.row(i);
  }
  return z;
}

}  // namespace lacuna

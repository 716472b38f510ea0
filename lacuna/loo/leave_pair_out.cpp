#include "lacuna/loo/leave_pair_out.hpp"

#include <limits>

namespace lacuna {

Vector leave_pair_out_auc(const DualFit& fit, const Matrix& side) {
  if ((fit.beta.array() > 0.0).count() < 3 || !(side.array() != 0.0).any())
    return Vector::Constant(side.cols(), std::numeric_limits<double>::quiet_NaN());
  // Outputs that differ by rounding only are ties: a machine without skill must score one half.
  const Vector tie = 1e-12 * fit.eta.cwiseAbs().colwise().maxCoeff().transpose();
  return fit.factor->pair_areas({.pairs = {side, tie}, .alpha = fit.alpha, .z = fit.z, .eta = fit.eta, .xi = fit.xi});
}

}  // namespace lacuna

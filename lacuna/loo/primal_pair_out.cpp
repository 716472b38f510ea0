#include "lacuna/loo/primal_pair_out.hpp"

#include <limits>

namespace lacuna {

Vector leave_pair_out_auc(const RowSource& X, const PrimalFit& fit, const Matrix& side) {
  constexpr Index most_rows = 5000;
  if (X.rows() > most_rows) return Vector::Constant(side.cols(), std::numeric_limits<double>::quiet_NaN());
  // Outputs that differ by rounding only are ties: a machine without skill must score one half.
  const Vector tie = 1e-12 * fit.z.cwiseAbs().colwise().maxCoeff().transpose();
  return fit.factor->pair_areas(X, fit, {side, tie});
}

}  // namespace lacuna

#include "lacuna/loo/leave_fold_out.hpp"

namespace lacuna {

Matrix leave_fold_out(const DualFit& fit, const Folds& folds) {
  Matrix z = fit.z;
  const Matrix e = fit.factor->leave_out(folds, fit.xi, fit.alpha);
  for (const auto& fold : folds)
    for (const Index i : fold) {
      if (fit.in_system(i))
        z.row(i) += (fit.lambda / fit.beta[i]) * fit.alpha.row(i) - e.row(i);
      else
        z.row(i) -= e.row(i);
    }
  return z;
}

}  // namespace lacuna

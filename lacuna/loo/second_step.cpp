#include "lacuna/loo/second_step.hpp"

#include "lacuna/compute/parallel.hpp"

namespace lacuna {

Vector second_step(const DualFit& fit, const Supervision& learn, Index column) {
  const Index l = fit.z.rows();
  const Matrix Q = full_Q(fit);
  // The fit is a step of its own beyond the point where beta and eta were taken: everything is measured from its outputs.
  Vector c1(l);
  for (Index j = 0; j < l; ++j) c1[j] = at(learn.loss, fit.z(j, 0) + learn.offset_of(j), learn.t(j, column)).c1;
  Vector dz = Vector::Zero(l);
  parallel_ranges(l, l > 500 ? 16 : l, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      if (!fit.in_system(i)) continue;
      const double e = fit.alpha(i, 0) / Q(i, i);
      double sum = 0.0;
      for (Index j = 0; j < l; ++j) {
        if (j == i || !fit.in_system(j)) continue;
        const double d = fit.lambda / fit.beta[j] * Q(j, i) * e;
        const double z = fit.z(j, 0) + d + learn.offset_of(j);
        const double rho = learn.zeta[j] * (at(learn.loss, z, learn.t(j, column)).c1 - c1[j]) - fit.beta[j] * d;
        sum += Q(j, i) * rho / fit.beta[j];
      }
      dz[i] = sum / Q(i, i);
    }
  });
  return dz;
}

}  // namespace lacuna

#include "lacuna/loo/line_search_out.hpp"

#include <cmath>

#include "lacuna/compute/parallel.hpp"

namespace lacuna {
namespace {

constexpr double furthest = 50.0, precision = 1e-3;

// Where a slope that rises with s crosses zero: Newton's method inside a bracket that shrinks. `slope(s)` gives the slope and
// its own slope.
template <class Slope>
double zero_of(const Slope& slope) {
  double low = 0.0, high = furthest, s = 1.0;
  for (int trial = 0; trial < 40; ++trial) {
    const auto [first, second] = slope(s);
    (first > 0.0 ? high : low) = s;
    double next = second > 0.0 ? s - first / second : furthest;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - s) <= precision * s) return next;
    s = next;
  }
  return s;
}

}  // namespace

Vector leave_one_out_along_line(const DualFit& fit, const Supervision& learn, Index column) {
  const Index l = fit.z.rows();
  const Matrix Q = full_Q(fit);
  const Vector alpha = fit.alpha.col(0), t = learn.t.col(column), z = fit.z.col(0);
  const Vector with_offset = learn.offset.size() > 0 ? Vector(z + learn.offset) : z;
  Vector out = z;
  const auto leave = [&](const auto& loss, Index i) {
    const double e = alpha[i] / Q(i, i);
    Vector u = Vector::Zero(l);
    for (Index j = 0; j < l; ++j)
      if (fit.in_system(j)) u[j] = fit.lambda / fit.beta[j] * Q(j, i) * e;
    u[i] = -(1.0 / Q(i, i) - fit.lambda / fit.beta[i]) * alpha[i];
    const double at_0 = fit.lambda * alpha.dot(u), per_s = -fit.lambda * e * Q.col(i).dot(u);
    const double s = zero_of([&](double step) {
      double first = at_0 + step * per_s, second = per_s;
      for (Index j = 0; j < l; ++j) {
        if (j == i || u[j] == 0.0) continue;
        const LossAt a = loss.at(with_offset[j] + step * u[j], t[j]);
        first += learn.zeta[j] * a.c1 * u[j];
        second += learn.zeta[j] * a.c2 * u[j] * u[j];
      }
      return std::pair(first, second);
    });
    return z[i] + s * u[i];
  };
  std::visit(
      [&](const auto& loss) {
        parallel_ranges(l, l > 500 ? 16 : l, [&](Index first, Index last) {
          for (Index i = first; i < last; ++i)
            if (fit.in_system(i)) out[i] = leave(loss, i);
        });
      },
      learn.loss);
  return out;
}

}  // namespace lacuna

#include "lacuna/loss/detail/summed_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna::detail {
namespace {

// c'' has a floor inside the Newton system: relative to |c'|, so that no row asks to move by more than 1e12 units (a
// row far on its right side, where c' and c'' vanish together, is left alone), and absolute, so that 1/beta does not
// overflow.
constexpr double curvature_floor = 1e-12, least_curvature = 1e-200;

}  // namespace

double SummedLoss::loss(const Vector& z) const {
  double sum = 0.0;
  for (Index i = 0; i < rows(); ++i)
    if (zeta_[i] > 0.0) sum += zeta_[i] * at(i, z[i]).c;
  return sum;
}

RowWeight SummedLoss::weight(Index i, double z) const {
  if (!(zeta_[i] > 0.0)) return {};
  const losses::LossAt a = at(i, z);
  if (a.c2 == 0.0 && a.c1 == 0.0) return {};
  const double c2 = std::max({a.c2, curvature_floor / unit_ * std::abs(a.c1), least_curvature});
  return {
      .beta = zeta_[i] * c2, .pull = -zeta_[i] * a.c1, .bend = a.c2 == c2 && c2 > curvature_floor ? a.c3 / a.c2 : 0.0};
}

losses::LossAt SummedLoss::all_at(double b) const {
  losses::LossAt sum{0.0, 0.0, 0.0, 0.0};
  for (Index i = 0; i < rows(); ++i) {
    if (!(zeta_[i] > 0.0)) continue;
    const losses::LossAt a = at(i, b);
    sum.c1 += zeta_[i] * a.c1;
    sum.c2 += zeta_[i] * a.c2;
  }
  return sum;
}

// Newton's method kept inside a bracket that shrinks, and halved where Newton crawls (down an exponential it moves by 1
// a step). The bracket covers every target that a loss takes as a value, and every logarithm of a double that one takes
// as a rate or odds.
std::optional<double> SummedLoss::intercept() const {
  const bool shifted = offset_.size() > 0;
  double low = std::min(-700.0, t_.minCoeff() - 1.0) - (shifted ? offset_.maxCoeff() : 0.0);
  double high = std::max(700.0, t_.maxCoeff() + 1.0) - (shifted ? offset_.minCoeff() : 0.0);
  if (!(all_at(low).c1 < 0.0 && all_at(high).c1 > 0.0)) return std::nullopt;
  double b = std::clamp(0.0, low, high), last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 200; ++k) {
    const losses::LossAt all = all_at(b);
    (all.c1 > 0.0 ? high : low) = b;
    double next = b - all.c1 / all.c2;
    if (!(next > low && next < high && std::abs(all.c1) <= 0.25 * last)) next = 0.5 * (low + high);
    if (std::abs(next - b) <= 1e-12 * (1.0 + std::abs(b))) return next;
    last = std::abs(all.c1);
    b = next;
  }
  return b;
}

Working working(const SummedLoss& objective, double lambda, const Vector& alpha, const Vector& z) {
  const Index l = z.size();
  Working w{Vector::Zero(l), z, Vector::Zero(l), 0.0, false};
  double largest = 0.0, gap = 0.0;
  for (Index i = 0; i < l; ++i) {
    const RowWeight a = objective.weight(i, z[i]);
    largest = std::max(largest, pull_to_tell(a, z[i]));
    gap = std::max(gap, std::abs(lambda * alpha[i] - a.pull));
    if (a.beta == 0.0) continue;  // leaves the system
    w.beta[i] = a.beta;
    w.eta[i] = z[i] + a.pull / a.beta;
    if (a.bend != 0.0) w.curvature[i] = a.bend / (a.beta * a.beta);
  }
  w.any = w.beta.maxCoeff() > 0.0;
  w.stationarity = largest > 0.0 ? gap / largest : gap;
  return w;
}

}  // namespace lacuna::detail

#include "lacuna/criterion/calibration.hpp"

#include <Eigen/LU>
#include <cmath>

namespace lacuna {
namespace {

constexpr int most_steps = 100;
constexpr double settled = 1e-13;  // relative, of the value

// Of the prior: of the scale, in units of the outputs' own size, and of the shift.
const Eigen::Vector2d precision(0.1, 1e-3);

// Loss and prior as a function of (scale, shift), with two derivatives.
struct Sum {
  double value;
  Eigen::Vector2d gradient;
  Eigen::Matrix2d hessian;
};

template <class Link>
Calibrated calibrate(const Link& link, const Vector& z, const std::vector<int>& label, const Vector& weights,
                     double least_scale) {
  const Index l = z.size();
  const double total = weights.sum();
  // Under a large regulariser outputs are tiny.
  const double size = std::sqrt(weights.dot(z.cwiseAbs2()) / total);
  const double unit = size > 0.0 ? 1.0 / size : 0.0;
  const auto loss = [&](Index i, double u) { return link.at(u, label[std::size_t(i)] == 1 ? 1.0 : 0.0); };
  const auto at = [&](const Eigen::Vector2d& p) {
    Sum sum{0.5 * p.dot(precision.cwiseProduct(p)), precision.cwiseProduct(p), precision.asDiagonal()};
    for (Index i = 0; i < l; ++i) {
      if (!(weights[i] > 0.0)) continue;
      const Eigen::Vector2d x(z[i] * unit, 1.0);
      const LossAt c = loss(i, p.dot(x));
      sum.value += weights[i] * c.c;
      sum.gradient += weights[i] * c.c1 * x;
      sum.hessian += weights[i] * c.c2 * x * x.transpose();
    }
    return sum;
  };

  // Newton's method, halved when it goes too far; the scale may be held.
  const auto descend = [&](Eigen::Vector2d& p, bool hold_scale) {
    Sum here = at(p);
    for (int k = 0; k < most_steps; ++k) {
      Eigen::Vector2d step = -here.hessian.inverse() * here.gradient;
      if (hold_scale) step = {0.0, -here.gradient[1] / here.hessian(1, 1)};
      Sum next = at(p + step);
      while (!(next.value <= here.value) && step.norm() > 1e-10) {
        step *= 0.5;
        next = at(p + step);
      }
      if (!(next.value <= here.value)) break;
      const bool done = here.value - next.value <= settled * std::abs(here.value);
      p += step;
      here = next;
      if (done) break;
    }
    return here.value;
  };
  Calibrated out;
  Eigen::Vector2d p(1.0, 0.0);
  out.value = descend(p, false) / total;
  out.calibration = {p[0] * unit, p[1], true};
  if (!(out.calibration.scale > least_scale)) {
    p[0] = least_scale * size;
    out.value = descend(p, true) / total;
    out.calibration = least_scale > 0.0 ? Calibration{least_scale, p[1], true} : Calibration{};
  }
  out.prior = 0.5 * p.dot(precision.cwiseProduct(p)) / total;
  const double scale = size > 0.0 ? p[0] * unit : least_scale;
  out.slope.resize(l);
  for (Index i = 0; i < l; ++i)
    out.slope[i] = weights[i] > 0.0 ? weights[i] * scale * loss(i, scale * z[i] + p[1]).c1 : 0.0;
  // The outputs make up the unit that the prior's scale is measured in.
  out.slope += precision[0] * scale * scale / total * weights.cwiseProduct(z);
  out.slope /= total;
  return out;
}

}  // namespace

Loss link_of(const Loss& loss) { return std::holds_alternative<Probit>(loss) ? loss : Loss(Logistic{}); }

Calibrated calibrate_two_classes(const Loss& link, const Vector& z, const std::vector<int>& label,
                                 const Vector& weights, double least_scale) {
  return std::visit([&](const auto& l) { return calibrate(l, z, label, weights, least_scale); }, link);
}

}  // namespace lacuna

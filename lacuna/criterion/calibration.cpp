#include "lacuna/criterion/calibration.hpp"

#include <Eigen/LU>
#include <cmath>

#include "lacuna/criterion/detail/calibration_prior.hpp"

namespace lacuna {
namespace {

constexpr int most_newton_steps = 100;
constexpr double settled_gain = 1e-13;  // relative, of the value

// Loss and prior as a function of (scale, shift), with two derivatives.
struct CurveSum {
  double value = 0.0;
  Eigen::Vector2d gradient{0.0, 0.0};
  Eigen::Matrix2d hessian = Eigen::Matrix2d::Zero();
};

CurveSum prior(const Eigen::Vector2d& p) {
  const detail::PriorAt reach = detail::prior_of_reach(p[0]);
  CurveSum out{.value = 0.5 * detail::precision_of_shift * p[1] * p[1],
               .gradient = {reach.slope, detail::precision_of_shift * p[1]}};
  out.value += reach.value;
  out.hessian = Eigen::Vector2d(reach.curvature, detail::precision_of_shift).asDiagonal();
  return out;
}

template <class Link>
Calibrated calibrate(const Link& link, const Vector& z, const std::vector<int>& label, const Vector& weights,
                     double one_row, double least_scale) {
  const Index l = z.size();
  const Vector rows = weights / one_row;
  const double total = rows.sum();
  // Under a large regulariser outputs are tiny.
  const double size = std::sqrt(rows.dot(z.cwiseAbs2()) / total);
  const double unit = size > 0.0 ? 1.0 / size : 0.0;
  const auto loss = [&](Index i, double u) { return link.at(u, label[std::size_t(i)] == 1 ? 1.0 : 0.0); };
  const auto at = [&](const Eigen::Vector2d& p) {
    CurveSum sum = prior(p);
    for (Index i = 0; i < l; ++i) {
      if (!(rows[i] > 0.0)) continue;
      const Eigen::Vector2d x(z[i] * unit, 1.0);
      const losses::LossAt c = loss(i, p.dot(x));
      sum.value += rows[i] * c.c;
      sum.gradient += rows[i] * c.c1 * x;
      sum.hessian += rows[i] * c.c2 * x * x.transpose();
    }
    return sum;
  };

  // Newton's method, halved when it goes too far; the scale may be held.
  const auto descend = [&](Eigen::Vector2d& p, bool hold_scale) {
    CurveSum here = at(p);
    for (int k = 0; k < most_newton_steps; ++k) {
      Eigen::Vector2d step = -here.hessian.inverse() * here.gradient;
      if (hold_scale) step = {0.0, -here.gradient[1] / here.hessian(1, 1)};
      CurveSum next = at(p + step);
      while (!(next.value <= here.value) && step.norm() > 1e-10) {
        step *= 0.5;
        next = at(p + step);
      }
      if (!(next.value <= here.value)) break;
      const bool done = here.value - next.value <= settled_gain * std::abs(here.value);
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
  const double scale = size > 0.0 ? p[0] * unit : least_scale;
  out.slope.resize(l);
  for (Index i = 0; i < l; ++i) out.slope[i] = rows[i] > 0.0 ? rows[i] * scale * loss(i, scale * z[i] + p[1]).c1 : 0.0;
  // The outputs make up the unit that the prior's scale is measured in.
  out.slope += prior(p).hessian(0, 0) * scale * scale / total * rows.cwiseProduct(z);
  out.slope /= total;
  return out;
}

}  // namespace

Loss link_of(const Loss& loss) {
  return std::holds_alternative<losses::Probit>(loss) ? loss : Loss(losses::Logistic{});
}

Calibrated calibrate_two_classes(const Loss& link, const Vector& z, const std::vector<int>& label,
                                 const Vector& weights, double one_row, double least_scale) {
  return std::visit([&](const auto& l) { return calibrate(l, z, label, weights, one_row, least_scale); }, link);
}

}  // namespace lacuna

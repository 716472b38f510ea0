#include "lacuna/machine/irls.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

constexpr double curvature_floor = 1e-12;  // of c'' inside the Newton system

// A point of the iteration: coefficients, bias and the outputs they give.
struct Point {
  Vector alpha;
  double b = 0.0;
  Vector z;
};

class Objective {
 public:
  Objective(const Loss& loss, const Vector& zeta, const Vector& t, const Vector& offset, double lambda)
      : loss_(loss), zeta_(zeta), t_(t), offset_(offset), lambda_(lambda) {}

  LossAt at(Index i, double z) const { return lacuna::at(loss_, offset_.size() > 0 ? z + offset_[i] : z, t_[i]); }
  double value(const Point& p) const {
    double sum = 0.5 * lambda_ * p.alpha.dot((p.z.array() - p.b).matrix());  // alpha' K alpha = sum alpha_i (z_i - b)
    for (Index i = 0; i < t_.size(); ++i)
      if (zeta_[i] > 0.0) sum += zeta_[i] * at(i, p.z[i]).c;
    return sum;
  }
  // The bias alone: Newton's method kept inside a bracket that shrinks. The bracket covers every target that a loss
  // takes as a value, and every logarithm of a double that one takes as a rate or odds.
  double intercept() const {
    double low = std::min(-50.0, t_.minCoeff() - 1.0), high = std::max(50.0, t_.maxCoeff() + 1.0), b = 0.0;
    for (int k = 0; k < 200; ++k) {
      double slope = 0.0, bend = 0.0;
      for (Index i = 0; i < t_.size(); ++i) {
        if (!(zeta_[i] > 0.0)) continue;
        const LossAt a = at(i, b);
        slope += zeta_[i] * a.c1;
        bend += zeta_[i] * a.c2;
      }
      (slope > 0.0 ? high : low) = b;
      double next = b - slope / bend;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (std::abs(next - b) <= 1e-12 * (1.0 + std::abs(b))) return next;
      b = next;
    }
    return b;
  }
  const Vector& zeta() const { return zeta_; }
  double lambda() const { return lambda_; }

 private:
  const Loss& loss_;
  const Vector& zeta_;
  const Vector& t_;
  const Vector& offset_;
  double lambda_;
};

// The weighted least-squares problem at a point, and how far the point is from solving its own.
struct Working {
  Vector beta, eta, curvature;
  double stationarity = 0.0;  // max |lambda alpha + zeta c'| / max |zeta c'|
};

Working working_problem(const Objective& objective, const Point& p) {
  const Index l = p.z.size();
  Working w{Vector::Zero(l), p.z, Vector::Zero(l), 0.0};
  double largest = 0.0, gap = 0.0;
  for (Index i = 0; i < l; ++i) {
    const double zeta = objective.zeta()[i];
    const LossAt a = zeta > 0.0 ? objective.at(i, p.z[i]) : LossAt{0.0, 0.0, 0.0, 0.0};
    largest = std::max(largest, std::abs(zeta * a.c1));
    gap = std::max(gap, std::abs(objective.lambda() * p.alpha[i] + zeta * a.c1));
    if (a.c2 == 0.0 && a.c1 == 0.0) continue;  // leaves the system
    const double c2 = std::max(a.c2, curvature_floor);
    w.beta[i] = zeta * c2;
    w.eta[i] = p.z[i] - a.c1 / c2;
    if (a.c2 > curvature_floor) w.curvature[i] = a.c3 / a.c2 / (w.beta[i] * w.beta[i]);
  }
  w.stationarity = largest > 0.0 ? gap / largest : gap;
  return w;
}

Point start(const Gram& K, const Objective& objective, const WarmStart& warm) {
  Point cold{Vector::Zero(K.size()), objective.intercept(), {}};
  cold.z = Vector::Constant(K.size(), cold.b);
  if (warm.alpha.size() != K.size()) return cold;
  Point begun{warm.alpha, warm.b, K.multiply(warm.alpha)};
  begun.z.array() += warm.b;
  const double value = objective.value(begun);
  return std::isfinite(value) && value < objective.value(cold) ? begun : cold;
}

Point between(const Point& from, const Point& to, double step) {
  return {from.alpha + step * (to.alpha - from.alpha), from.b + step * (to.b - from.b),
          from.z + step * (to.z - from.z)};
}

}  // namespace

IrlsFit irls(const Gram& K, const Loss& loss, const Vector& zeta, const Vector& t, const Vector& offset, double lambda,
             Want want, const WarmStart& warm, const IrlsOptions& options) {
  const Objective objective(loss, zeta, t, offset, lambda);
  IrlsFit out;
  Point p = start(K, objective, warm);
  double value = objective.value(p);
  Working w = working_problem(objective, p);
  bool solved = false;  // the next factorisation is the one that is kept
  for (int k = 0; k < options.max_iterations && std::isfinite(value); ++k) {
    solved = solved || w.stationarity <= options.tolerance;
    if (!(w.beta.maxCoeff() > 0.0)) break;  // every row is beyond the margin: nothing pulls any more
    DualFit fit = solve_dual(K, w.beta, w.eta, lambda, solved ? want : Want::solve);
    ++out.factorisations;
    if (!fit.usable()) {
      out.stop = Stop::not_positive_definite;
      return out;
    }
    out.stationarity = w.stationarity;
    out.objective = value;
    if (solved) {
      const bool weights_move = (w.curvature.array() != 0.0).any();
      if (weights_move) fit.curvature = w.curvature;
      out.stop = Stop::converged;
      out.fit = std::move(fit);
      return out;
    }
    // Halve the step until the objective falls; near the optimum, where it cannot tell any more, by less than rounding.
    const Point newton{fit.alpha.col(0), fit.b[0], fit.z.col(0)};
    Point next = newton;
    double next_value = objective.value(next), step = 1.0;
    const double slack = 1e-13 * std::abs(value);
    while (!(next_value <= value + slack) && step > 1e-12) {
      step *= 0.5;
      next = between(p, newton, step);
      next_value = objective.value(next);
    }
    if (!(next_value <= value + slack)) {
      solved = w.stationarity < 1e-6;  // rounding has the last word
      if (!solved) break;
      continue;
    }
    Working w_next = working_problem(objective, next);
    // No further progress although close: this is as far as double precision goes.
    if (w.stationarity < 1e-7 && w_next.stationarity > 0.5 * w.stationarity) {
      solved = true;
      if (w_next.stationarity > w.stationarity) continue;
    }
    p = std::move(next);
    w = std::move(w_next);
    value = next_value;
  }
  out.stop = std::isfinite(value) && w.beta.maxCoeff() > 0.0 ? Stop::max_evaluations : Stop::not_finite;
  return out;
}

}  // namespace lacuna

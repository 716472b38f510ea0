#include "lacuna/machine/irls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lacuna {
namespace {

// c'' has a floor inside the Newton system: relative to |c'|, so that no row asks to move by more than 1e12 (a row far on
// its right side, where c' and c'' vanish together, is left alone), and absolute, so that 1/beta does not overflow.
constexpr double curvature_floor = 1e-12, least_curvature = 1e-200;

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
  // The bias alone: Newton's method kept inside a bracket that shrinks, and halved where Newton crawls (down an
  // exponential it moves by 1 a step). The bracket covers every target that a loss takes as a value, and every logarithm
  // of a double that one takes as a rate or odds. None when all rows pull one way: then neither the bias alone nor the
  // whole problem has a finite optimum.
  std::optional<double> intercept() const {
    const bool shifted = offset_.size() > 0;
    double low = std::min(-700.0, t_.minCoeff() - 1.0) - (shifted ? offset_.maxCoeff() : 0.0);
    double high = std::max(700.0, t_.maxCoeff() + 1.0) - (shifted ? offset_.minCoeff() : 0.0);
    if (!(pull(low).c1 < 0.0 && pull(high).c1 > 0.0)) return std::nullopt;
    double b = std::clamp(0.0, low, high), last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 200; ++k) {
      const LossAt all = pull(b);
      (all.c1 > 0.0 ? high : low) = b;
      double next = b - all.c1 / all.c2;
      if (!(next > low && next < high && std::abs(all.c1) <= 0.25 * last)) next = 0.5 * (low + high);
      if (std::abs(next - b) <= 1e-12 * (1.0 + std::abs(b))) return next;
      last = std::abs(all.c1);
      b = next;
    }
    return b;
  }
  const Vector& zeta() const { return zeta_; }
  double lambda() const { return lambda_; }

 private:
  LossAt pull(double b) const {  // of all rows at the output b: the sums of zeta c' and zeta c''
    LossAt sum{0.0, 0.0, 0.0, 0.0};
    for (Index i = 0; i < t_.size(); ++i) {
      if (!(zeta_[i] > 0.0)) continue;
      const LossAt a = at(i, b);
      sum.c1 += zeta_[i] * a.c1;
      sum.c2 += zeta_[i] * a.c2;
    }
    return sum;
  }

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
    const double c2 = std::max({a.c2, curvature_floor * std::abs(a.c1), least_curvature});
    w.beta[i] = zeta * c2;
    w.eta[i] = p.z[i] - a.c1 / c2;
    if (a.c2 == c2 && c2 > curvature_floor) w.curvature[i] = a.c3 / a.c2 / (w.beta[i] * w.beta[i]);
  }
  w.stationarity = largest > 0.0 ? gap / largest : gap;
  return w;
}

Point start(const Gram& K, const Objective& objective, double intercept, const WarmStart& warm) {
  Point cold{Vector::Zero(K.size()), intercept, {}};
  cold.z = Vector::Constant(K.size(), cold.b);
  if (warm.alpha.size() != K.size()) return cold;
  Point begun{warm.alpha, warm.b, K.multiply(warm.alpha)};
  begun.z.array() += warm.b;
  const double value = objective.value(begun);
  return std::isfinite(value) && value < objective.value(cold) ? begun : cold;
}

// The solver gives z_i = eta_i - lambda alpha_i / beta_i. Where c'' is tiny, eta_i is far away and takes the digits of z_i
// with it; K alpha + b loses fewer as soon as |eta_i| exceeds its terms, |K_ij| <= sqrt(K_ii K_jj).
void restore_outputs(const Gram& K, DualFit& fit) {
  const Vector root = K.diagonal().cwiseAbs().cwiseSqrt();
  const Vector terms = (root * root.dot(fit.alpha.col(0).cwiseAbs())).array() + std::abs(fit.b[0]);
  if ((fit.eta.col(0).cwiseAbs().array() <= terms.array()).all()) return;
  const Matrix K_alpha = K.multiply(fit.alpha);
  for (Index i = 0; i < K.size(); ++i)
    if (std::abs(fit.eta(i, 0)) > terms[i]) fit.z(i, 0) = K_alpha(i, 0) + fit.b[0];
}

// The derivative of the objective at a point, along the line between two others (K d alpha = dz - db).
double slope(const Objective& objective, const Point& at, const Point& from, const Point& to) {
  double sum = -objective.lambda() * at.alpha.sum() * (to.b - from.b);
  for (Index i = 0; i < at.z.size(); ++i) {
    const double zeta = objective.zeta()[i], pull = zeta > 0.0 ? zeta * objective.at(i, at.z[i]).c1 : 0.0;
    sum += (objective.lambda() * at.alpha[i] + pull) * (to.z[i] - from.z[i]);
  }
  return sum;
}

Point between(const Point& from, const Point& to, double step) {
  return {from.alpha + step * (to.alpha - from.alpha), from.b + step * (to.b - from.b),
          from.z + step * (to.z - from.z)};
}

// The whole step to Newton's point when the objective falls and does not end rising steeply; else, by bisection, a step to
// where the slope has lost three quarters: any fall will not do, because a step across the valley of a loss with flat tails
// falls by next to nothing, and one that ends short of a squared hinge's margin leaves the next as short. Where the fall
// drowns in rounding the slope still tells: a convex function falls on a way that ends with slope <= 0. None: no way down.
std::optional<Point> downhill(const Objective& objective, const Point& p, double value, const Point& newton) {
  const double before = std::abs(slope(objective, p, p, newton)), slack = 1e-9 * std::abs(value);
  double low = 0.0, high = 1.0, step = 1.0;
  for (int trial = 0; trial < 40; ++trial) {
    const Point next = step < 1.0 ? between(p, newton, step) : newton;
    const double next_value = objective.value(next), after = slope(objective, next, p, newton);
    const bool falls = std::isfinite(next_value) && (after <= 0.0 || next_value <= value + slack);
    if (!(falls && after <= 0.25 * before))
      high = step;
    else if (step < 1.0 && after < -0.25 * before)
      low = step;
    else
      return next;
    step = 0.5 * (low + high);
  }
  return low > 0.0 ? std::optional(between(p, newton, low)) : std::nullopt;
}

}  // namespace

IrlsFit irls(const Gram& K, const Loss& loss, const Vector& zeta, const Vector& t, const Vector& offset, double lambda,
             Want want, const WarmStart& warm, const IrlsOptions& options) {
  const Objective objective(loss, zeta, t, offset, lambda);
  IrlsFit out;
  const std::optional<double> intercept = objective.intercept();
  if (!intercept) return out;  // not_finite
  Point p = start(K, objective, *intercept, warm);
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
    restore_outputs(K, fit);
    out.stationarity = w.stationarity;
    out.objective = value;
    if (solved) {
      const bool weights_move = (w.curvature.array() != 0.0).any();
      if (weights_move) fit.curvature = w.curvature;
      out.stop = Stop::converged;
      out.fit = std::move(fit);
      return out;
    }
    std::optional<Point> next = downhill(objective, p, value, {fit.alpha.col(0), fit.b[0], fit.z.col(0)});
    if (!next) {
      solved = w.stationarity < 1e-6;  // rounding has the last word
      if (!solved) break;
      continue;
    }
    Working w_next = working_problem(objective, *next);
    // No further progress although close: this is as far as double precision goes.
    if (w.stationarity < 1e-7 && w_next.stationarity > 0.5 * w.stationarity) {
      solved = true;
      if (w_next.stationarity > w.stationarity) continue;
    }
    p = std::move(*next);
    w = std::move(w_next);
    value = objective.value(p);
  }
  out.stop = std::isfinite(value) && w.beta.maxCoeff() > 0.0 ? Stop::max_evaluations : Stop::not_finite;
  return out;
}

}  // namespace lacuna

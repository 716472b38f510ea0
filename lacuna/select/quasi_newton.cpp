#include "lacuna/select/quasi_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/select/lbfgs.hpp"

namespace lacuna {
namespace {

constexpr double telling = 1.0;       // log-units: gradients from further away tell of another curvature
constexpr double longest_step = 2.0;  // log-units: as far as one step goes
constexpr double noise = 10.0;        // tolerances: where so little is promised, a rise may be that of noise
constexpr double steep = 0.02;        // of the value, for a log-unit
constexpr int most_steps = 25;        // one that converges does so soon
constexpr int most_shortened = 3;     // trials of one step
constexpr double enough = 1e-4;       // of the fall that the slope promises
constexpr double equal_value = 1e-6;  // relative: the search sees six digits

std::vector<Index> free_to_move(const Box& box, const Vector& x, const Vector& g) {
  std::vector<Index> out;
  for (Index k = 0; k < x.size(); ++k)
    if (!(x[k] <= box.lower[k] && g[k] > 0.0) && !(x[k] >= box.upper[k] && g[k] < 0.0)) out.push_back(k);
  return out;
}

}  // namespace

void Curvature::learn(const Vector& s, const Vector& y) {
  const double sy = s.dot(y);
  if (!(sy > 1e-8 * s.norm() * y.norm())) return;
  if (!known()) H_ = Matrix::Identity(s.size(), s.size()) * (sy / y.squaredNorm());
  const Vector Hy = H_ * y;
  H_ += ((1.0 + y.dot(Hy) / sy) / sy) * s * s.transpose() - (Hy * s.transpose() + s * Hy.transpose()) / sy;
}

Vector Curvature::step(const Vector& gradient, const std::vector<Index>& free) const {
  Vector out = Vector::Zero(gradient.size());
  out(free) = -(H_(free, free) * gradient(free));
  return out;
}

std::vector<Slope> slopes_near(const std::vector<Slope>& slopes, const Vector& point) {
  const auto distance = [&](const Slope& s) { return (s.log_parameters - point).norm(); };
  std::vector<Slope> out;
  for (const Slope& s : slopes)
    if (distance(s) <= telling) out.push_back(s);
  std::ranges::stable_sort(out, std::greater(), distance);
  return out;
}

Curvature curvature_of(const std::vector<Slope>& slopes, const std::vector<Index>& free) {
  Curvature out;
  for (const Slope& s : slopes)
    out.learn((s.log_parameters - slopes.back().log_parameters)(free), (s.gradient - slopes.back().gradient)(free));
  return out;
}

Optimum quasi_newton_descent(Descent& descent, const Vector& start, Curvature curvature) {
  const Budget& budget = descent.budget();
  const SearchOptions& options = budget.options();
  Vector x = budget.clamp(start);
  auto here = descent.evaluate(x, true);
  if (!here || !std::isfinite(here->value)) return lbfgs_descent(descent, start);
  double fall = std::numeric_limits<double>::infinity();  // of the last step
  for (int k = 0; k < most_steps && !descent.ended(); ++k) {
    Vector step = curvature.step(here->gradient, free_to_move(budget.box(), x, here->gradient));
    const double length = step.lpNorm<Eigen::Infinity>();
    if (length > longest_step) step *= longest_step / length;
    step = budget.clamp(x + step) - x;
    const double slope = here->gradient.dot(step);
    if (step.lpNorm<Eigen::Infinity>() <= options.log_tolerance) {
      // A curvature of another problem that makes nothing of a steep slope is not believed.
      if (here->gradient.lpNorm<Eigen::Infinity>() > steep * std::abs(here->value) && k == 0) break;
      return descent.finish();
    }
    if (!(slope < 0.0)) break;
    // Both what is promised and what the last step gave: the curvature of another problem may promise too little.
    const double little = options.value_tolerance * std::abs(here->value);
    if (std::max(fall, -0.5 * slope) <= little) return descent.finish();
    bool fell = false;
    for (int trial = 0; trial < most_shortened && !fell; ++trial) {
      const Vector next = x + step;
      const auto there = descent.evaluate(next, true);
      if (!there || descent.ended()) return descent.finish();
      if (!std::isfinite(there->value)) {
        step *= 0.25;
        continue;
      }
      const double promised = here->gradient.dot(step), rise = there->value - here->value;
      curvature.learn(step, there->gradient - here->gradient);
      fell = rise <= enough * promised + equal_value * std::abs(here->value);
      if (fell) {
        fall = -rise;
        x = next;
        here = there;
      } else {
        step *= std::clamp(0.5 * promised / (promised - rise), 0.1, 0.5);  // the bottom of the parabola
      }
    }
    if (!fell && -0.5 * slope <= noise * little) return descent.finish();  // the rest is noise
    if (!fell) break;
  }
  return descent.ended() ? descent.finish() : lbfgs_descent(descent, Vector(descent.best().log_parameters));
}

}  // namespace lacuna

#include "lacuna/select/polish.hpp"

#include <algorithm>

#include "lacuna/select/quasi_newton.hpp"

namespace lacuna {
namespace {

constexpr double longest_here = 0.1;  // log-units: the bottom of a hollow that a descent has ended in is not further
constexpr double short_step = 10.0;   // tolerances: a quasi-Newton step this short needs no look at where it leads
constexpr int most_evaluations = 6;   // a step that converges does so at once
constexpr double same_value = 1e-7;   // relative: by so much rounding may lift the criterion on its floor

std::vector<Index> off_the_edge(const Box& box, const Optimum& found) {
  std::vector<Index> out;
  for (Index k = 0; k < found.log_parameters.size(); ++k)
    if (found.log_parameters[k] > box.lower[k] && found.log_parameters[k] < box.upper[k]) out.push_back(k);
  return out;
}

}  // namespace

Optimum polish(Budget& budget, const Optimum& found) {
  const Vector origin = found.log_parameters;
  const std::vector<Index> free = off_the_edge(budget.box(), found);
  const std::vector<Slope> slopes = slopes_near(budget.slopes(), origin);
  if (free.empty() || slopes.empty() || slopes.back().log_parameters != origin) return found;

  Slope here = slopes.back();
  Curvature curvature = curvature_of(slopes, free);
  Optimum best = found;
  for (int k = 0; k < most_evaluations && curvature.known() && budget.remaining() > 0; ++k) {
    const Vector step = -(curvature.inverse_hessian() * here.gradient(free));
    const double length = step.lpNorm<Eigen::Infinity>();
    if (!(length <= longest_here)) break;
    Vector next = here.log_parameters;
    next(free) += step;
    next = budget.clamp(next);
    if (length <= short_step * budget.options().log_tolerance) {
      best.log_parameters = next;
      break;
    }
    const auto at = budget.evaluate(next, true);
    if (!at || !(at->value <= best.value + same_value * std::abs(best.value))) break;
    const Vector s = (next - here.log_parameters)(free), y = (at->gradient - here.gradient)(free);
    const bool flatter = at->gradient(free).norm() < here.gradient(free).norm();
    curvature.learn(s, y);
    if (!flatter) break;
    here = {next, at->gradient};
    best.log_parameters = next;
    best.value = std::min(best.value, at->value);  // rounding must not make the point that was left look better
  }
  return best;
}

}  // namespace lacuna

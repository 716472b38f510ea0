#include "lacuna/select/scg.hpp"

#include <algorithm>
#include <utility>

namespace lacuna {
namespace {

constexpr double kProbe = 1e-3;      // log-units; gradients are exact to ten digits or so, which leaves seven for p'Hp
constexpr double kLongest = 3.0;     // log-units in any parameter: farther than a local model can mean anything
constexpr double kFirst = 1.0;       // log-units
constexpr int kPatienceInSteps = 2;  // steps in a row that gain next to nothing

// -g without the parameters that rest on the edge of the box.
Vector downhill(const Box& box, const Vector& x, const Vector& g) {
  Vector r = -g;
  for (Index k = 0; k < r.size(); ++k)
    if ((x[k] <= box.lower[k] && r[k] < 0.0) || (x[k] >= box.upper[k] && r[k] > 0.0)) r[k] = 0.0;
  return r;
}

// p'Hp from the gradient a short way along p (or against it, where the box ends); 0 when there is none.
double curvature(Descent& descent, const Vector& x, const Vector& g, const Vector& p) {
  const Budget& budget = descent.budget();
  const Vector way = (kProbe / p.norm()) * p;
  Vector s = budget.clamp(x + way) - x;
  if (s.norm() < 0.5 * kProbe) s = budget.clamp(x - way) - x;
  if (s.norm() == 0.0) return 0.0;
  const auto probe = descent.evaluate(x + s, true);
  if (!probe || !std::isfinite(probe->value)) return 0.0;
  return s.dot(probe->gradient - g) / s.squaredNorm() * p.squaredNorm();
}

}  // namespace

Optimum scg_descent(Descent& descent, const Vector& start) {
  const Budget& budget = descent.budget();
  const auto& options = budget.options();
  const Box& box = budget.box();
  Vector x = budget.clamp(start);
  const auto first = descent.evaluate(x, true);
  if (!first || !std::isfinite(first->value)) return descent.finish();

  double f = first->value;
  Vector g = first->gradient;
  Vector r = downhill(box, x, g), p = r;
  double rho = r.norm() / kFirst, delta = 0.0;
  bool moved = true;
  int steps = 0, idle = 0;
  while (!descent.ended() && p.norm() > 0.0) {
    const double pp = p.squaredNorm();
    if (moved) delta = curvature(descent, x, g, p);
    if (descent.ended()) break;
    double scaled = delta + rho * pp;
    if (scaled <= 0.0) {  // negative curvature: raise rho until the model is convex
      rho = 2.0 * (rho - scaled / pp);
      scaled = delta + rho * pp;
    }
    const double mu = p.dot(r);
    double alpha = mu / scaled;
    alpha = std::min(alpha, kLongest / p.lpNorm<Eigen::Infinity>());
    const Vector next = budget.clamp(x + alpha * p);
    if ((next - x).lpNorm<Eigen::Infinity>() < 0.1 * options.log_tolerance) break;
    const auto at = descent.evaluate(next, true);
    if (!at) break;

    const double fall = f - at->value;  // -infinity at a wall
    // How well the model predicted it: model fall = alpha mu - alpha^2 scaled / 2.
    const double agreement = std::max(-10.0, fall / (alpha * mu - 0.5 * alpha * alpha * scaled));
    moved = fall > 0.0;
    if (moved) {
      const double longest = (next - x).lpNorm<Eigen::Infinity>();
      const bool cut = !next.isApprox(x + alpha * p, 1e-12);
      x = next;
      f = at->value;
      g = at->gradient;
      Vector r_new = downhill(box, x, g);
      const double beta = (r_new.squaredNorm() - r_new.dot(r)) / mu;
      const bool restart = cut || ++steps % int(x.size()) == 0;
      p = restart ? r_new : Vector(r_new + beta * p);
      for (Index k = 0; k < p.size(); ++k)
        if (r_new[k] == 0.0) p[k] = 0.0;
      if (p.dot(r_new) <= 0.0) p = r_new;
      r = std::move(r_new);
      idle = fall <= options.value_tolerance * std::abs(f) || longest < options.log_tolerance ? idle + 1 : 0;
      if (idle >= kPatienceInSteps) break;
      if (agreement >= 0.75) rho *= 0.25;
    }
    if (agreement < 0.25) rho += scaled * (1.0 - agreement) / pp;
  }
  return descent.finish();
}

SearchResult scg(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options,
                 const Observer& observer) {
  return single_start(scg_descent, objective, box, start, options, observer);
}

}  // namespace lacuna

#include "lacuna/select/polish.hpp"

#include <algorithm>

namespace lacuna {
namespace {

constexpr double near = 1.0;         // log-units: gradients from further away tell of another curvature
constexpr double longest = 0.1;      // log-units: the bottom of a hollow that a descent has ended in is not further
constexpr double arrived = 2e-6;     // log-units: far less than the four digits that are kept
constexpr int most_evaluations = 6;  // a step that converges does so at once
constexpr double same_value = 1e-7;  // relative: by so much rounding may lift the criterion on its floor

// The inverse of the Hessian in the parameters that are not on the edge of the box.
class Curvature {
 public:
  explicit Curvature(Index n) : H_(Matrix::Zero(n, n)) {}
  bool known() const { return known_; }

  void learn(const Vector& s, const Vector& y) {
    const double sy = s.dot(y);
    if (!(sy > 1e-8 * s.norm() * y.norm())) return;  // not convex along s
    if (!known_) H_ = Matrix::Identity(H_.rows(), H_.cols()) * (sy / y.squaredNorm());
    known_ = true;
    const Vector Hy = H_ * y;
    H_ += ((1.0 + y.dot(Hy) / sy) / sy) * s * s.transpose() - (Hy * s.transpose() + s * Hy.transpose()) / sy;
  }
  Vector step(const Vector& g) const { return -(H_ * g); }

 private:
  Matrix H_;
  bool known_ = false;
};

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
  const auto distance = [&](const Slope& s) { return (s.log_parameters - origin).norm(); };
  std::vector<Slope> slopes;
  for (const Slope& s : budget.slopes())
    if (distance(s) <= near) slopes.push_back(s);
  std::ranges::stable_sort(slopes, std::greater(), distance);
  if (free.empty() || slopes.empty() || distance(slopes.back()) > 0.0) return found;

  Slope here = slopes.back();
  Curvature curvature(Index(free.size()));
  for (const Slope& s : slopes)
    curvature.learn((s.log_parameters - here.log_parameters)(free), (s.gradient - here.gradient)(free));
  Optimum best = found;
  for (int k = 0; k < most_evaluations && curvature.known() && budget.remaining() > 0; ++k) {
    Vector step = curvature.step(here.gradient(free));
    const double length = step.lpNorm<Eigen::Infinity>();
    if (length <= arrived || !(length <= longest)) break;
    Vector next = here.log_parameters;
    next(free) += step;
    next = budget.clamp(next);
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

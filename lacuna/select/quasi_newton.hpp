// select/quasi_newton.hpp -- descents that know the curvature beforehand. The optimum for some of the rows, for other
// weights of the features, or without a fold is near the one that is looked for, and so is the Hessian there: what is
// left is a few quasi-Newton steps (BFGS), where a descent that knows nothing takes ten evaluations and more.
#pragma once

#include "lacuna/select/budget.hpp"

namespace lacuna {

/// The inverse of a Hessian, learned from differences of gradients.
class Curvature {
 public:
  /// Empty: not known yet.
  explicit Curvature(Matrix inverse_hessian = {}) : H_(std::move(inverse_hessian)) {}
  bool known() const { return H_.size() > 0; }
  const Matrix& inverse_hessian() const { return H_; }

  /// From a step and how the gradient changed along it; nothing where the criterion is not convex there.
  void learn(const Vector& s, const Vector& y);
  /// As if the others were fixed.
  Vector step(const Vector& gradient, const std::vector<Index>& free) const;

 private:
  Matrix H_;
};

/// The slopes within a log-unit of a point (further away the curvature is another), the nearest last.
std::vector<Slope> slopes_near(const std::vector<Slope>& slopes, const Vector& point);
/// What they tell of the parameters `free` at the last of them.
Curvature curvature_of(const std::vector<Slope>& slopes, const std::vector<Index>& free);

/// Requires a known curvature of all parameters. Where its steps lead nowhere it goes on as lbfgs_descent.
Optimum quasi_newton_descent(Descent& descent, const Vector& start, Curvature curvature);

}  // namespace lacuna

#include "lacuna/select/lbfgs.hpp"

#include <algorithm>

#include "lacuna/select/detail/nlopt_run.hpp"
#include "lacuna/select/nelder_mead.hpp"

namespace lacuna {
namespace {

// A descent that ends where the criterion still falls by this share of itself for a log-unit has met a kink.
constexpr double still_falling = 0.02;

// The part of the gradient along which a step downhill stays in the box.
Vector inward(const Box& box, const Vector& x, Vector g) {
  for (Index k = 0; k < g.size(); ++k)
    if ((x[k] <= box.lower[k] && g[k] > 0.0) || (x[k] >= box.upper[k] && g[k] < 0.0)) g[k] = 0.0;
  return g;
}

bool at_a_kink(const Descent& descent) {
  const Optimum& best = descent.best();
  if (descent.ended() || !std::isfinite(best.value) || descent.gradient().size() == 0) return false;
  const Vector slope = inward(descent.budget().box(), best.log_parameters, descent.gradient());
  return slope.lpNorm<Eigen::Infinity>() > still_falling * std::abs(best.value);
}

// The criterion times a constant, with walls that a line search understands.
class Scaled {
 public:
  Scaled(Descent& descent, double first_step) : descent_(descent), first_step_(first_step) {}

  std::optional<double> operator()(const Vector& x, Vector* gradient) {
    const auto at = descent_.evaluate(x, true);
    if (!at || descent_.ended()) return std::nullopt;
    if (std::isfinite(at->value)) {
      if (!scale_) {
        const double length = inward(descent_.budget().box(), x, at->gradient).norm();
        if (length == 0.0) return std::nullopt;  // stationary already
        scale_ = first_step_ / length;
      }
      highest_ = std::max(highest_, *scale_ * at->value);
      if (gradient) *gradient = *scale_ * at->gradient;
      return *scale_ * at->value;
    }
    if (!scale_) return std::nullopt;  // nowhere to turn back to
    const double rise = 1.0 + highest_ - *scale_ * descent_.best().value;
    const Vector away = x - descent_.best().log_parameters;
    if (gradient) *gradient = (2.0 * rise / std::max(away.squaredNorm(), 1e-12)) * away;
    return *scale_ * descent_.best().value + rise;
  }

 private:
  Descent& descent_;
  double first_step_;
  std::optional<double> scale_;
  double highest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

Optimum lbfgs_descent(Descent& descent, const Vector& start) {
  const SearchOptions& options = descent.budget().options();
  const auto run = [&](const Vector& from, double first_step) {
    return detail::run_nlopt({.algorithm = NLOPT_LD_LBFGS,
                              .value_tolerance = options.value_tolerance,
                              .log_tolerance = options.log_tolerance},
                             descent.budget().box(), from, Scaled(descent, first_step));
  };
  // A line search that failed on rough ground is given one more chance from the best point, with short steps.
  if (!run(start, 1.0) && !descent.ended() && std::isfinite(descent.best().value))
    run(Vector(descent.best().log_parameters), 0.1);
  // Rows that cross the margin of a hinge put kinks into its criterion, where a line search ends and a simplex does
  // not.
  if (at_a_kink(descent)) nelder_mead_descent(descent, Vector(descent.best().log_parameters));
  return descent.finish();
}

SearchResult lbfgs(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options,
                   const Observer& observer) {
  return single_start(lbfgs_descent, objective, box, start, options, observer);
}

}  // namespace lacuna

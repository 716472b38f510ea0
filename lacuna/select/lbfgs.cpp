#include "lacuna/select/lbfgs.hpp"

#include <algorithm>

#include "lacuna/select/detail/nlopt_run.hpp"

namespace lacuna {
namespace {

// The criterion times a constant, with walls that a line search understands.
class Scaled {
 public:
  Scaled(Descent& descent, double first_step) : descent_(descent), first_step_(first_step) {}

  std::optional<double> operator()(const Vector& x, Vector* gradient) {
    const auto at = descent_.evaluate(x, true);
    if (!at || descent_.ended()) return std::nullopt;
    if (std::isfinite(at->value)) {
      if (!scale_) {
        const double length = inward(x, at->gradient).norm();
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
  // The part of the gradient along which a step downhill stays in the box.
  Vector inward(const Vector& x, Vector g) const {
    const auto& [lower, upper] = descent_.budget().box();
    for (Index k = 0; k < g.size(); ++k)
      if ((x[k] <= lower[k] && g[k] > 0.0) || (x[k] >= upper[k] && g[k] < 0.0)) g[k] = 0.0;
    return g;
  }

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
  return descent.finish();
}

SearchResult lbfgs(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options,
                   const Observer& observer) {
  return single_start(lbfgs_descent, objective, box, start, options, observer);
}

}  // namespace lacuna

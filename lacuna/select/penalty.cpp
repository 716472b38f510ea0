#include "lacuna/select/penalty.hpp"

#include <utility>

#include "lacuna/base/error.hpp"

namespace lacuna {

Objective with_penalty(Objective objective, Vector centre, double strength) {
  if (!(strength >= 0.0) || !std::isfinite(strength))
    fail_usage("search: penalty strength = " + std::to_string(strength) + "; must be finite and >= 0");
  if (!centre.allFinite()) fail_usage("search: the centre of the penalty must be finite");
  return [objective = std::move(objective), centre = std::move(centre), strength](const Vector& x, bool want_gradient) {
    if (x.size() != centre.size()) fail_usage("search: the centre of the penalty has the wrong number of parameters");
    Evaluation at = objective(x, want_gradient);
    at.value += strength * (x - centre).squaredNorm();
    if (at.gradient.size() == x.size()) at.gradient += 2.0 * strength * (x - centre);
    return at;
  };
}

}  // namespace lacuna

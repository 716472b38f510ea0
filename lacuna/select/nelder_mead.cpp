#include "lacuna/select/nelder_mead.hpp"

#include <algorithm>

#include "lacuna/select/detail/nlopt_run.hpp"

namespace lacuna {

Optimum nelder_mead_descent(Descent& descent, const Vector& start) {
  const SearchOptions& options = descent.budget().options();
  const Box& box = descent.budget().box();
  const auto value = [&](const Vector& x, Vector*) -> std::optional<double> {
    const auto at = descent.evaluate(x, false);
    if (!at || descent.ended()) return std::nullopt;
    return at->value;
  };
  // An edge of one log-unit is a change of scale that any criterion notices, if the box has room for it.
  const double edge = std::min(1.0, 0.25 * (box.upper - box.lower).minCoeff());
  detail::run_nlopt({.algorithm = NLOPT_LN_NELDERMEAD,
                     .initial_step = edge,
                     .value_tolerance = options.value_tolerance,
                     .log_tolerance = options.log_tolerance},
                    box, start, value);
  return descent.finish();
}

SearchResult nelder_mead(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options,
                         const Observer& observer) {
  return single_start(nelder_mead_descent, objective, box, start, options, observer);
}

}  // namespace lacuna

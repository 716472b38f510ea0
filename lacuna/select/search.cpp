#include "lacuna/select/search.hpp"

#include <string>

#include "lacuna/base/error.hpp"
#include "lacuna/select/grid.hpp"
#include "lacuna/select/lbfgs.hpp"
#include "lacuna/select/multi_start.hpp"
#include "lacuna/select/nelder_mead.hpp"
#include "lacuna/select/scg.hpp"

namespace lacuna {

SearchMethod resolve(SearchMethod method, bool has_gradient) {
  if (method != SearchMethod::automatic) return method;
  return has_gradient ? SearchMethod::lbfgs : SearchMethod::nelder_mead;
}

SearchResult search(SearchMethod method, const Objective& objective, const SearchSpace& space, bool has_gradient,
                    const SearchOptions& options, const Observer& observer) {
  const SearchMethod chosen = resolve(method, has_gradient);
  if (chosen == SearchMethod::none) fail_usage("search: 'none' searches nothing; give every parameter instead");
  if (!has_gradient && (chosen == SearchMethod::lbfgs || chosen == SearchMethod::scg))
    fail_usage("search: " + std::string(name_of(chosen)) +
               " needs a gradient, and this criterion (or a kernel written without derivatives) has none; use "
               "nelder-mead or grid");
  if (chosen == SearchMethod::grid)
    return grid(objective, space.box, space.near.empty() ? space.start : space.near.front(), options, observer);
  const DescentMethod descend = chosen == SearchMethod::lbfgs ? DescentMethod(lbfgs_descent)
                                : chosen == SearchMethod::scg ? DescentMethod(scg_descent)
                                                              : DescentMethod(nelder_mead_descent);
  Known known{.near = !space.near.empty(), .scales = space.scales};
  if (space.nothing) known.reserve = {far_starts(space), *space.nothing};
  if (chosen == SearchMethod::lbfgs && space.curvature.rows() == space.start.size()) known.curvature = space.curvature;
  return multi_start(objective, space.box, start_design(space), options, observer, descend, known);
}

}  // namespace lacuna

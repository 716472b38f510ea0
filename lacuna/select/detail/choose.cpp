#include "lacuna/select/detail/choose.hpp"

#include <fmt/format.h>

#include <chrono>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/select/penalty.hpp"

namespace lacuna::detail {

Selection choose(const Parameters& parameters, SearchSpace space, const CriterionAtPoint& at, bool has_gradient,
                 const SelectOptions& options, const Observer& observer) {
  const auto began = std::chrono::steady_clock::now();
  Selection out;
  out.names = parameters.names();
  const auto settle = [&](const Vector& x, double criterion) {
    out.values = parameters.settled(x);
    out.lambda = out.values[0];
    out.mean = parameters.mean(out.values);
    out.kernel = parameters.kernel(out.values);
    out.criterion = criterion;
  };
  const auto bare = [&](const Vector& x, bool want_gradient) { return at(x, parameters.values(x), want_gradient); };
  const auto stop_the_clock = [&] {
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  if (parameters.free().empty()) {
    settle({}, bare({}, false).value);
    stop_the_clock();
    return out;
  }
  if (options.method == SearchMethod::none)
    fail_usage(fmt::format("search: none requires every parameter; not given: {}", join(parameters.free_names())));

  if (!options.near.empty())
    space.near = parameters.point(options.near).cwiseMax(space.box.lower).cwiseMin(space.box.upper);
  SearchOptions search_options = options.search;
  search_options.max_evaluations =
      options.max_evaluations.value_or((has_gradient ? 1 : 2) * default_max_evaluations(space));
  Objective objective = bare;
  if (options.penalty > 0.0) {
    // The regulariser carries no penalty: its centre moves with it.
    objective = [&](const Vector& x, bool want_gradient) {
      Vector centre = space.start;
      if (space.regulariser) centre[*space.regulariser] = x[*space.regulariser];
      return with_penalty(bare, centre, options.penalty)(x, want_gradient);
    };
  }
  out.method = resolve(options.method, has_gradient);
  out.search = search(options.method, objective, space, has_gradient, search_options, observer);
  for (const Optimum& o : out.search.optima) out.optima.push_back(parameters.settled(o.log_parameters));
  for (const Optimum& o : out.search.visited) out.path.push_back({parameters.settled(o.log_parameters), o.value});
  if (out.search.usable()) {
    const Vector& best = out.search.best.log_parameters;
    settle(best, options.penalty > 0.0 ? bare(best, false).value : out.search.best.value);
  }
  stop_the_clock();
  return out;
}

}  // namespace lacuna::detail

#include "lacuna/select/detail/run_selection.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/select/penalty.hpp"

namespace lacuna::detail {
namespace {

// What a search sees of a criterion: six digits of it and of its gradient. Problems that differ by the rounding of
// their sums (a row of weight 2 and two copies of it) then look the same to the last bit, and every step of a search
// is the same, also where a kink would part two paths that are a rounding apart. No search asks for more digits.
class Seen {
 public:
  explicit Seen(Objective objective) : objective_(std::move(objective)) {}

  Evaluation operator()(const Vector& x, bool want_gradient) {
    Evaluation at = objective_(x, want_gradient);
    exact_.push_back({.log_parameters = x, .value = at.value});
    if (std::isfinite(at.value)) at.value = to_digits(at.value, at.value);
    if (at.gradient.allFinite() && at.gradient.size() > 0) {
      const double largest = at.gradient.lpNorm<Eigen::Infinity>();
      for (double& g : at.gradient) g = to_digits(g, largest);
    }
    return at;
  }

  /// The criterion itself at a point that was seen.
  void correct(Optimum& seen) const {
    const auto same = [&](const Optimum& o) { return o.log_parameters == seen.log_parameters; };
    // Fits begin where the last one ended, so a point that was seen twice may have two values; the search took the
    // lesser.
    double least = std::numeric_limits<double>::infinity();
    for (const Optimum& o : exact_)
      if (same(o)) least = std::min(least, o.value);
    if (std::isfinite(least)) seen.value = least;
  }

 private:
  static double to_digits(double x, double scale) {
    if (scale == 0.0) return x;
    int exponent = 0;
    std::frexp(scale, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(x, bits - exponent)), exponent - bits);
  }
  static constexpr int bits = 22;

  Objective objective_;
  std::vector<Optimum> exact_;
};

}  // namespace

Selection run_selection(const Parameters& parameters, SearchSpace space, const CriterionAtPoint& at, bool has_gradient,
                        const SearchPlan& options, const Observer& observer) {
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
    settle({}, options.look_if_given ? bare({}, false).value : std::nan(""));
    stop_the_clock();
    return out;
  }
  if (options.method == SearchMethod::none)
    fail_usage(fmt::format("search: none requires every parameter; not given: {}", join(parameters.free_names())));

  const auto begin_near = [&](const std::vector<double>& values) {
    space.near.emplace_back(parameters.point(values).cwiseMax(space.box.lower).cwiseMin(space.box.upper));
  };
  if (!options.near.empty()) {
    begin_near(options.near);
    for (const auto& values : options.or_near) begin_near(values);
    space.curvature = options.curvature;
  }
  SearchOptions search_options = options.search;
  search_options.max_evaluations =
      options.max_evaluations.value_or((has_gradient ? 1 : 2) * default_max_evaluations(space));
  Objective objective = bare;
  if (options.penalty > 0.0) {
    // The regulariser carries no penalty: its centre moves with it.
    objective = [&](const Vector& x, bool want_gradient) {
      Vector centre = options.centre.empty() ? space.start : parameters.point(options.centre);
      if (space.regulariser) centre[*space.regulariser] = x[*space.regulariser];
      return with_penalty(bare, centre, options.penalty)(x, want_gradient);
    };
  }
  out.method = resolve(options.method, has_gradient);
  Seen seen(objective);
  out.search = search(options.method, std::ref(seen), space, has_gradient, search_options, observer);
  seen.correct(out.search.best);
  for (Optimum& o : out.search.optima) seen.correct(o);
  for (Optimum& o : out.search.visited) seen.correct(o);
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

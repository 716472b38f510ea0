#include "lacuna/select/multi_start.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lacuna/base/error.hpp"
#include "lacuna/select/polish.hpp"
#include "lacuna/select/quasi_newton.hpp"

namespace lacuna {
namespace {

constexpr int kDescents = 3;
constexpr double kApartFromStarts = 2.5;  // log-units: about the spacing of the start design
constexpr double kApartFromOptima = 0.9;  // log-units: nearer starts fall into the same hollow
constexpr double kBasin = 2.0;            // log-units: how far the slope is believed to tell of a known optimum
constexpr double kParabola = 1.5;         // and how well it must fit
constexpr double kHope = 2.0;             // the gap to the best must be within this many recent gains
constexpr std::size_t kEarliest = 5;      // evaluations before a descent is judged
constexpr double kNothing = 0.97;         // less than this share of one answer for all rows is some knowledge
constexpr double kRival = 0.01;           // relative: starts near optima that may still change places
constexpr double kNarrower = 2.5;         // log-units in theta, and
constexpr double kNearlyAsGood = 0.25;    // relative: where a far narrower kernel is worth a descent
constexpr double kSameValue = 1e-3;       // relative: a point near a known optimum may still improve on it by more

bool near(const Vector& x, const std::vector<Vector>& others, double distance) {
  return std::ranges::any_of(others, [&](const Vector& o) { return (x - o).lpNorm<Eigen::Infinity>() < distance; });
}

// Seen from where the descent is, the criterion falls towards a known optimum as a parabola with its bottom there
// would.
bool leads_to(const Descent& descent, const Optimum& known) {
  const Optimum& here = descent.best();
  if (known.stop == Stop::none || descent.gradient().size() == 0) return false;
  const Vector way = known.log_parameters - here.log_parameters;
  const double gap = here.value - known.value, fall = -0.5 * descent.gradient().dot(way);
  return gap > 0.0 && way.lpNorm<Eigen::Infinity>() <= kBasin && fall >= gap / kParabola && fall <= gap * kParabola;
}

// Whether a later descent is worth going on with, given the optima known.
bool worth_it(const Descent& descent, const std::vector<Optimum>& optima) {
  const Optimum& here = descent.best();
  if (optima.empty() || !std::isfinite(here.value)) return true;
  double best = here.value;
  for (const Optimum& known : optima) {
    best = std::min(best, known.value);
    if (known.stop != Stop::none && same_optimum(here.log_parameters, known.log_parameters) &&
        here.value >= known.value - kSameValue * std::abs(known.value))
      return false;
    if (leads_to(descent, known)) return false;
  }
  const auto& history = descent.history();
  const auto recent = std::max<std::size_t>(3, std::size_t(here.log_parameters.size()));
  if (history.size() < std::max(kEarliest, recent + 1)) return true;
  const double gain = history[history.size() - 1 - recent] - history.back();
  return here.value - best <= kHope * gain;
}

// The best point of all is one where no descent has ended: a start that was thought too near another.
bool unfinished(const Optimum& best, const std::vector<Optimum>& optima) {
  return std::isfinite(best.value) && std::ranges::none_of(optima, [&](const Optimum& o) {
           return o.stop != Stop::none &&
                  (o.value <= best.value || same_optimum(o.log_parameters, best.log_parameters));
         });
}

bool narrower(const Vector& x, const std::vector<Optimum>& than, const std::vector<Index>& scales) {
  return std::ranges::all_of(than, [&](const Optimum& o) {
    return std::ranges::all_of(scales, [&](Index k) { return x[k] >= o.log_parameters[k] + kNarrower; });
  });
}

// A start and its value; nothing is spent on the value of a single one.
using Valued = std::pair<double, Vector>;

// The given starts with a finite value, best first.
std::vector<Valued> ranked(Budget& budget, const std::vector<Vector>& starts, const Known& known) {
  if (starts.size() == 1) return {{0.0, starts[0]}};
  std::vector<Valued> valued;
  const auto look_at = [&](const std::vector<Vector>& points) {
    for (const Vector& point : points) {
      const bool likeliest = known.curvature.size() > 0 && valued.empty();  // a descent will begin there
      const auto at = budget.evaluate(point, likeliest);
      if (!at) break;
      if (std::isfinite(at->value)) valued.emplace_back(at->value, budget.clamp(point));
    }
  };
  look_at(starts);
  if (budget.best().value > kNothing * known.reserve.unless_below) look_at(known.reserve.points);
  std::ranges::stable_sort(valued, {}, &Valued::first);
  return valued;
}

}  // namespace

SearchResult multi_start(const Objective& objective, const Box& box, const std::vector<Vector>& starts,
                         const SearchOptions& options, const Observer& observer, const DescentMethod& method,
                         const Known& known) {
  Budget budget(objective, box, options, observer);
  if (starts.empty()) fail_usage("search: no start was given");
  for (const Vector& start : starts)
    if (start.size() != box.lower.size()) fail_usage("search: a start and the box differ in the number of parameters");

  std::vector<Vector> begun, reached;
  std::vector<Optimum> optima;
  int given_up = 0;
  const auto descend = [&](Descent& descent, const Vector& start) {
    return known.curvature.size() > 0 ? quasi_newton_descent(descent, start, Curvature(known.curvature))
                                      : method(descent, start);
  };
  const std::vector<Valued> begin = ranked(budget, starts, known);
  const auto go_down_from = [&](const Vector& start) {
    begun.push_back(start);
    Descent descent(budget, [&](const Descent& d) { return worth_it(d, optima); });
    Optimum found = descend(descent, start);
    if (!std::isfinite(found.value)) return;
    if (descent.given_up())
      ++given_up;
    else
      reached.push_back(found.log_parameters);
    if (std::ranges::none_of(optima, [&](const Optimum& other) { return leads_to(descent, other); }))
      optima.push_back(std::move(found));
  };
  const auto spent = [&] { return budget.stop() != Stop::none || budget.remaining() == 0; };
  for (const auto& [value, start] : begin) {
    if (known.near && value - begin[0].first > kRival * std::abs(begin[0].first)) break;
    if (int(begun.size()) == kDescents || spent()) break;
    if (!near(start, begun, kApartFromStarts) && !near(start, reached, kApartFromOptima)) go_down_from(start);
  }
  for (const auto& [value, start] : begin) {
    const double best = budget.best().value;
    if (known.near || known.scales.empty() || value - best > kNearlyAsGood * std::abs(best) || spent()) break;
    if (narrower(start, optima, known.scales) && !near(start, begun, kApartFromStarts)) go_down_from(start);
  }
  if (budget.stop() == Stop::none && budget.remaining() > 0 && unfinished(budget.best(), optima)) {
    const Optimum best = budget.best();
    begun.push_back(best.log_parameters);
    Descent descent(budget);
    Optimum found = method(descent, best.log_parameters);
    // Seen again, it may look a little worse: a fit begins where the last one ended. Nothing near it is better, then.
    // Where its gradient is not finite, that is why the search ends there.
    if (!(found.value <= best.value)) found = {best.log_parameters, best.value, found.stop};
    optima.push_back(std::move(found));
  }
  if (const auto best = std::ranges::min_element(optima, {}, &Optimum::value);
      best != optima.end() && (best->stop == Stop::converged || best->stop == Stop::at_bound))
    *best = polish(budget, *best);
  SearchResult result = conclude(budget, std::move(optima));
  if (result.usable()) {
    std::vector<Index> all(std::size_t(box.lower.size()));
    std::iota(all.begin(), all.end(), Index(0));
    const std::vector<Slope> slopes = slopes_near(budget.slopes(), result.best.log_parameters);
    result.curvature = curvature_of(slopes, all).inverse_hessian();
  }
  result.descents = int(begun.size());
  result.given_up = given_up;
  return result;
}

}  // namespace lacuna

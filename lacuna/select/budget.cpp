#include "lacuna/select/budget.hpp"

#include <algorithm>
#include <utility>

#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"

namespace lacuna {

std::chrono::steady_clock::time_point time_limit(std::chrono::steady_clock::time_point began, double seconds,
                                                 bool first) {
  using Clock = std::chrono::steady_clock;
  constexpr double grace = 5.0, longest = 1e9;  // some thirty years, which a clock can count
  const std::chrono::duration<double> allowed(std::min(seconds, longest) + (first ? grace : 0.0));
  return began + std::chrono::duration_cast<Clock::duration>(allowed);
}

Budget::Budget(Objective objective, Box box, const SearchOptions& options, Observer observer)
    : objective_(std::move(objective)), box_(std::move(box)), options_(options), observer_(std::move(observer)) {
  const auto& [lower, upper] = box_;
  if (lower.size() == 0 || lower.size() != upper.size())
    fail_usage("search: the box needs one pair of bounds a parameter");
  if (!lower.allFinite() || !upper.allFinite() || (lower.array() >= upper.array()).any())
    fail_usage("search: the bounds of the box must be finite, lower < upper");
  if (options_.max_evaluations <= 0)
    fail_usage("search: max_evaluations = " + std::to_string(options_.max_evaluations) + "; must be > 0");
}

std::optional<Evaluation> Budget::evaluate(const Vector& x, bool want_gradient) {
  if (stop_ != Stop::none) return std::nullopt;
  const Vector inside = clamp(x);
  const auto known = std::ranges::find(slopes_, inside, &Slope::log_parameters);
  if (want_gradient && known != slopes_.end()) return Evaluation{known->value, known->gradient};
  if (evaluations_ >= options_.max_evaluations) {
    stop_ = Stop::max_evaluations;
  } else if (options_.seconds && evaluations_ > 0 &&  // one point at least
             std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() >= *options_.seconds) {
    stop_ = Stop::time_limit;
  } else if (!go_on(observer_, {"search", evaluations_, options_.max_evaluations, best_.value})) {
    stop_ = Stop::interrupted;
  }
  if (stop_ != Stop::none) return std::nullopt;

  Evaluation at;
  try {
    std::optional<StopScope> limit;
    if (options_.seconds) limit.emplace(time_limit(began_, *options_.seconds, evaluations_ == 0));
    at = objective_(inside, want_gradient);
  } catch (const Stopped& stopped) {  // in the middle of it: as if it had not begun
    stop_ = stopped.why;
    return std::nullopt;
  }
  ++evaluations_;
  gradients_ += want_gradient;
  if (!std::isfinite(at.value)) return Evaluation{};  // a wall; also for -infinity, which no criterion can mean
  constexpr std::size_t most_numbers = 100'000;
  if (visited_.size() * std::size_t(x.size()) < most_numbers) visited_.push_back({inside, at.value});
  if (want_gradient) {
    if (at.gradient.size() != x.size())
      fail_usage("search: the criterion has no gradient; search it by nelder-mead or grid");
    if (!at.gradient.allFinite()) return Evaluation{};
    slopes_.push_back({inside, at.gradient, at.value});
  }
  if (at.value < best_.value) best_ = {.log_parameters = inside, .value = at.value, .stop = Stop::none};
  return at;
}

bool Budget::on_edge(const Vector& x) const {
  const double near = 10.0 * options_.log_tolerance;
  return ((x - box_.lower).array() <= near).any() || ((box_.upper - x).array() <= near).any();
}

std::optional<Evaluation> Descent::evaluate(const Vector& x, bool want_gradient) {
  if (ended()) return std::nullopt;
  std::optional<Evaluation> at = budget_.evaluate(x, want_gradient);
  if (!at) return at;
  if (at->value < best_.value) {
    best_ = {.log_parameters = budget_.clamp(x), .value = at->value, .stop = Stop::none};
    gradient_ = at->gradient;
  }
  history_.push_back(best_.value);
  given_up_ = watch_ && !watch_(*this);
  return at;
}

Optimum Descent::finish() const {
  Optimum result = best_;
  if (budget_.stop() != Stop::none)
    result.stop = budget_.stop();
  else if (given_up_)
    result.stop = Stop::none;
  else if (!std::isfinite(result.value))
    result.stop = Stop::not_finite;
  else
    result.stop = budget_.on_edge(result.log_parameters) ? Stop::at_bound : Stop::converged;
  return result;
}

bool same_optimum(const Vector& a, const Vector& b) { return (a - b).lpNorm<Eigen::Infinity>() <= 0.25; }

SearchResult conclude(const Budget& budget, std::vector<Optimum> optima) {
  SearchResult result;
  result.evaluations = budget.evaluations();
  result.gradients = budget.gradients();
  result.visited = budget.visited();
  std::erase_if(optima, [](const Optimum& o) { return !std::isfinite(o.value); });
  // A coarse point may be better than all that descents have reached, when the budget ended early.
  if (const Optimum& best = budget.best();
      std::isfinite(best.value) &&
      std::ranges::none_of(optima, [&](const Optimum& o) { return o.value <= best.value; }))
    optima.push_back(best);
  std::ranges::stable_sort(optima, {}, &Optimum::value);
  for (const Optimum& o : optima) {
    const auto known = std::ranges::find_if(
        result.optima, [&](const Optimum& other) { return same_optimum(o.log_parameters, other.log_parameters); });
    if (known == result.optima.end())
      result.optima.push_back(o);
    else if (known->stop == Stop::none)  // left early because it led to `o`, which was finished
      known->stop = o.stop;
  }
  if (!result.optima.empty()) {
    Optimum& best = result.optima.front();
    if (best.stop == Stop::none) best.stop = budget.remaining() == 0 ? Stop::max_evaluations : budget.stop();
    result.best = best;
  }

  // Running out of evaluations while exploring further does not undo the convergence of the best descent.
  if (budget.stop() == Stop::interrupted || budget.stop() == Stop::time_limit)
    result.stop = budget.stop();
  else if (!result.usable())
    result.stop = Stop::not_finite;
  else
    result.stop = result.best.stop;
  return result;
}

SearchResult single_start(const DescentMethod& method, const Objective& objective, const Box& box, const Vector& start,
                          const SearchOptions& options, const Observer& observer) {
  Budget budget(objective, box, options, observer);
  if (start.size() != box.lower.size()) fail_usage("search: the start and the box differ in the number of parameters");
  Descent descent(budget);
  const Optimum found = method(descent, start);
  return conclude(budget, {found});
}

}  // namespace lacuna

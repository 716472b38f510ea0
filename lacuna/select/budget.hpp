// select/budget.hpp -- the one place where a search spends evaluations. Every method asks a Descent for the criterion
// at a point; the Descent asks the Budget that all starts share. So counting, the time limit, the observer, the box,
// walls of non-finite values and the memory of the best point are the same for all methods.
//
//   - A point outside the box is moved to its edge before the criterion sees it.
//   - A value or gradient that is not finite comes back as +infinity with no gradient: a wall.
//   - An evaluation is given up when the time limit runs out, or the observer says stop, in the middle of it; the
//     first may take a few seconds longer than the limit.
//   - No evaluation comes back when none may be made any more; the method then returns what it has. A search that
//     converges on its last allowed evaluation has converged: only asking for one more ends it otherwise.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "lacuna/select/objective.hpp"

namespace lacuna {

/// When a search that began then has to end. What it cannot do without (the `first` point) may take five seconds
/// longer: without it there is nothing to go by, and on few rows it takes no time at all.
std::chrono::steady_clock::time_point time_limit(std::chrono::steady_clock::time_point began, double seconds,
                                                 bool first);

/// The gradient at a point, and the value.
struct Slope {
  Vector log_parameters, gradient;
  double value = 0.0;
};

/// What all descents of one search share.
class Budget {
 public:
  /// Requires: lower < upper in finite numbers, at least one parameter, max_evaluations > 0. Throws Error otherwise.
  Budget(Objective objective, Box box, const SearchOptions& options, Observer observer);

  /// The criterion at x moved into the box, or nothing: see stop(). A point that was seen with its gradient costs
  /// nothing the second time.
  std::optional<Evaluation> evaluate(const Vector& x, bool want_gradient);

  /// Stop::none while evaluations may be made, then why not: max_evaluations, time_limit or interrupted.
  Stop stop() const { return stop_; }
  int evaluations() const { return evaluations_; }
  int gradients() const { return gradients_; }
  int remaining() const { return options_.max_evaluations - evaluations_; }
  const Box& box() const { return box_; }
  const SearchOptions& options() const { return options_; }
  /// The best point any descent has visited; its value is +infinity before a finite one was found.
  const Optimum& best() const { return best_; }
  /// Every point that was evaluated with a gradient, in order.
  const std::vector<Slope>& slopes() const { return slopes_; }
  /// Every point whose value is finite, in order (of searches in many parameters the first ones).
  const std::vector<Optimum>& visited() const { return visited_; }
  Vector clamp(const Vector& x) const { return x.cwiseMax(box_.lower).cwiseMin(box_.upper); }
  /// Whether some log-parameter is on the edge of the box (within ten log_tolerance).
  bool on_edge(const Vector& x) const;

 private:
  Objective objective_;
  Box box_;
  SearchOptions options_;
  Observer observer_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Optimum best_;
  Stop stop_ = Stop::none;
  int evaluations_ = 0, gradients_ = 0;
  std::vector<Slope> slopes_;
  std::vector<Optimum> visited_;
};

/// One run of one method from one start: its own best point, and a watcher that may give it up.
class Descent {
 public:
  /// Called after every evaluation; false gives the descent up (a known optimum, or no hope of a better one).
  using Watch = std::function<bool(const Descent&)>;
  explicit Descent(Budget& budget, Watch watch = {}) : budget_(budget), watch_(std::move(watch)) {}

  std::optional<Evaluation> evaluate(const Vector& x, bool want_gradient);

  const Budget& budget() const { return budget_; }
  const Optimum& best() const { return best_; }
  /// Its gradient; empty when it was not asked for.
  const Vector& gradient() const { return gradient_; }
  /// The best value after each evaluation of this descent.
  const std::vector<double>& history() const { return history_; }
  bool given_up() const { return given_up_; }
  bool ended() const { return given_up_ || budget_.stop() != Stop::none; }
  /// The best point of the descent and why it ended there: the budget's reason, not_finite, or else converged
  /// (at_bound when the point is on the edge of the box); Stop::none when it was given up.
  Optimum finish() const;

 private:
  Budget& budget_;
  Watch watch_;
  Optimum best_;
  Vector gradient_;
  std::vector<double> history_;
  bool given_up_ = false;
};

/// A search method: descends from `start` until it converges or the descent has ended. The parts of multi_start.
using DescentMethod = std::function<Optimum(Descent& descent, const Vector& start)>;

/// The same point found twice: no log-parameter differs by more than a quarter (a factor 1.28).
bool same_optimum(const Vector& a, const Vector& b);

/// The whole search: best first, near-duplicates merged, counts and reason taken from the budget.
SearchResult conclude(const Budget& budget, std::vector<Optimum> optima);

/// One descent from one start as a whole search.
SearchResult single_start(const DescentMethod& method, const Objective& objective, const Box& box, const Vector& start,
                          const SearchOptions& options, const Observer& observer);

}  // namespace lacuna

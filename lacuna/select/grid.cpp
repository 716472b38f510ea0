#include "lacuna/select/grid.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace lacuna {
namespace {

constexpr double kReach = 5.75;   // log-units either way: a factor of 300
constexpr double kFinest = 0.05;  // log-units: below this spacing, refinements that gain nothing end the search
constexpr int kPatience = 3;      // of them in a row: a narrow valley askew to the lattice needs finer ones to open
constexpr Index kFullGrid = 3;    // parameters; beyond that one at a time

using Node = std::vector<long>;  // a point as whole steps of the current spacing from the start

// The points visited, on a lattice whose spacing can be halved.
class Lattice {
 public:
  Lattice(Descent& descent, Vector origin, double spacing)
      : descent_(descent), origin_(std::move(origin)), spacing_(spacing), best_(std::size_t(origin_.size()), 0) {}

  // Visits one node; false when the descent has ended. A node outside the box stands for the edge.
  bool visit(const Node& node) {
    if (seen_.contains(node)) return true;
    Vector x = origin_;
    for (std::size_t k = 0; k < node.size(); ++k) x[Index(k)] += spacing_ * double(node[k]);
    x = descent_.budget().clamp(x);
    // Neighbours beyond the edge of the box fall on one another: the criterion is asked once.
    const std::vector<double> key(x.begin(), x.end());
    auto known = values_.find(key);
    if (known == values_.end()) {
      const auto at = descent_.evaluate(x, false);
      if (!at) return false;
      known = values_.emplace(key, at->value).first;
    }
    seen_.emplace(node, known->second);
    if (known->second < value_) {
      value_ = known->second;
      best_ = node;
    }
    return !descent_.ended();
  }

  void halve() {
    spacing_ *= 0.5;
    seen_.clear();  // values_ still knows the points
    for (long& step : best_) step *= 2;
    seen_.emplace(best_, value_);
  }

  const Node& best() const { return best_; }
  double value() const { return value_; }
  double spacing() const { return spacing_; }

 private:
  Descent& descent_;
  Vector origin_;
  double spacing_;
  Node best_;
  double value_ = std::numeric_limits<double>::infinity();
  std::map<Node, double> seen_;
  std::map<std::vector<double>, double> values_;
};

// Visits centre + {-reach ... reach}^n, the first parameter fastest.
bool visit_cube(Lattice& lattice, const Node& centre, long reach) {
  Node offset(centre.size(), -reach);
  for (;;) {
    Node node = centre;
    for (std::size_t k = 0; k < node.size(); ++k) node[k] += offset[k];
    if (!lattice.visit(node)) return false;
    std::size_t k = 0;
    while (k < offset.size() && ++offset[k] > reach) offset[k++] = -reach;
    if (k == offset.size()) return true;
  }
}

// Visits the two neighbours of the best point in every parameter in turn, going on from each improvement.
bool visit_cross(Lattice& lattice, std::size_t parameters) {
  for (std::size_t k = 0; k < parameters; ++k) {
    const Node centre = lattice.best();
    for (const long step : {-1L, 1L}) {
      Node node = centre;
      node[k] += step;
      if (!lattice.visit(node)) return false;
    }
  }
  return true;
}

// Steps either way of the first grid: as many as leave half the budget for refinement.
long first_reach(Index n, int budget) {
  const long wanted[] = {4, 2, 1};
  long reach = wanted[n - 1];
  while (reach > 1 && std::pow(2.0 * double(reach) + 1.0, double(n)) > 0.5 * budget) --reach;
  return reach;
}

}  // namespace

Optimum grid_descent(Descent& descent, const Vector& start) {
  const Budget& budget = descent.budget();
  const Index n = start.size();
  const bool full = n <= kFullGrid;
  const long reach = full ? first_reach(n, budget.remaining()) : 1;
  Lattice lattice(descent, budget.clamp(start), full ? kReach / double(reach) : 0.5 * kReach);
  const Node origin(std::size_t(n), 0);
  if (!lattice.visit(origin)) return descent.finish();
  if (full && !visit_cube(lattice, origin, reach)) return descent.finish();

  int idle = 0;
  while (std::isfinite(lattice.value()) && lattice.spacing() > budget.options().log_tolerance) {
    const Node centre = lattice.best();
    const double before = lattice.value();
    const bool all = full ? visit_cube(lattice, centre, 1) : visit_cross(lattice, std::size_t(n));
    if (!all) break;
    const bool gained = before - lattice.value() > budget.options().value_tolerance * std::abs(before);
    idle = gained || lattice.spacing() > kFinest ? 0 : idle + 1;
    if (idle == kPatience) break;
    if (lattice.best() == centre) lattice.halve();
  }
  return descent.finish();
}

SearchResult grid(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options,
                  const Observer& observer) {
  return single_start(grid_descent, objective, box, start, options, observer);
}

}  // namespace lacuna

#include "lacuna/base/paired.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace lacuna {

Paired paired(const Vector& difference, const Vector& weights, const std::vector<int>& group,
              std::span<const Index> rows) {
  struct Sum {
    double weight = 0.0, sum = 0.0;
  };
  // By group, or by row.
  std::map<Index, Sum> units;
  double total = 0.0, sum = 0.0;
  for (const Index i : rows) {
    const double w = weights[i];
    if (!(w > 0.0)) continue;
    Sum& unit = units[group.empty() ? i : Index(group[std::size_t(i)])];
    unit.weight += w;
    unit.sum += w * difference[i];
    total += w;
    sum += w * difference[i];
  }
  Paired out;
  if (!(total > 0.0)) return {0.0, std::numeric_limits<double>::infinity(), 0.0};
  out.mean = sum / total;
  if (group.empty()) {
    // A weight of k is k copies of a row: what they vary by is counted k times, and they count as k rows.
    double squares = 0.0, weight_squares = 0.0;
    for (const auto& [i, unit] : units) {
      squares += unit.weight * std::pow(difference[i] - out.mean, 2);
      weight_squares += unit.weight * unit.weight;
    }
    const double n = out.count = total * total / weight_squares;
    out.standard_error = n > 1.0 ? std::sqrt(squares / total / (n - 1.0)) : std::numeric_limits<double>::infinity();
    return out;
  }
  double squares = 0.0;
  for (const auto& [g, unit] : units) squares += std::pow(unit.sum - out.mean * unit.weight, 2);
  const double n = out.count = double(units.size());
  out.standard_error = n > 1.0 ? std::sqrt(squares * n / (n - 1.0)) / total : std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace lacuna

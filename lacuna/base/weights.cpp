#include "lacuna/base/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lacuna/base/weight_unit.hpp"

namespace lacuna {

double take_unit_out(Vector& weights) {
  WeightUnit all;
  all.add(weights);
  const double unit = all.value();
  if ((weights.array() > 0.0).any())
    for (double& w : weights) w = without_unit(w, unit);
  return unit;
}

double weight_of_one_row(const Vector& weights) {
  const double unit = weights.maxCoeff();  // squares must neither overflow nor vanish
  return unit * (weights / unit).squaredNorm() / (weights / unit).sum();
}

double rows_counted(const Vector& weights) { return weights.sum() / weight_of_one_row(weights); }

Vector gathered(const Vector& weights, const std::vector<Index>& first) {
  if (first.empty()) return weights;
  Vector out = Vector::Zero(weights.size());
  for (Index i = 0; i < weights.size(); ++i) out[first[std::size_t(i)]] += weights[i];
  return out;
}

double value_at_weight(std::vector<std::pair<double, double>>& value_weight, double weight) {
  const double each = value_weight.front().second;
  const auto same = [&](const auto& one) { return one.second == each; };
  if (each > 0.0 && std::all_of(value_weight.begin(), value_weight.end(), same)) {  // no need to sort all of them
    const double slack = weight_rounding * double(value_weight.size());
    const double rank = std::clamp(std::ceil(weight / each - slack), 1.0, double(value_weight.size()));
    const auto at = value_weight.begin() + std::ptrdiff_t(rank) - 1;
    std::nth_element(value_weight.begin(), at, value_weight.end());
    return at->first;
  }
  std::sort(value_weight.begin(), value_weight.end());
  double total = 0.0, seen = 0.0;
  for (const auto& [value, w] : value_weight) total += w;
  for (const auto& [value, w] : value_weight) {
    seen += w;
    if (w > 0.0 && seen >= weight - weight_rounding * total) return value;
  }
  const auto last =
      std::find_if(value_weight.rbegin(), value_weight.rend(), [](const auto& p) { return p.second > 0.0; });
  return last == value_weight.rend() ? value_weight.back().first : last->first;
}

double mean_between(std::vector<std::pair<double, double>>& value_weight, double from, double to) {
  std::sort(value_weight.begin(), value_weight.end());
  double total = 0.0, seen = 0.0, sum = 0.0;
  for (const auto& [value, w] : value_weight) total += w;
  for (const auto& [value, w] : value_weight) {
    const double inside = std::min(seen + w, to * total) - std::max(seen, from * total);
    if (inside > 0.0) sum += inside * value;
    seen += w;
  }
  return sum / ((to - from) * total);
}

}  // namespace lacuna

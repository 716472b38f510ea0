#include "lacuna/curves/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lacuna/base/random.hpp"
#include "lacuna/curves/counted.hpp"

namespace lacuna {
namespace {

constexpr int resamples = 200, grid_points = 51;
constexpr double fewest_found = 10.0;  // positive rows, where the band of precision begins

// Rows from the largest output down; a step ends where the next output is smaller.
struct Order {
  std::vector<Index> row;
  std::vector<bool> positive;  // of row[k]
  std::vector<bool> ends;
};

Order order_of(const Vector& output, const std::vector<bool>& positive) {
  Order out;
  out.row.resize(positive.size());
  std::iota(out.row.begin(), out.row.end(), Index(0));
  std::ranges::stable_sort(out.row, std::ranges::greater{}, [&](Index i) { return output[i]; });
  for (std::size_t k = 0; k < out.row.size(); ++k) {
    out.positive.push_back(positive[std::size_t(out.row[k])]);
    out.ends.push_back(k + 1 == out.row.size() || output[out.row[k + 1]] < output[out.row[k]]);
  }
  return out;
}

// Corners for rows that count so often (by row), and the area under roc; nothing where one side has no rows.
struct Corners {
  std::vector<double> fpr, tpr, precision;
  double area = 0.0;
};

Corners corners(const Order& order, const std::vector<double>& count) {
  double all = 0.0, positives = 0.0;
  for (std::size_t k = 0; k < order.row.size(); ++k) {
    const double c = count[std::size_t(order.row[k])];
    all += c;
    if (order.positive[k]) positives += c;
  }
  Corners out;
  if (positives <= 0.0 || positives >= all) return out;
  double tp = 0.0, fp = 0.0, before_tp = 0.0, before_fp = 0.0;
  out.fpr.push_back(0.0);
  out.tpr.push_back(0.0);
  for (std::size_t k = 0; k < order.row.size(); ++k) {
    (order.positive[k] ? tp : fp) += count[std::size_t(order.row[k])];
    if (!order.ends[k] || tp + fp == before_tp + before_fp) continue;
    out.area += (fp - before_fp) * 0.5 * (tp + before_tp);
    if (out.precision.empty()) out.precision.push_back(tp / (tp + fp));
    out.fpr.push_back(fp / (all - positives));
    out.tpr.push_back(tp / positives);
    out.precision.push_back(tp / (tp + fp));
    before_tp = tp;
    before_fp = fp;
  }
  out.area /= positives * (all - positives);
  return out;
}

// y at each of the points, x ascending: of a step up the higher end, else straight.
void read_off(const std::vector<double>& x, const std::vector<double>& y, std::vector<std::vector<double>>& to) {
  std::size_t k = 0;
  for (int g = 0; g < grid_points; ++g) {
    const double at = double(g) / (grid_points - 1);
    while (k + 1 < x.size() && x[k + 1] <= at) ++k;
    const bool between = k + 1 < x.size() && x[k + 1] > x[k];
    to[std::size_t(g)].push_back(between ? y[k] + (y[k + 1] - y[k]) * (at - x[k]) / (x[k + 1] - x[k]) : y[k]);
  }
}

void set_band(RankCurve& to, std::vector<std::vector<double>>& seen) {
  for (int g = 0; g < grid_points; ++g) {
    std::vector<double>& s = seen[std::size_t(g)];
    if (s.empty()) return;
    std::ranges::sort(s);
    to.at.push_back(double(g) / (grid_points - 1));
    to.lower.push_back(s[std::size_t(0.025 * double(s.size()))]);
    to.upper.push_back(s[std::min(s.size() - 1, std::size_t(0.975 * double(s.size())))]);
  }
}

double deviation(const std::vector<double>& v) {
  if (v.size() < 2) return std::nan("");
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / double(v.size());
  double sum = 0.0;
  for (const double x : v) sum += (x - mean) * (x - mean);
  return std::sqrt(sum / double(v.size() - 1));
}

// What is drawn together.
std::vector<std::vector<std::size_t>> units_of(std::size_t n, const std::vector<int>& group) {
  std::vector<std::vector<std::size_t>> out;
  std::map<int, std::size_t> place;
  for (std::size_t i = 0; i < n; ++i) {
    const auto [at, fresh] = place.try_emplace(group.empty() ? int(i) : group[i], out.size());
    if (fresh) out.emplace_back();
    out[at->second].push_back(i);
  }
  return out;
}

}  // namespace

double area_error(double area, double n1, double n0) {
  if (!(n1 > 0.0 && n0 > 0.0)) return std::nan("");
  const double edge = 0.5 / (std::min(n1, n0) + 1.0), a = std::clamp(area, edge, 1.0 - edge);
  const double of_positive = a / (2.0 - a) - a * a, of_others = 2.0 * a * a / (1.0 + a) - a * a;
  const double more = std::max(0.0, n1 - 1.0) * of_positive + std::max(0.0, n0 - 1.0) * of_others;
  return std::sqrt((a * (1.0 - a) + more) / (n1 * n0));
}

Ranking ranking(const Vector& output, const std::vector<bool>& positive, const Vector& weight,
                const std::vector<int>& group, std::uint64_t seed) {
  const Order order = order_of(output, positive);
  const std::size_t n = positive.size();
  const Vector counts = weights_or_ones(weight, Index(n));
  std::vector<double> count(counts.begin(), counts.end());
  const Corners all = corners(order, count);
  Ranking out;
  out.roc.x = all.fpr, out.roc.y = all.tpr;
  out.precision.x = all.tpr, out.precision.y = all.precision;
  out.area = all.area;
  for (std::size_t i = 0; i < n; ++i)
    if (positive[i]) out.share += counts[Index(i)] / counts.sum();
  Random random(seed);
  std::vector<std::vector<double>> roc(grid_points), precision(grid_points);
  std::vector<double> areas;
  const std::vector<std::vector<std::size_t>> units = units_of(n, group);
  for (int r = 0; r < resamples; ++r) {
    std::ranges::fill(count, 0.0);
    for (std::size_t k = 0; k < units.size(); ++k)
      for (const std::size_t i : units[random.below(units.size())]) count[i] += counts[Index(i)];
    const Corners one = corners(order, count);
    if (one.fpr.empty()) continue;
    areas.push_back(one.area);
    read_off(one.fpr, one.tpr, roc);
    read_off(one.tpr, one.precision, precision);
  }
  set_band(out.roc, roc);
  set_band(out.precision, precision);
  // Of the first few rows all resamples agree that they are right: no band is known there.
  const double few = std::min(0.5, fewest_found / double(std::ranges::count(positive, true)));
  RankCurve& band = out.precision;
  const auto begins = std::ranges::lower_bound(band.at, few) - band.at.begin();
  for (std::vector<double>* of : {&band.at, &band.lower, &band.upper})
    if (Index(of->size()) > begins) of->erase(of->begin(), of->begin() + begins);
  out.standard_error = deviation(areas);
  return out;
}

RankCurve thinned(RankCurve curve, std::size_t most) {
  const std::size_t n = curve.x.size();
  if (n <= most) return curve;
  RankCurve out{.at = std::move(curve.at), .lower = std::move(curve.lower), .upper = std::move(curve.upper)};
  for (std::size_t k = 0; k < most; ++k) {
    const std::size_t i = k * (n - 1) / (most - 1);
    out.x.push_back(curve.x[i]);
    out.y.push_back(curve.y[i]);
  }
  return out;
}

}  // namespace lacuna

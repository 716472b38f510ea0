#include "lacuna/curves/quantile_residuals.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/base/normal_quantile.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/curves/counted.hpp"
#include "lacuna/model/count_check.hpp"

namespace lacuna {
namespace {

// P(T < t) and P(T = t) of counts whose mean has this logarithm.
std::pair<double, double> below_and_at(const Loss& loss, double log_mean, double t) {
  double below = 0.0, here = 0.0;
  for (double k = 0.0; k <= t; k += 1.0) {
    below += here;
    here = std::exp(-at(loss, log_mean, k).c - normaliser(loss, k));
  }
  return {below, here};
}

// The quantile at z of the k-th smallest of n uniform numbers, whose odds are about log-normal: 1/k + 1/(n + 1 - k)
// is the variance of their logarithm.
double order_quantile(double k, double n, double z) {
  const double rest = n + 1.0 - k, log_odds = std::log(k / rest) + z * std::sqrt(1.0 / k + 1.0 / rest);
  return 1.0 / (1.0 + std::exp(-log_odds));
}

}  // namespace

QuantileResiduals quantile_residuals(const Model& model, std::uint64_t seed) {
  const HeldOutRows& h = model.held_out;
  QuantileResiduals out;
  if (h.size() == 0 || !says_how_counts_scatter(model.loss)) return out;
  const CountedRows rows = counted_rows(model);
  Random random(seed);
  std::vector<std::pair<double, double>> drawn;  // residual, weight
  for (Index k = 0; k < rows.size(); ++k) {
    const Index i = rows.place[std::size_t(k)];
    const double t = h.target(i, 0);
    if (t != std::round(t) || t > 1e6) return {};
    const double log_mean = std::clamp(h.output(i, 0) + (h.offset.size() > 0 ? h.offset[i] : 0.0), -700.0, 700.0);
    const auto [below, here] = below_and_at(model.loss, log_mean, t);
    drawn.emplace_back(normal_quantile(std::clamp(below + random.uniform() * here, 1e-12, 1.0 - 1e-12)),
                       rows.weight[k]);
  }
  std::ranges::sort(drawn);
  const double all = rows_counted(rows.weight), one = rows.weight.sum() / all;
  double reached = 0.0;
  for (const auto& [residual, weight] : drawn) {
    const double k = (reached + 0.5 * weight) / one + 0.5;  // i of n rows that weigh the same
    reached += weight;
    out.residual.push_back(residual);
    out.normal.push_back(normal_quantile((k - 0.375) / (all + 0.25)));
    out.lower.push_back(normal_quantile(order_quantile(k, all, -1.96)));
    out.upper.push_back(normal_quantile(order_quantile(k, all, 1.96)));
  }
  return out;
}

}  // namespace lacuna

#include "lacuna/curves/independent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/paired.hpp"

namespace lacuna {

double independent_rows(const Vector& hit, const Vector& weight, const std::vector<int>& group,
                        std::span<const Index> rows) {
  const Paired alone = paired(hit, weight, {}, rows);
  if (group.empty() || alone.count == 0.0) return alone.count;
  const Paired together = paired(hit, weight, group, rows);
  const double se = together.standard_error, p = together.mean;
  const double most = std::max(1.0, alone.count);
  if (!std::isfinite(se)) return 1.0;
  if (!(se > 0.0) || !(p > 0.0 && p < 1.0)) return std::min(most, together.count);
  return std::clamp(p * (1.0 - p) / (se * se), 1.0, most);
}

double independent_rows(const Vector& hit, const Vector& weight, const std::vector<int>& group) {
  std::vector<Index> all(std::size_t(hit.size()));
  std::iota(all.begin(), all.end(), Index(0));
  return independent_rows(hit, weight, group, all);
}

}  // namespace lacuna

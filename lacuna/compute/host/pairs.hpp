// compute/host/pairs.hpp -- the share of pairs of a positive and a negative row that a pair of outputs puts in order.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "lacuna/compute/held_out.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::host {

struct Sides {
  std::vector<Index> up, down;
  explicit Sides(const Eigen::Ref<const Vector>& side) {
    for (Index i = 0; i < side.size(); ++i)
      if (side[i] != 0.0) (side[i] > 0.0 ? up : down).push_back(i);
  }
  bool both() const { return !up.empty() && !down.empty(); }
};

/// What a row that is ahead by so much has of a pair.
inline double share(double by, double tie) { return by > tie ? 1.0 : by < -tie ? 0.0 : 0.5; }

/// `ahead(p, q)`: by how much row up[p] is ahead of row down[q] when both are left out. NaN when there are no pairs.
template <class Ahead>
double area(const Sides& sides, const Eigen::Ref<const Vector>& side, double tie, const Ahead& ahead) {
  if (!sides.both()) return std::numeric_limits<double>::quiet_NaN();
  const auto ups = Index(sides.up.size()), downs = Index(sides.down.size());
  Vector won = Vector::Zero(ups), total = won;
  parallel_ranges(ups, ups * downs > 100000 ? 8 : ups, [&](Index first, Index last) {
    for (Index p = first; p < last; ++p)
      for (Index q = 0; q < downs; ++q) {
        const double w = side[sides.up[std::size_t(p)]] * -side[sides.down[std::size_t(q)]], by = ahead(p, q);
        won[p] += w * share(by, tie);
        total[p] += w;
      }
  });
  return won.sum() / total.sum();
}

/// The same a row at a time: `beaten(i, weight)` is the weight of the rows that row i is ahead of, ties counting half,
/// among rows of the other kind, which alone have weight.
template <class Beaten>
double area(const Eigen::Ref<const Vector>& side, const Beaten& beaten) {
  const Sides sides(side);
  if (!sides.both()) return std::numeric_limits<double>::quiet_NaN();
  const Vector up = side.cwiseMax(0.0), down = (-side).cwiseMax(0.0);
  const bool by_up = sides.up.size() <= sides.down.size();  // fewer rows to go through
  const std::vector<Index>& rows = by_up ? sides.up : sides.down;
  Vector sum(Index(rows.size()));
  parallel_ranges(sum.size(), sum.size() * side.size() > 100000 ? 8 : sum.size(), [&](Index first, Index last) {
    for (Index p = first; p < last; ++p) {
      const Index i = rows[std::size_t(p)];
      sum[p] = std::abs(side[i]) * beaten(i, by_up ? down : up);
    }
  });
  const double total = up.sum() * down.sum();
  return (by_up ? sum.sum() : total - sum.sum()) / total;
}

}  // namespace lacuna::compute::host

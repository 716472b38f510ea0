// compute/host/pairs.hpp -- the share of pairs of a positive and a negative row that a pair of outputs puts in order.
#pragma once

#include <limits>
#include <vector>

#include "lacuna/compute/held_out.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::host {

struct Sides {
  std::vector<Index> up, down;
  explicit Sides(const Eigen::Ref<const Vector>& side) {
    for (Index i = 0; i < side.size(); ++i)
      if (side[i] != 0.0) (side[i] > 0.0 ? up : down).push_back(i);
  }
  bool both() const { return !up.empty() && !down.empty(); }
};

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
        won[p] += w * (by > tie ? 1.0 : by < -tie ? 0.0 : 0.5);
        total[p] += w;
      }
  });
  return won.sum() / total.sum();
}

}  // namespace lacuna::host

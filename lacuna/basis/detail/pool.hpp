// basis/detail/pool.hpp -- the rows that may be chosen and counted.
#pragma once

#include <algorithm>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/random.hpp"

namespace lacuna::detail {

/// Rows of positive weight, ascending. Empty weights: all.
inline std::vector<Index> pool(Index rows, const Vector& weights) {
  std::vector<Index> all;
  for (Index i = 0; i < rows; ++i)
    if (weights.size() == 0 || weights[i] > 0.0) all.push_back(i);
  return all;
}

/// Whether these rows have one and the same weight: drawing by weight is then drawing uniformly.
inline bool alike(const std::vector<Index>& rows, const Vector& weights) {
  return weights.size() == 0 ||
         std::all_of(rows.begin(), rows.end(), [&](Index i) { return weights[i] == weights[rows.front()]; });
}

/// The weights of these rows.
inline std::vector<double> weights_of(const std::vector<Index>& rows, const Vector& weights) {
  std::vector<double> out;
  for (const Index i : rows) out.push_back(weights.size() > 0 ? weights[i] : 1.0);
  return out;
}

/// At most `count` of them, ascending: a sample without replacement when there are more.
inline std::vector<Index> sample(std::vector<Index> all, Index count, Random& random) {
  if (Index(all.size()) <= count) return all;
  for (std::size_t i = 0; i < std::size_t(count); ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  all.resize(std::size_t(count));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace lacuna::detail

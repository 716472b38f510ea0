// data/split.hpp -- partitions of the rows into folds: what is held out together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Folds of row indices (ascending inside a fold) that cover every row once; empty means leave-one-out.
using Folds = std::vector<std::vector<Index>>;

/// K folds of nearly equal size from a seed, stratified: every stratum is spread evenly over the folds.
/// `stratum` may be empty (regression: rows are only shuffled). Requires 2 <= k <= n.
Folds k_folds(Index n, int k, const std::vector<int>& stratum, std::uint64_t seed);

/// K folds of whole groups, as equal in size as these allow: the largest first, each into the fold with fewest rows
/// so far, those of one size in random order. Rows count by their weights where these are given. Throws Error(data)
/// when there are fewer than k groups.
Folds grouped_folds(const std::vector<int>& group, int k, std::uint64_t seed, const Vector& weights = {});

/// Rows 0 ... rows - 1 without those of the fold, in order.
std::vector<Index> all_but(Index rows, const std::vector<Index>& fold);

/// One fold for each group. Requires at least two groups.
Folds group_folds(const std::vector<int>& group);

/// A seeded split into train and test rows of the given sizes (both ascending).
struct TrainTest {
  std::vector<Index> train, test;
};
TrainTest random_split(Index n, Index n_train, std::uint64_t seed);

}  // namespace lacuna

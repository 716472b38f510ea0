// evaluate/split_plan.hpp -- evaluate/ says how good a machine is that chooses its own parameters: everything that fit
// does is done again inside every split, and judged on rows that took no part in it. This file: which rows those are.
//
//   N:SHARE     N random splits, that share of the rows for testing. Every class has its share of both parts (within
//               one row).
//   folds:KxR   K folds, each the test part once; R times with other folds
//   groups      each group of rows the test part once
//   files:STEM  STEM.train.csv and STEM.test.csv: one split a line, its number and then rows counted from 0
//
// Where rows have groups, no group is ever divided, whatever the plan. Split k of a plan is the same however many there
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/data/split.hpp"

namespace lacuna {

struct SplitPlan {
  enum class Kind { random, folds, groups, files } kind = Kind::random;
  std::optional<int> count{};  ///< random: empty: 100, or fewer where the first shows that they would take long
  double test_share = 0.1;     ///< random
  int folds = 10;
  int repeats = 1;
  std::string stem{};  ///< files
  std::uint64_t seed = 0;
};

/// "100", "100:0.2", "folds:10", "folds:10x3", "groups", "files:STEM". Throws Error(usage).
SplitPlan parse_split_plan(std::string_view text);
/// Back to such words; without the number of random splits, which does not change what a split is.
std::string split_plan_text(const SplitPlan& plan);

/// `stratum`, `group` and `weights` have one entry for each row, or none; groups are dealt by weight. `count`: how many
/// random splits. Throws Error(usage or data) when the rows or groups do not suffice, or when files are not as they
/// should be or need more than `most_bytes` (empty: than is free).
std::vector<TrainTest> make_splits(const SplitPlan& plan, int count, Index rows, const std::vector<int>& stratum,
                                   const std::vector<int>& group, std::optional<double> most_bytes = {},
                                   const Vector& weights = {});

/// A split that somebody else has made: rows of the data, counted from 0.
struct GivenSplit {
  int number = 0;
  TrainTest rows;
};
/// STEM.train.csv and STEM.test.csv; no files: no splits. Throws Error(data), naming file, line and value, where a line
/// is no list of rows, or a row is in both parts or is tested twice, or when they need more than `most_bytes` (empty:
/// than is free).
std::vector<GivenSplit> read_given_splits(const std::string& stem, Index rows, std::optional<double> most_bytes = {});

}  // namespace lacuna

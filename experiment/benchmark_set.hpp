// experiment/benchmark_set.hpp -- a data set with its splits, in the layout of the IDA benchmarks: NAME.csv (target
// last), NAME.train.csv and NAME.test.csv with one published split a line: its number, then rows of NAME.csv counted
// from 0. Where fewer splits are published than are wanted, seeded ones of the same sizes follow, marked as such.
#pragma once

#include <string>
#include <vector>

#include "lacuna/data/dataset.hpp"

namespace lacuna {

struct BenchmarkSplit {
  int number = 0;          ///< the published number, or the seed
  bool published = false;  ///< else drawn here
  std::vector<Index> train, test;
};

struct BenchmarkSet {
  std::string name;
  Dataset all;  ///< nothing standardised
  std::vector<BenchmarkSplit> splits;
};

/// All published splits, topped up to `at_least` by drawn ones, whose seeds count from `seed`. Throws Error(data) when
/// files are absent or do not fit, or when no split is published and the size of the training part is not one of the
/// thirteen known.
BenchmarkSet read_benchmark(const std::string& folder, const std::string& name, int at_least, std::uint64_t seed = 1);

}  // namespace lacuna

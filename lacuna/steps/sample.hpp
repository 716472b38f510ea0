// steps/sample.hpp -- a sample of rows that come in parts, the same whatever the parts are: every row has a number in
// the data, and a key made of that number and a seed; the rows of the smallest keys are the sample, and with them the
// two smallest of every class (of counts: of none and some). Samples of parts are added in any order.
//
// All rows are in it where there are no more than its size; it is then what train() selects on.
//
// Where rows with a missing cell are dropped, those of a part that holds no value of some feature count or do not, by
// what other parts hold (description.hpp). Rows with the same such features are a sample of their own until that is
// known; one of these samples counts in the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/data/dataset.hpp"

namespace lacuna {

struct Sample {
  std::int64_t size = 0;  ///< at most, but for the two of every class
  Table rows{};           ///< in no order
  std::vector<std::uint64_t> key{};
  std::vector<std::int64_t> number{};  ///< in the data, from 0
  std::vector<std::string> stratum{};
  std::vector<std::string> empty{};  ///< names of the features without a value in the row's part

  Sample& operator+=(const Sample& others);
  /// In the order of the data.
  Table table() const;
};

/// Rows that do not count (weight 0, or a missing cell where such rows are dropped) are not drawn. Requires size > 0.
Sample draw(const Table& part, const DataOptions& columns, std::int64_t first_row, std::int64_t size,
            std::uint64_t seed = 0);

}  // namespace lacuna

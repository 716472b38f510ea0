// evaluate/test_rows.hpp -- more about the test rows of a split than their scores, where somebody wants to see it: what
// was said about each of them, whether intervals hold the values, and the sums over rows that have something in common.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/evaluate/judge.hpp"

namespace lacuna {

struct TestRows {
  std::vector<std::int64_t> row{};  ///< in the data, from 1; empty: nobody wanted to see them
  std::vector<int> label{};         ///< classes of the data: true ...
  std::vector<int> decided{};       ///< ... and predicted; else empty
  Matrix target{};                  ///< values, counts; else empty
  Matrix output{};                  ///< l x m; several classes: those of the data, NaN for one that training never saw
  Matrix probability{};             ///< l x classes of the data, 0 for one that training never saw; empty: none
  Matrix value{};                   ///< values, expected counts; else empty
  Matrix lower{}, upper{};          ///< intervals; empty: none
  Index size() const { return Index(row.size()); }
};

/// How often intervals hold the value: weight of the values inside and of all, and the sum of the intervals' widths.
struct Coverage {
  double inside = 0.0, all = 0.0, width = 0.0;
};

/// What is wanted besides scores.
struct AskedOfRows {
  std::vector<std::int64_t> row{};   ///< TestRows, with these numbers; empty: none
  std::vector<std::string> level{};  ///< sums over the rows of each level, of which every row has one; empty: none
};

TestRows rows_said(const Model& model, const Predictions& said, const TestTruth& truth,
                   const std::vector<std::int64_t>& row);
Coverage coverage_of(const Predictions& said, const TestTruth& truth);
/// In the order in which levels appear.
std::vector<std::pair<std::string, Tally>> tallies_by_level(const Model& model, const Predictions& said,
                                                            const TestTruth& truth,
                                                            const std::vector<std::string>& level);

}  // namespace lacuna

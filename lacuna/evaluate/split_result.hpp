// evaluate/split_result.hpp -- what one machine did in one split: trained and chosen on one part, judged on the other.
// A plain value that is written as one line of text and read back the same, bit for bit.
#pragma once

#include <string>
#include <vector>

#include "lacuna/choose/choose.hpp"
#include "lacuna/evaluate/test_rows.hpp"

namespace lacuna {

struct SplitResult {
  std::string failure{};   ///< why there is no result: only the sizes are set then
  bool numerical = false;  ///< and whether numbers, not data, were the cause
  Index trained = 0, tested = 0;
  Judgement test{};        ///< of rows that had no part in anything
  NamedScores held_out{};  ///< of the training rows held out inside the fit: the parameters were chosen by them
  std::string criterion{};
  double criterion_value = 0.0;
  bool optimistic = false;                ///< something was chosen by the criterion
  std::vector<std::string> parameters{};  ///< names
  std::vector<double> values{};           ///< chosen or given
  int evaluations = 0;
  double select_seconds = 0.0;  ///< of the search
  double seconds = 0.0;         ///< of the whole fit
  double cpu_seconds = 0.0;     ///< processor time of the thread that fitted: all of it where a split has one thread
  Warnings warnings{};
  TestRows rows{};                                  ///< what was said about each test row, where that was asked for
  Coverage coverage{};                              ///< of intervals, where there are any
  std::vector<std::pair<std::string, Tally>> by{};  ///< sums over the test rows of each level, where asked for
};

/// Sets all that is about the test rows, as far as it is asked for.
void judge_into(SplitResult& result, const Model& model, const Predictions& said, const TestTruth& truth,
                const AskedOfRows& asked);

/// Changes whenever a line would read otherwise or mean something else: journals of such lines have it in their
/// fingerprint.
inline constexpr int split_result_format = 5;
std::string to_line(const SplitResult& result);
/// `classes`: how many the data has; 0: values, of so many targets. Throws Error(data) for a line that cannot be one of
/// such data.
SplitResult split_result(const std::string& line, std::size_t classes, Index targets = 1);

/// Trains with `options` (its observer included) and judges. When interrupted the result means nothing.
/// A fit that fails for numerical reasons or because of its data is a result too; other Errors are thrown.
SplitResult fit_and_judge(const Dataset& training, const TrainOptions& options, const RowsView& test_rows,
                          const Vector& test_offset, TestTruth truth, const ChooseOptions& how = {});
/// The same for several options that differ in threshold and costs only: one fit serves them all.
std::vector<SplitResult> fit_and_judge(const Dataset& training, const std::vector<TrainOptions>& options,
                                       const RowsView& test_rows, const Vector& test_offset, TestTruth truth,
                                       const ChooseOptions& how, const AskedOfRows& asked);

/// Names of the parameters that any split has, in order, and their values in the splits that have them (others: NaN);
/// splits may differ in their features.
std::vector<std::pair<std::string, std::vector<double>>> chosen_parameters(const std::vector<SplitResult>& splits);
/// One score over splits, of the test rows and of the rows held out inside the fit; NaN where a split failed or has
/// none.
std::vector<double> values_of(const std::vector<SplitResult>& splits, std::string_view name);
std::vector<double> held_out_values(const std::vector<SplitResult>& splits, std::string_view name);

}  // namespace lacuna

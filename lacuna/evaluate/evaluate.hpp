// evaluate/evaluate.hpp -- nested validation: in every split the whole of a fit is done again on the training part,
// from the encoding of columns and their standardisation to the choice of hyper-parameters, and judged on the test
// part. That is the honest estimate; the value of the selection criterion at its own optimum is optimistic, and is
// reported beside it under that name.
//
// Several contenders share the splits, so that their differences can be taken split by split. Splits of up to 3,000
// training rows, or on a basis, run side by side with one thread each (the same numbers for any number of threads);
// larger ones one after another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/evaluate/journal.hpp"
#include "lacuna/evaluate/split_plan.hpp"
#include "lacuna/evaluate/split_result.hpp"
#include "lacuna/evaluate/statistics.hpp"

namespace lacuna {

/// One way of fitting.
struct Contender {
  std::string name;  ///< for people; differs between contenders
  std::string key;   ///< for the journal: whatever its results depend on, in words; no tab or line feed
  /// The same without threshold and costs: contenders that have this in common share their fits. Empty: it shares none.
  std::string fit{};
  DataOptions data{};  ///< targets and rows are those of the first contender, groups those of any that has some
  TrainOptions train{};
  ChooseOptions choose{};
  std::optional<Table> basis{};  ///< rows of train.basis, to be encoded like the training part of each split
  bool constant = false;  ///< no model at all, but one answer for all rows (constant.hpp), at the costs of `train`
};

struct EvaluateOptions {
  SplitPlan plan{};
  std::vector<Contender> contenders{};
  int threads = 0;                ///< 0: all
  double budget_seconds = 600.0;  ///< where the plan leaves the number of splits open: what all of them may take
  bool keep_rows = false;         ///< what is said about every test row: SplitResult::rows
  bool intervals = false;         ///< values: intervals too, and how often they hold the value
  std::string by{};               ///< scores of the rows of each level of this column, too; empty: not
  Observer observer{};
};

struct NestedValidation {
  Task task = Task::automatic;
  Index rows = 0;
  bool weighted = false;  ///< rows count by weights that differ: sums of them have no unit that anyone knows
  std::vector<std::string> classes{}, target_names{};
  SplitPlan plan{};
  std::string group{};  ///< column whose groups are never divided; empty: none
  std::string by{};     ///< column whose levels have scores of their own; empty: none
  double level = 0.9;   ///< of intervals, where there are any
  Index splits = 0;
  Index tested = 0;                ///< rows that are in some test part
  double tested_to_trained = 0.0;  ///< rows by weight, mean over splits
  struct Results {
    std::string name;
    std::vector<SplitResult> splits;
    /// Counts and rates: the likelihood that its deviance is of, with its parameters; "": one that is chosen anew in
    /// every split. Deviances of two contenders compare where this is the same.
    std::string likelihood{};
  };
  std::vector<Results> contenders{};
  Warnings notes{};
  bool interrupted = false;  ///< what was finished is in the journal, and nothing else here is set
};

/// Throws Error: the data or options are refused, or no split at all could be fitted.
NestedValidation evaluate(const Table& table, const EvaluateOptions& options, Journal& journal);

/// What a journal of this evaluation must have been made for: the table and what a split is.
std::string evaluation_fingerprint(const Table& table, const SplitPlan& plan);

/// Warnings of the splits, those that differ in numbers only taken together: "... (in 12 of 100 splits)".
Warnings common_warnings(const std::vector<SplitResult>& splits);

}  // namespace lacuna

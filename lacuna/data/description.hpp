// data/description.hpp -- what has to be known of all rows before any of them is encoded, when they come in parts that
// nobody sees together: counts, levels, moments, units. Each part is described, descriptions are added in any order,
// and the sum gives the encoding that encode() learns of all rows at once: the same levels and features, and moments
// to twice the digits of a double.
#pragma once

#include <limits>
#include <map>

#include "lacuna/base/exact_sum.hpp"
#include "lacuna/base/weight_unit.hpp"
#include "lacuna/data/dataset.hpp"

namespace lacuna {

/// One column, over the rows that count.
struct ColumnDescription {
  struct Level {
    std::int64_t rows = 0;
    ExactSum weight{};
  };
  std::string name{};
  std::int32_t position = 0;
  bool text = false;         ///< some part holds texts
  bool numbers = false;      ///< some part holds numbers
  bool dates = true;         ///< where there are numbers: all of them were dates
  bool listed = false;       ///< its values are levels: texts, categories, labels
  std::int64_t missing = 0;  ///< cells
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  ExactSum weight{}, first{}, second{};   ///< of numbers: sums of w, w x, w x^2
  std::map<std::string, Level> levels{};  ///< where it is listed
};

/// Rows that count, or none of them does.
struct CountedRows {
  std::vector<std::int32_t> empty{};  ///< places of the features of which their part holds no value
  std::int64_t rows = 0;              ///< weight above 0, no missing cell where such rows are dropped
  std::vector<ColumnDescription> features{}, targets{};
  WeightUnit unit{};
  ExactSum weight{};
};

struct Description : CountedRows {
  std::int64_t rows_read = 0;  ///< also those that do not count
  std::int32_t table_columns = 0;
  bool has_names = true;
  std::string offset_column{};
  std::int32_t offset_position = -1;
  std::string weight_column{};
  std::int32_t weight_position = -1;  ///< -1: rows count alike
  /// Where rows with a missing cell are dropped: those of parts that hold no value of some features. If no other part
  /// does, the features are none and the rows count; otherwise the rows are dropped. By the features that are empty.
  std::vector<CountedRows> pending{};

  /// Throws Error(data) for parts of different tables.
  Description& operator+=(const Description& others);
};

/// What is pending counts or does not, now that all parts are here.
Description settled(Description all);

/// Requires a table in memory without sparse rows, which may have no row; a task that is named, or a target of texts.
/// Weights are those of `options.weights`; other columns of weights, and groups, are refused: Error(usage).
Description describe(const Table& part, const DataOptions& options);

/// How a part of a table becomes rows of a dataset: what encode() decides.
struct TableCode {
  DataOptions options{};
  Encoding encoding{};
  Task task = Task::regression;
  std::vector<std::string> classes{}, target_names{};
  double weight_unit = 1.0;          ///< of options.weights
  std::vector<std::string> empty{};  ///< features without any value: a gap there leaves no row out
};

struct DescribedTable {
  TableCode code{};
  std::int64_t rows = 0;
  Vector of_class{};     ///< weight of each class, in the unit
  Vector mean_target{};  ///< values and counts
  Warnings notes{};
};
/// Throws Error(data) as encode() does.
DescribedTable learn_code(const Description& all, const DataOptions& options);
/// The same of a table that was encoded as a whole.
DescribedTable learn_code(const Table& table, const Encoded& all, const DataOptions& options);

/// Rows of a part. It may have none. Rows count from `first_row` in the data. Throws Error(data), also for a label that
/// is not among the classes.
Dataset encode_part(const Table& part, const TableCode& code, std::int64_t first_row = 0);

}  // namespace lacuna

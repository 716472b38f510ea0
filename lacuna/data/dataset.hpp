// data/dataset.hpp -- from a Table to numbers: which column is the target, how each other column becomes features, what
// is standardised. The Encoding is learned once, kept in the model, and applied to new tables at prediction.
//
//   numeric column      -> one feature, (x - mean) / deviation when standardised
//   dates               -> one feature, in days since 1970-01-01
//   categorical column  -> one 0/1 feature per level seen in training (standardised like the rest, unless sparse)
//   missing cells       -> with Missing::indicator one 0/1 feature for each column that has some in training
//   zero-variance feature -> dropped, with a note
// Means and deviations are weighted by `weights`; rows whose weight is 0 are left out altogether.
// Sparse rows are only scaled (never centred), so that they stay sparse.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/base/rows.hpp"
#include "lacuna/data/prices.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

enum class Task { automatic, binary, multiclass, regression, counts };
std::string_view name_of(Task task);  ///< "binary", "multiclass", "regression", "counts", "auto"

/// What is done with missing cells of features: refused; filled with the mean (categories: none of them); their rows
/// left out; filled, and a feature of 0 and 1 says where.
enum class Missing { error, mean, drop, indicator };
inline bool fills(Missing missing) { return missing == Missing::mean || missing == Missing::indicator; }

/// What the user says about the columns. Columns are named, or given as 1-based indices where no name matches.
struct DataOptions {
  std::vector<std::string> targets{};  ///< one; several for multi-output regression
  enum class TaskRequest { automatic, classification, regression, counts } task = TaskRequest::automatic;
  std::optional<std::string> positive{};  ///< label of class +1 in binary problems
  std::vector<std::string> features{};    ///< only these; empty: every column without another role
  std::vector<std::string> ignore{};
  std::vector<std::string> categorical{};
  std::optional<std::string> weights{};         ///< enters training, selection, scale and standardisation
  std::optional<std::string> train_weights{};   ///< a column: training only
  std::optional<std::string> select_weights{};  ///< a column: selection only
  std::optional<std::string> group{};
  std::optional<std::string> offset{};
  std::optional<std::string> exposure{};  ///< offset = log(exposure)
  /// What mistakes about each row cost (model/costs.hpp); whatever else these columns are, features mostly, they stay.
  std::vector<std::string> prices{};
  Missing missing = Missing::error;
  bool standardise = true;
  bool encode_features = true;  ///< false (precomputed kernels): numeric columns as they are, none dropped or scaled
};

/// Rows ready for a machine.
struct Dataset {
  Rows X;  ///< l x d, encoded
  Task task = Task::regression;
  std::vector<std::string> classes;  ///< binary: {negative, positive}; multiclass: natural order; else empty
  std::vector<int> label;            ///< index into classes, one per row; empty unless classification
  Matrix targets;                    ///< l x m real targets (regression, counts); empty for classification
  std::vector<std::string> target_names;
  std::vector<std::string> feature_names;    ///< of the columns of X; empty: none known, or sparse
  std::vector<std::int32_t> feature_column;  ///< the column of the data that each comes from; empty: one for each
  Vector weights;                            ///< empty: all 1
  Vector train_weights;                      ///< empty: none given
  Vector select_weights;                     ///< empty: none given
  /// What a weight of 1 was in the data: weights have no unit inside, and a regulariser is told in that of the data.
  /// Empty: it has not been taken out yet.
  std::optional<double> weight_unit = {}, train_weight_unit = {};
  std::vector<int> group;  ///< 0 ... groups-1; empty: none given
  std::vector<std::string> group_names;
  Vector offset;                         ///< empty: none
  RowPrices prices{};                    ///< of mistakes about each row
  std::vector<std::int64_t> source_row;  ///< row number in the data, from 1
  Warnings notes;                        ///< what was decided or dropped and may surprise (warnings); the table's first

  Index size() const { return X.rows(); }
};

/// Weights as numbers without a unit (base/weights.hpp), which is kept beside them; once is enough.
void take_units_out(Dataset& data);

/// Some of the rows, as they are encoded (nothing is standardised again). Classes keep their numbers; notes stay
/// behind.
Dataset take_rows(const Dataset& data, std::span<const Index> rows);

/// The rows whose weight is not 0, which know their places in the data; all of them where all weights are 0.
Dataset rows_that_count(const Dataset& data);

/// How one column of the table becomes features.
struct ColumnCode {
  std::string name{};
  bool categorical = false;
  bool date = false;                  ///< numeric: days since 1970-01-01
  std::vector<std::string> levels{};  ///< categorical: training levels in order of their features (natural order)
  double fill = 0.0;                  ///< numeric, where cells are filled: what stands for a missing one (the mean)
  std::int32_t position = 0;          ///< column (from 0) of the training table, for tables without names
};

/// One feature = one column of X.
struct FeatureCode {
  std::int32_t column = 0;  ///< index into Encoding::columns; sparse: the column of the data (from 0)
  /// Which level, of a category; as many as there are levels (so 0 for numbers): whether the cell is missing.
  std::int32_t level = -1;
  double centre = 0.0;
  double scale = 1.0;  ///< feature = (raw - centre) / scale
  std::string name{};  ///< "age" or "colour=red"
};

inline std::int32_t missing_level(const ColumnCode& c) { return std::int32_t(c.levels.size()); }
inline bool marks_missing(const ColumnCode& c, const FeatureCode& f) { return f.level == missing_level(c); }

/// Learned from the training table, stored in the model: a value, plain data.
struct Encoding {
  bool sparse = false;    ///< LIBSVM input: columns empty, features by index
  bool has_names = true;  ///< training data had a header
  Index sparse_columns = 0;
  bool sparse_zero_based = false;  ///< LIBSVM input whose indices count from 0
  Missing missing = Missing::error;
  std::vector<ColumnCode> columns;  ///< every feature column of the table, also those whose features were dropped
  std::vector<FeatureCode> features;
  std::int32_t table_columns = 0;              ///< columns of the training table, whatever their role
  std::vector<std::int32_t> target_positions;  ///< where (from 0) its targets were
  std::int32_t offset_position = -1;           ///< where its offset or exposure was; -1: none
  std::string offset_column;                   ///< empty: none
  bool offset_is_exposure = false;
  std::string weight_column;          ///< its `weights`; empty: none, or not of a column that has a name
  std::int32_t weight_position = -1;  ///< where it was; -1: none
  std::string train_weight_column{}, select_weight_column{};  ///< of training only, of selection only; likewise
};

struct Encoded {
  Dataset data;
  Encoding encoding;
};

/// Decides task, labels, features and standardisation. Throws Error(data) or Error(usage) with the place and the rule.
Encoded encode(const Table& table, const DataOptions& options);

/// New rows through a learned encoding; columns are matched by name (by position where there are no names).
/// Extra columns are ignored; a missing one is an error; an unseen category is encoded as none, with a note.
/// By position, the table may have the training table's columns, or these without the targets, or only the feature
/// columns (and the offset), in training order. Notes do not repeat the table's own. Missing cells are treated as in
/// training, or as `missing` says: `mean` fills them in as training would have.
struct Prepared {
  Rows X;
  Vector offset;
  std::vector<std::int64_t> source_row;  ///< from 1; rows dropped for missing values do not appear
  Warnings notes;
};
Prepared prepare(const Table& table, const Encoding& encoding, std::optional<Missing> missing = {});

/// How often each of these rows (from 1) counts, without a unit, where the table has the column that was the weights of
/// training; empty: it has not, or there was none, and rows count alike. Without names it is there when all columns of
/// training are. Throws Error(data) for weights that are missing, negative or no numbers.
Vector read_weights(const Table& table, const Encoding& encoding, const std::vector<std::int64_t>& rows);

/// Natural order of labels: numbers by value when all are numbers, else by code point.
void sort_labels(std::vector<std::string>& labels);

}  // namespace lacuna

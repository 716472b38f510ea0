// explain/columns.hpp -- the columns of the data behind the features of encoded rows: what a column's value is in a
// row, and rows with another value there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// One column that a model uses. A number is one feature; a category has one for each level that training saw. Either
/// may have one more, which marks missing cells.
struct InputColumn {
  std::string name{};
  bool categorical = false;
  bool date = false;                  ///< of numbers: days since 1970-01-01
  std::vector<std::string> levels{};  ///< of a category
  std::vector<Index> features{};      ///< columns of X
  std::vector<FeatureCode> codes{};   ///< of these features
};

/// In the order of the data; x1, x2, ... for models that were trained on bare rows.
std::vector<InputColumn> input_columns(const Model& model);

/// A number as the data have it (what fills it where it is missing), or the number of a level (-1: none of them; as
/// many as there are: missing), of every row.
Vector column_values(const InputColumn& column, const RowsView& X);
/// Such a value in words: a date as 2021-04-03, or 2021-04-03 17:30. Rows that are given a number miss none.
std::string value_text(const InputColumn& column, double value);

/// Rows whose columns are `given` (values as above, one for each row) in place of their own.
Rows with_values(const RowsView& X, const InputColumn& column, const Vector& given);
/// Rows that have this column from other rows: row i from row source[i].
Rows with_column_of(const RowsView& X, const InputColumn& column, std::span<const Index> source);

}  // namespace lacuna

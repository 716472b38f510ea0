// report/table_truth.hpp -- what a table says of the rows that a model predicts: its target, in the model's terms, and
// what mistakes about them cost, where the table has it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lacuna/model/model.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

/// Both are referred to. Rows of the table count from 1.
class TableTruth {
 public:
  TableTruth(const Model& model, const Table& table);
  /// Whether the table has all of the model's targets, in columns that can be them.
  bool known() const { return !columns_.empty(); }
  /// The class of a row as the model numbers them; -1: the cell is missing; as many as there are classes: it is another
  /// one. Numbers compare by value, however they are written.
  int label(std::int64_t row) const;
  /// As it stands there.
  std::string label_text(std::int64_t row) const;
  std::vector<int> labels(std::span<const std::int64_t> rows) const;
  /// The value of target c; NaN: missing, or nothing that the model's loss can be of.
  double target(std::int64_t row, std::size_t c) const;
  Matrix targets(std::span<const std::int64_t> rows) const;

 private:
  const Model& model_;
  std::vector<detail::LoadedColumn> columns_{};    // one for each target
  std::vector<std::string> classes_{}, levels_{};  // canonical
};

/// What mistakes about these rows (from 1) cost, where columns say it. Where that decides it has to be known: throws
/// Error(data). Where something else does, what decisions cost is known if it is: empty otherwise.
RowPrices prices_for(const Model& model, const Table& table, const std::vector<std::int64_t>& rows);

}  // namespace lacuna

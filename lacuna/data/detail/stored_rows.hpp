// data/detail/stored_rows.hpp -- the inputs of a table whose cells are in a file, encoded block by block.
#pragma once

#include <memory>

#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/data/detail/sparse_features.hpp"
#include "lacuna/data/row_source.hpp"
#include "lacuna/read/cell_store.hpp"

namespace lacuna::detail {

/// What encode_rows() and encode_sparse() give for some of the rows, without their checks.
class StoredRows {
 public:
  /// Requires: table.store. `source[k]` is the table's column for encoding.columns[k]; `rows`: those of the table that
  /// stay, ascending.
  StoredRows(Table table, Encoding encoding, const std::vector<std::size_t>& source, RowList rows);
  StoredRows(const StoredRows&) = delete;
  StoredRows& operator=(const StoredRows&) = delete;

  Index rows() const { return rows_; }
  /// Called from several threads at a time.
  Rows read(Index first, Index count) const;
  /// Throws Error(data), as encode() does, for a number so large that its feature is not finite. Notes sparse entries
  /// that are left out.
  void check(Warnings& notes) const;

 private:
  // The features of one column, which follow one another.
  struct Group {
    std::size_t source;                 // column of the table
    std::size_t begin, end;             // features
    std::unique_ptr<LevelOf> level_of;  // null: numbers
  };
  std::int64_t table_row(Index row) const { return kept_.empty() ? row : kept_[std::size_t(row)]; }
  RowMatrix read_dense(Index first, Index count) const;
  SparseMatrix read_sparse(Index first, Index count, SparseEncoder::Beyond& beyond) const;
  void encode(const Group& group, Index first, std::int64_t begin, std::span<const double> cells,
              Eigen::Ref<RowMatrix> X) const;

  Table table_;
  Encoding encoding_;
  Index rows_;
  RowList kept_;  // empty: all
  std::vector<Group> groups_;
  std::unique_ptr<SparseEncoder> sparse_;
};

/// These rows, checked, as a source that owns them. Adds what check() notes.
RowSource stored_rows(Table table, const Encoding& encoding, const std::vector<std::size_t>& source, RowList rows,
                      Warnings& notes);

}  // namespace lacuna::detail

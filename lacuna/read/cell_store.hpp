// read/cell_store.hpp -- the cells of a table in a file: one double each, numbers as they are (NaN: missing) and
// texts as their codes. Rows come in chunks, and within a chunk each column stands in one piece, so that both a column
// of all rows and all columns of some rows are read in large pieces. Entries of sparse rows follow one another.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lacuna/read/detail/cache_file.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna::detail {

class CellStore {
 public:
  CellStore(const std::string& folder, std::size_t columns);

  void write(std::size_t column, std::int64_t first_row, std::span<const double> cells);
  void read(std::size_t column, std::int64_t first_row, std::span<double> cells) const;
  std::int64_t chunk_rows() const { return chunk_rows_; }

  /// Entries as they are read from the file, from `first` on.
  void write_entries(std::int64_t first, std::span<const std::int32_t> index, std::span<const double> value);
  /// `first_index`: what the file calls column 0.
  void read_entries(std::int64_t first, std::int32_t first_index, std::span<std::int32_t> column,
                    std::span<double> value) const;

  double bytes() const;

 private:
  template <class Move>
  void by_chunk(std::size_t column, std::int64_t first_row, std::size_t count, Move&& move) const;

  std::size_t columns_;
  std::int64_t chunk_rows_;
  CacheFile cells_, index_, value_;
};

/// The cells of one column, in memory as long as this lives; lent where the table has them in memory anyway.
class LoadedColumn {
 public:
  LoadedColumn(const Table& table, std::size_t column);
  const Column& operator*() const { return *column_; }
  const Column* operator->() const { return column_; }

 private:
  std::unique_ptr<Column> own_{};
  const Column* column_;
};

/// Sparse rows first ... first + count - 1 in memory, lent or read. Requires: table.sparse.
class LoadedRows {
 public:
  LoadedRows(const Table& table, std::int64_t first, std::int64_t count);
  SparseView rows() const { return rows_; }

 private:
  SparseMatrix own_{};
  SparseView rows_{};
};

/// How many sparse rows to load at a time: all where they are in memory.
std::int64_t sparse_rows_at_once(const Table& table);

}  // namespace lacuna::detail

#include "lacuna/read/cell_store.hpp"

#include <algorithm>

namespace lacuna::detail {
namespace {

constexpr std::int64_t chunk_cells = 1 << 17;  // 1 MiB

}  // namespace

CellStore::CellStore(const std::string& folder, std::size_t columns)
    : columns_(columns),
      chunk_rows_(std::clamp<std::int64_t>(chunk_cells / std::int64_t(std::max<std::size_t>(1, columns)), 64, 16384)),
      cells_(folder),
      index_(folder),
      value_(folder) {}

// Calls move(offset in the file, first cell, cells) for each piece.
template <class Move>
void CellStore::by_chunk(std::size_t column, std::int64_t first_row, std::size_t count, Move&& move) const {
  for (std::size_t done = 0; done < count;) {
    const std::int64_t row = first_row + std::int64_t(done), chunk = row / chunk_rows_, within = row % chunk_rows_;
    const std::size_t piece = std::min(count - done, std::size_t(chunk_rows_ - within));
    const std::int64_t cell = (chunk * std::int64_t(columns_) + std::int64_t(column)) * chunk_rows_ + within;
    move(cell * std::int64_t(sizeof(double)), done, piece);
    done += piece;
  }
}

void CellStore::write(std::size_t column, std::int64_t first_row, std::span<const double> cells) {
  by_chunk(column, first_row, cells.size(), [&](std::int64_t at, std::size_t first, std::size_t count) {
    cells_.write(cells.data() + first, count * sizeof(double), at);
  });
}

void CellStore::read(std::size_t column, std::int64_t first_row, std::span<double> cells) const {
  by_chunk(column, first_row, cells.size(), [&](std::int64_t at, std::size_t first, std::size_t count) {
    cells_.read(cells.data() + first, count * sizeof(double), at);
  });
}

void CellStore::write_entries(std::int64_t first, std::span<const std::int32_t> index, std::span<const double> value) {
  index_.write(index.data(), index.size_bytes(), first * std::int64_t(sizeof(std::int32_t)));
  value_.write(value.data(), value.size_bytes(), first * std::int64_t(sizeof(double)));
}

void CellStore::read_entries(std::int64_t first, std::int32_t first_index, std::span<std::int32_t> column,
                             std::span<double> value) const {
  index_.read(column.data(), column.size_bytes(), first * std::int64_t(sizeof(std::int32_t)));
  value_.read(value.data(), value.size_bytes(), first * std::int64_t(sizeof(double)));
  for (std::int32_t& j : column) j -= first_index;
}

double CellStore::bytes() const { return double(cells_.size()) + double(index_.size()) + double(value_.size()); }

LoadedColumn::LoadedColumn(const Table& table, std::size_t j) : column_(&table.columns[j]) {
  if (!table.store) return;
  own_ = std::make_unique<Column>(table.columns[j]);
  column_ = own_.get();
  const auto rows = std::size_t(table.rows);
  if (!own_->is_text) {
    own_->number.resize(rows);
    table.store->read(j, 0, own_->number);
    return;
  }
  own_->code.reserve(rows);
  std::vector<double> part(std::size_t(table.store->chunk_rows()));
  for (std::size_t first = 0; first < rows; first += part.size()) {
    const std::span<double> cells(part.data(), std::min(part.size(), rows - first));
    table.store->read(j, std::int64_t(first), cells);
    for (const double code : cells) own_->code.push_back(std::int32_t(code));
  }
}

LoadedRows::LoadedRows(const Table& table, std::int64_t first, std::int64_t count) {
  const SparseMatrix& X = *table.sparse;
  const std::int64_t* start = X.row_start.data() + first;
  if (!table.store) {
    rows_ = SparseView(count, X.cols, start, X.column.data(), X.value.data());
    return;
  }
  for (std::int64_t i = 1; i <= count; ++i) own_.row_start.push_back(start[i] - start[0]);
  own_.rows = count;
  own_.cols = X.cols;
  own_.column.resize(std::size_t(own_.row_start.back()));
  own_.value.resize(own_.column.size());
  table.store->read_entries(start[0], table.zero_based ? 0 : 1, own_.column, own_.value);
  rows_ = own_;
}

std::int64_t sparse_rows_at_once(const Table& table) {
  if (!table.store) return table.rows;
  const double entries = double(table.sparse->row_start.back()) / double(table.rows);
  return std::clamp<std::int64_t>(std::int64_t(double(chunk_cells) / std::max(1.0, entries)), 1, table.rows);
}

}  // namespace lacuna::detail

#include "lacuna/data/detail/stored_rows.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna::detail {

StoredRows::StoredRows(Table table, Encoding encoding, const std::vector<std::size_t>& source, RowList rows)
    : table_(std::move(table)), encoding_(std::move(encoding)), rows_(Index(rows.size())) {
  if (rows_ < table_.rows) kept_ = std::move(rows);
  if (table_.sparse) {
    sparse_ = std::make_unique<SparseEncoder>(table_, encoding_);
    return;
  }
  const std::vector<FeatureCode>& features = encoding_.features;
  for (std::size_t begin = 0, end = 0; begin < features.size(); begin = end) {
    while (end < features.size() && features[end].column == features[begin].column) ++end;
    const auto k = std::size_t(features[begin].column);
    const ColumnCode& code = encoding_.columns[k];
    const std::size_t column = source[k];
    groups_.push_back(
        {column, begin, end, code.categorical ? std::make_unique<LevelOf>(table_.columns[column], code) : nullptr});
  }
}

Rows StoredRows::read(Index first, Index count) const {
  if (!sparse_) return read_dense(first, count);
  SparseEncoder::Beyond known;  // check() has said so
  return read_sparse(first, count, known);
}

// Features of the rows first ... first + X.rows() - 1, whose cells of this column begin with that of table row `begin`.
void StoredRows::encode(const Group& group, Index first, std::int64_t begin, std::span<const double> cells,
                        Eigen::Ref<RowMatrix> X) const {
  const FeatureCode* feature = encoding_.features.data();
  const auto cell = [&](Index i) { return cells[std::size_t(table_row(first + i) - begin)]; };
  if (!group.level_of) {
    const double fill = encoding_.columns[std::size_t(feature[group.begin].column)].fill;
    for (Index i = 0; i < X.rows(); ++i) {
      const double x = cell(i);
      for (std::size_t f = group.begin; f < group.end; ++f) {
        const FeatureCode code = feature[f];
        X(i, Index(f)) = encoded_value(code, code.level >= 0 ? double(std::isnan(x)) : std::isnan(x) ? fill : x);
      }
    }
    return;
  }
  const bool is_text = table_.columns[group.source].is_text;
  const std::int32_t missing = missing_level(encoding_.columns[std::size_t(feature[group.begin].column)]);
  for (Index i = 0; i < X.rows(); ++i) {
    const double x = cell(i);
    const std::int32_t level = (is_text ? x < 0.0 : std::isnan(x)) ? missing
                               : is_text                           ? group.level_of->code(std::int32_t(x))
                                                                   : group.level_of->value(x);
    for (std::size_t f = group.begin; f < group.end; ++f)
      X(i, Index(f)) = encoded_value(feature[f], double(level == feature[f].level));
  }
}

RowMatrix StoredRows::read_dense(Index first, Index count) const {
  RowMatrix X(count, Index(encoding_.features.size()));
  const std::int64_t chunk = table_.store->chunk_rows();
  std::vector<double> cells;
  // One chunk of the file at a time: of each column, what lies between the first and the last row wanted.
  for (Index done = 0; done < count;) {
    const std::int64_t begin = table_row(first + done), chunk_end = (begin / chunk + 1) * chunk;
    Index until = done + 1;
    while (until < count && table_row(first + until) < chunk_end) ++until;
    cells.resize(std::size_t(table_row(first + until - 1) - begin + 1));
    for (const Group& group : groups_) {
      table_.store->read(group.source, begin, cells);
      encode(group, first + done, begin, cells, X.middleRows(done, until - done));
    }
    done = until;
  }
  return X;
}

SparseMatrix StoredRows::read_sparse(Index first, Index count, SparseEncoder::Beyond& beyond) const {
  SparseMatrix out;
  out.cols = Index(encoding_.features.size());
  if (count == 0) return out;
  const std::int64_t begin = table_row(first), end = table_row(first + count - 1) + 1;
  const LoadedRows part(table_, begin, end - begin);
  for (Index i = first; i < first + count; ++i)
    sparse_->add(part.rows(), Index(table_row(i) - begin), table_row(i), out, beyond);
  return out;
}

void StoredRows::check(Warnings& notes) const {
  for (const Group& group : groups_) {
    const FeatureCode& feature = encoding_.features[group.begin];
    const double largest = table_.columns[group.source].largest;
    // Mostly not even the largest number comes near, and the column need not be looked at.
    if (group.level_of || feature.level >= 0 || (largest + std::abs(feature.centre)) / feature.scale <= largest_feature)
      continue;
    const LoadedColumn column(table_, group.source);
    for (Index i = 0; i < rows_; ++i)
      if (const double x = column->number[std::size_t(table_row(i))]; !std::isnan(x))
        finite_value(feature, x, table_, table_row(i), group.source);
  }
  if (!sparse_) return;
  SparseEncoder::Beyond beyond;
  const Index step = sparse_rows_at_once(table_);
  for (Index first = 0; first < rows_; first += step) read_sparse(first, std::min(step, rows_ - first), beyond);
  beyond.note(notes);
}

RowSource stored_rows(Table table, const Encoding& encoding, const std::vector<std::size_t>& source, RowList rows,
                      Warnings& notes) {
  const auto stored = std::make_shared<const StoredRows>(std::move(table), encoding, source, std::move(rows));
  stored->check(notes);
  return {stored->rows(), [stored](Index first, Index count) { return stored->read(first, count); }};
}

}  // namespace lacuna::detail

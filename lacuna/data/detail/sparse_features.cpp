#include "lacuna/data/detail/sparse_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/data/standardise.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {
namespace {

using RowList = std::vector<std::int64_t>;

// Whether a table with a place for each column is worth its memory.
bool few_columns(const SparseMatrix& X, Index columns) { return columns <= 8 * Index(X.row_start.back()) + 4096; }

// Calls f(rows in memory, which of them, row of the table) for each row, some rows in memory at a time.
template <class F>
void over_sparse_rows(const Table& table, const RowList& rows, F&& f) {
  const std::int64_t step = sparse_rows_at_once(table);
  for (std::size_t k = 0; k < rows.size();) {
    const std::int64_t first = rows[k], count = std::min(step, table.rows - first);
    const LoadedRows part(table, first, count);
    for (; k < rows.size() && rows[k] < first + count; ++k) f(part.rows(), Index(rows[k] - first), rows[k]);
  }
}

// What is learned about each column that occurs.
class ColumnSums {
 public:
  struct Sums {
    std::int32_t column = 0;
    std::int64_t entries = 0;
    double low = 0.0, high = 0.0;
    MomentSums moments{};
  };
  explicit ColumnSums(const SparseMatrix& X) {
    if (few_columns(X, X.cols)) table_.assign(std::size_t(X.cols), -1);
  }
  Sums& operator[](std::int32_t column) {
    std::int32_t& at = table_.empty() ? map_.emplace(column, -1).first->second : table_[std::size_t(column)];
    if (at < 0) {
      at = std::int32_t(sums_.size());
      sums_.push_back({.column = column});
    }
    return sums_[std::size_t(at)];
  }
  std::vector<Sums>& all() { return sums_; }

 private:
  std::vector<std::int32_t> table_;  // place in sums_ of each column, or -1; where columns are few
  std::unordered_map<std::int32_t, std::int32_t> map_;
  std::vector<Sums> sums_;
};

// Three passes over the entries; by column, ascending.
std::vector<ColumnSums::Sums> column_sums(const Table& table, const RowList& rows, const Vector& weights) {
  ColumnSums columns(*table.sparse);
  const auto over_entries = [&](auto&& f) {
    Index at = 0;
    over_sparse_rows(table, rows, [&](const SparseView& X, Index i, std::int64_t) {
      const double w = weights.size() > 0 ? weights[at] : 1.0;
      ++at;
      for (std::int64_t k = X.row_start[i]; k < X.row_start[i + 1]; ++k) f(columns[X.column[k]], X.value[k], w);
    });
  };
  over_entries([](ColumnSums::Sums& s, double x, double) {
    s.low = s.entries == 0 ? x : std::min(s.low, x);
    s.high = s.entries == 0 ? x : std::max(s.high, x);
    ++s.entries;
    s.moments.measure(x);
  });
  over_entries([](ColumnSums::Sums& s, double x, double w) { s.moments.add(x, w); });
  const double all = weights.size() > 0 ? weights.sum() : double(rows.size());
  for (ColumnSums::Sums& s : columns.all()) s.moments.settle(all);
  over_entries([](ColumnSums::Sums& s, double x, double w) { s.moments.spread(x, w); });
  std::sort(columns.all().begin(), columns.all().end(),
            [](const auto& a, const auto& b) { return a.column < b.column; });
  return std::move(columns.all());
}

}  // namespace

void learn_sparse(const Table& table, const DataOptions& options, const RowList& rows, const Vector& weights,
                  Encoding& encoding, Warnings& notes) {
  const SparseMatrix& X = *table.sparse;
  encoding.sparse = true;
  encoding.sparse_columns = X.cols;
  encoding.sparse_zero_based = table.zero_based;
  const auto add = [&](std::int32_t column, double scale) {
    const std::int64_t index = std::int64_t(column) + (table.zero_based ? 0 : 1);
    encoding.features.push_back({.column = column, .scale = scale, .name = fmt::format("x{}", index)});
  };
  if (!options.encode_features) {
    if (X.cols > 1'000'000)
      fail_data(fmt::format("data: {}: {} columns are too many for a precomputed kernel", table.source, X.cols));
    for (std::int32_t j = 0; j < X.cols; ++j) add(j, 1.0);
    return;
  }
  for (const ColumnSums::Sums& s : column_sums(table, rows, weights)) {
    const bool one_value = s.entries == std::int64_t(rows.size()) && s.low == s.high;
    const Moments moments = s.moments.moments();
    if (!one_value && !moments.constant) add(s.column, options.standardise ? moments.scale : 1.0);
  }
  if (encoding.features.empty())
    fail_data(fmt::format("data: {}: no feature is left; all {} are constant", table.source, X.cols));
  const Index dropped = X.cols - Index(encoding.features.size());
  if (dropped > 0)
    notes.push_back({Warning::Code::constant_features,
                     fmt::format("{} of {} features are constant and were left out", dropped, X.cols)});
}

// Both files may count their indices differently: only one of them may hold an index 0.
SparseEncoder::SparseEncoder(const Table& table, const Encoding& encoding)
    : table_(table),
      encoding_(encoding),
      shift_(std::int64_t(encoding.sparse_zero_based) - std::int64_t(table.zero_based)) {
  if (!few_columns(*table.sparse, encoding.sparse_columns)) return;
  table_of_.assign(std::size_t(encoding.sparse_columns), -1);
  for (std::size_t f = 0; f < encoding.features.size(); ++f)
    table_of_[std::size_t(encoding.features[f].column)] = std::int32_t(f);
}

void SparseEncoder::Beyond::note(Warnings& notes) const {
  if (entries > 0)
    notes.push_back({Warning::Code::unseen_index,
                     fmt::format("{} entr{} with an index not in the training data (first: {}) left out", entries,
                                 entries == 1 ? "y" : "ies", first)});
}

std::int32_t SparseEncoder::feature_of(std::int64_t column) const {
  if (!table_of_.empty()) return table_of_[std::size_t(column)];
  const std::vector<FeatureCode>& features = encoding_.features;
  const auto at = std::lower_bound(features.begin(), features.end(), column,
                                   [](const FeatureCode& f, std::int64_t c) { return f.column < c; });
  return at != features.end() && at->column == column ? std::int32_t(at - features.begin()) : -1;
}

void SparseEncoder::add(const SparseView& part, Index at, std::int64_t row, SparseMatrix& out, Beyond& beyond) const {
  for (std::int64_t k = part.row_start[at]; k < part.row_start[at + 1]; ++k) {
    const std::int64_t column = part.column[k] + shift_;
    if (column < 0 || column >= encoding_.sparse_columns) {
      if (beyond.entries++ == 0) beyond.first = part.column[k] + (table_.zero_based ? 0 : 1);
      continue;
    }
    const std::int32_t f = feature_of(column);
    if (f < 0) continue;
    const double value = part.value[k] / encoding_.features[std::size_t(f)].scale;
    if (!(std::abs(value) <= largest_feature))
      fail_data(fmt::format("data: {}: value {} of index {} is too large to be computed with: at most {:.0e} can be",
                            place(table_, row), number_text(part.value[k]),
                            part.column[k] + (table_.zero_based ? 0 : 1), largest_feature));
    out.column.push_back(f);
    out.value.push_back(value);
  }
  out.row_start.push_back(std::int64_t(out.value.size()));
  ++out.rows;
}

SparseMatrix encode_sparse(const Table& table, const Encoding& encoding, const RowList& rows, Warnings& notes) {
  const SparseEncoder encoder(table, encoding);
  SparseEncoder::Beyond beyond;
  SparseMatrix out;
  out.cols = Index(encoding.features.size());
  over_sparse_rows(table, rows, [&](const SparseView& part, Index at, std::int64_t row) {
    encoder.add(part, at, row, out, beyond);
  });
  beyond.note(notes);
  return out;
}

}  // namespace lacuna::detail

#include "lacuna/data/detail/sparse_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/place.hpp"
#include "lacuna/data/standardise.hpp"

namespace lacuna::detail {
namespace {

// The entries of some rows, by column: order[start[k]] ... order[start[k + 1] - 1] are entries of column[k].
struct ByColumn {
  std::vector<std::int32_t> column;  // those that occur, ascending
  std::vector<std::size_t> start;
  std::vector<double> value;
};

ByColumn by_column(const SparseMatrix& X, const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> entry;
  for (const std::int64_t i : rows)
    for (std::int64_t k = X.row_start[std::size_t(i)]; k < X.row_start[std::size_t(i) + 1]; ++k) entry.push_back(k);
  const auto column_of = [&](std::int64_t k) { return X.column[std::size_t(k)]; };
  std::stable_sort(entry.begin(), entry.end(),
                   [&](std::int64_t a, std::int64_t b) { return column_of(a) < column_of(b); });
  ByColumn out;
  for (const std::int64_t k : entry) {
    if (out.column.empty() || out.column.back() != column_of(k)) {
      out.column.push_back(column_of(k));
      out.start.push_back(out.value.size());
    }
    out.value.push_back(X.value[std::size_t(k)]);
  }
  out.start.push_back(out.value.size());
  return out;
}

// Feature of a column, or -1. A table when the columns are few, else a search.
class FeatureOf {
 public:
  FeatureOf(const Encoding& encoding, std::size_t entries) : features_(encoding.features) {
    if (std::size_t(encoding.sparse_columns) > 8 * entries + 4096) return;
    table_.assign(std::size_t(encoding.sparse_columns), -1);
    for (std::size_t f = 0; f < features_.size(); ++f) table_[std::size_t(features_[f].column)] = std::int32_t(f);
  }
  std::int32_t operator()(std::int64_t column) const {
    if (!table_.empty()) return table_[std::size_t(column)];
    const auto at = std::lower_bound(features_.begin(), features_.end(), column,
                                     [](const FeatureCode& f, std::int64_t c) { return f.column < c; });
    return at != features_.end() && at->column == column ? std::int32_t(at - features_.begin()) : -1;
  }

 private:
  const std::vector<FeatureCode>& features_;
  std::vector<std::int32_t> table_;
};

}  // namespace

void learn_sparse(const Table& table, const DataOptions& options, const std::vector<std::int64_t>& rows,
                  Encoding& encoding, std::vector<std::string>& notes) {
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
  const ByColumn entries = by_column(X, rows);
  const auto n_rows = double(rows.size());
  for (std::size_t k = 0; k < entries.column.size(); ++k) {
    const std::span<const double> values(entries.value.data() + entries.start[k],
                                         entries.start[k + 1] - entries.start[k]);
    const bool everywhere = values.size() == rows.size();
    const Moments moments = everywhere ? weighted_moments(values, {}) : sparse_moments(values, {}, n_rows);
    if (!moments.constant) add(entries.column[k], options.standardise ? moments.scale : 1.0);
  }
  if (encoding.features.empty())
    fail_data(fmt::format("data: {}: no feature is left; all {} are constant", table.source, X.cols));
  const Index dropped = X.cols - Index(encoding.features.size());
  if (dropped > 0) notes.push_back(fmt::format("{} of {} features are constant and were left out", dropped, X.cols));
}

SparseMatrix encode_sparse(const Table& table, const Encoding& encoding, const std::vector<std::int64_t>& rows,
                           std::vector<std::string>& notes) {
  const SparseMatrix& X = *table.sparse;
  // Both files may count their indices differently: only one of them may hold an index 0.
  const std::int64_t shift = std::int64_t(encoding.sparse_zero_based) - std::int64_t(table.zero_based);
  const FeatureOf feature_of(encoding, X.value.size());
  SparseMatrix out;
  out.rows = Index(rows.size());
  out.cols = Index(encoding.features.size());
  std::int64_t beyond = 0, example = 0;
  for (const std::int64_t i : rows) {
    for (std::int64_t k = X.row_start[std::size_t(i)]; k < X.row_start[std::size_t(i) + 1]; ++k) {
      const std::int64_t column = X.column[std::size_t(k)] + shift;
      if (column < 0 || column >= encoding.sparse_columns) {
        if (beyond++ == 0) example = X.column[std::size_t(k)] + (table.zero_based ? 0 : 1);
        continue;
      }
      const std::int32_t f = feature_of(column);
      if (f < 0) continue;
      const double value = X.value[std::size_t(k)] / encoding.features[std::size_t(f)].scale;
      if (!std::isfinite(value))
        fail_data(fmt::format("data: {}: value {} is too large to be scaled", place(table, i),
                              number_text(X.value[std::size_t(k)])));
      out.column.push_back(f);
      out.value.push_back(value);
    }
    out.row_start.push_back(std::int64_t(out.value.size()));
  }
  if (beyond > 0)
    notes.push_back(fmt::format("{} entr{} with an index not in the training data (first: {}) left out", beyond,
                                beyond == 1 ? "y" : "ies", example));
  return out;
}

}  // namespace lacuna::detail

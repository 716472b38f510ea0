#include "lacuna/data/numeric.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/data/detail/learn_features.hpp"
#include "lacuna/data/detail/sparse_features.hpp"
#include "lacuna/data/standardise.hpp"

namespace lacuna {
namespace {

// One column at a time is in memory beside the rows.
std::span<const double> column_of(const MatrixView& X, Index j, std::vector<double>& storage) {
  if (X.row_stride == 1) return {X.data + j * X.col_stride, std::size_t(X.rows)};
  storage.resize(std::size_t(X.rows));
  for (Index i = 0; i < X.rows; ++i) storage[std::size_t(i)] = X(i, j);
  return storage;
}

void learn_dense(const MatrixView& X, std::span<const std::string> names, const Vector& weights,
                 const DataOptions& options, Encoding& encoding, Warnings& notes) {
  const bool scaled = options.standardise && options.encode_features;
  std::vector<std::string> constant;
  std::vector<double> storage;
  for (Index j = 0; j < X.cols; ++j) {
    std::string name = names.empty() ? fmt::format("x{}", j + 1) : names[std::size_t(j)];
    const Moments moments = weighted_moments(column_of(X, j, storage), as_span(weights));
    encoding.columns.push_back({.name = name, .fill = moments.centre, .position = std::int32_t(j)});
    if (moments.constant && options.encode_features)
      constant.push_back(std::move(name));
    else
      encoding.features.push_back({.column = std::int32_t(j),
                                   .centre = scaled ? moments.centre : 0.0,
                                   .scale = scaled ? moments.scale : 1.0,
                                   .name = std::move(name)});
  }
  detail::note_constant(constant, "the array", encoding, notes);
}

// As a table whose cells are the sparse rows.
Table as_table(const SparseView& X) {
  Table table;
  table.source = "the array";
  table.rows = X.rows;
  SparseMatrix& to = table.sparse.emplace();
  to.rows = X.rows;
  to.cols = X.cols;
  to.row_start.assign(X.row_start, X.row_start + X.rows + 1);
  to.column.assign(X.column, X.column + to.row_start.back());
  to.value.assign(X.value, X.value + to.row_start.back());
  return table;
}

RowMatrix encode_dense(const MatrixView& X, const Encoding& encoding) {
  RowMatrix out(X.rows, Index(encoding.features.size()));
  for (Index i = 0; i < X.rows; ++i)
    for (Index f = 0; f < out.cols(); ++f) {
      const FeatureCode& feature = encoding.features[std::size_t(f)];
      // Whatever else the table of training had; no cell of an array is missing.
      const double value = detail::encoded_value(feature, feature.level < 0 ? X(i, feature.column) : 0.0);
      if (!(std::abs(value) <= detail::largest_feature))
        fail_data(fmt::format("data: row {}, feature {}: {} is too large to be computed with: at most {:.0e} can be",
                              i + 1, feature.name, value, detail::largest_feature));
      out(i, f) = value;
    }
  return out;
}

}  // namespace

Encoding learn_numeric(const RowsView& X, std::span<const std::string> names, const Vector& weights,
                       const DataOptions& options, Warnings& notes) {
  check_finite(X, "data");
  if (!names.empty() && Index(names.size()) != X.cols())
    fail_usage(fmt::format("data: {} names for {} columns", names.size(), X.cols()));
  Encoding encoding;
  encoding.missing = options.missing;
  encoding.has_names = !names.empty();
  encoding.table_columns = std::int32_t(X.cols());
  if (X.is_sparse()) {
    const Table table = as_table(X.sparse());
    detail::learn_sparse(table, options, detail::all_rows(table), weights, encoding, notes);
  } else {
    learn_dense(X.dense(), names, weights, options, encoding, notes);
  }
  return encoding;
}

Rows encode_numeric(const RowsView& X, const Encoding& encoding) {
  const Index columns = encoding.sparse ? encoding.sparse_columns : Index(encoding.columns.size());
  if (X.cols() != columns) fail_data(fmt::format("data: {} columns; the model was trained with {}", X.cols(), columns));
  if (X.is_sparse() != encoding.sparse)
    fail_data(fmt::format("data: the rows are {}; the model was trained on {} rows", X.is_sparse() ? "sparse" : "dense",
                          encoding.sparse ? "sparse" : "dense"));
  check_finite(X, "data");
  if (!encoding.sparse) return encode_dense(X.dense(), encoding);
  const Table table = as_table(X.sparse());
  Warnings notes;
  return detail::encode_sparse(table, encoding, detail::all_rows(table), notes);
}

}  // namespace lacuna

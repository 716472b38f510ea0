#include "lacuna/base/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"

namespace lacuna {

const Rows::Kind& Rows::kind() const {
  static const Kind none;
  return rows_ ? *rows_ : none;
}

Rows::operator RowsView() const {
  return std::visit([](const auto& m) { return RowsView(m); }, kind());
}

Rows take_rows(const RowsView& X, std::span<const Index> which) {
  if (!X.is_sparse()) {
    RowMatrix out(Index(which.size()), X.cols());
    for (std::size_t i = 0; i < which.size(); ++i) dense_row(X, which[i], out.row(Index(i)).data());
    return out;
  }
  const SparseView& s = X.sparse();
  SparseMatrix out;
  out.rows = Index(which.size());
  out.cols = s.cols;
  for (const Index i : which) {
    out.column.insert(out.column.end(), s.column + s.row_start[i], s.column + s.row_start[i + 1]);
    out.value.insert(out.value.end(), s.value + s.row_start[i], s.value + s.row_start[i + 1]);
    out.row_start.push_back(std::int64_t(out.value.size()));
  }
  return out;
}

RowsView middle_rows(const RowsView& X, Index first, Index count) {
  if (!X.is_sparse()) return X.dense().middle_rows(first, count);
  const SparseView& s = X.sparse();
  return SparseView(count, s.cols, s.row_start + first, s.column, s.value);
}

Rows copy_rows(const RowsView& X) {
  std::vector<Index> all(std::size_t(X.rows()));
  std::iota(all.begin(), all.end(), Index(0));
  return take_rows(X, all);
}

void dense_row(const RowsView& X, Index i, double* out) {
  if (X.is_sparse()) {
    const SparseView& s = X.sparse();
    std::fill(out, out + s.cols, 0.0);
    for (auto k = s.row_start[i]; k < s.row_start[i + 1]; ++k) out[s.column[k]] = s.value[k];
  } else {
    const MatrixView& d = X.dense();
    for (Index j = 0; j < d.cols; ++j) out[j] = d(i, j);
  }
}

void check_finite(const RowsView& X, std::string_view stage, Index rows_before) {
  const auto refuse = [&](Index i, Index j, double value) {
    fail_data(
        fmt::format("{}: row {}, feature {}: {}; must be a finite number", stage, rows_before + i + 1, j + 1, value));
  };
  if (X.is_sparse()) {
    const SparseView& s = X.sparse();
    for (Index i = 0; i < s.rows; ++i)
      for (auto k = s.row_start[i]; k < s.row_start[i + 1]; ++k)
        if (!std::isfinite(s.value[k])) refuse(i, s.column[k], s.value[k]);
    return;
  }
  const MatrixView& d = X.dense();
  for (Index i = 0; i < d.rows; ++i)
    for (Index j = 0; j < d.cols; ++j)
      if (!std::isfinite(d(i, j))) refuse(i, j, d(i, j));
}

}  // namespace lacuna

// base/rows.hpp -- the inputs x_i, one row each: dense, or sparse in compressed rows (CSR). Everything downstream takes
// the view and never asks who owns the numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Sparse rows: row i holds (column[k], value[k]) for row_start[i] <= k < row_start[i + 1], columns ascending.
struct SparseMatrix {
  Index rows = 0;
  Index cols = 0;
  std::vector<std::int64_t> row_start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
};

/// Sparse rows that somebody else owns. `row_start` has rows + 1 entries counted from the start of column and value.
struct SparseView {
  Index rows = 0;
  Index cols = 0;
  const std::int64_t* row_start = nullptr;
  const std::int32_t* column = nullptr;
  const double* value = nullptr;

  SparseView() = default;
  SparseView(Index n_rows, Index n_cols, const std::int64_t* starts, const std::int32_t* columns, const double* values)
      : rows(n_rows), cols(n_cols), row_start(starts), column(columns), value(values) {}
  SparseView(const SparseMatrix& m)  // NOLINT: conversion is the point
      : SparseView(m.rows, m.cols, m.row_start.data(), m.column.data(), m.value.data()) {}
};

/// The view: dense or sparse. Requires finite elements (checked once, at the door of train and predict).
class RowsView {
 public:
  RowsView() = default;
  RowsView(MatrixView dense) : view_(dense) {}               // NOLINT
  RowsView(SparseView sparse) : view_(sparse) {}             // NOLINT
  RowsView(const SparseMatrix& m) : view_(SparseView(m)) {}  // NOLINT
  template <class Derived>
  RowsView(const Eigen::PlainObjectBase<Derived>& m) : view_(MatrixView(m)) {}  // NOLINT

  Index rows() const {
    return std::visit([](const auto& v) { return v.rows; }, view_);
  }
  Index cols() const {
    return std::visit([](const auto& v) { return v.cols; }, view_);
  }
  bool is_sparse() const { return std::holds_alternative<SparseView>(view_); }
  const MatrixView& dense() const { return std::get<MatrixView>(view_); }
  const SparseView& sparse() const { return std::get<SparseView>(view_); }

 private:
  std::variant<MatrixView, SparseView> view_;
};

/// Rows that we own: a value. They never change, so that copies share their numbers: a model keeps the rows that it was
/// trained on without a second set of them.
class Rows {
 public:
  Rows() : Rows(RowMatrix()) {}
  Rows(RowMatrix dense) : rows_(std::make_shared<const Kind>(std::move(dense))) {}       // NOLINT
  Rows(SparseMatrix sparse) : rows_(std::make_shared<const Kind>(std::move(sparse))) {}  // NOLINT
  operator RowsView() const;  // NOLINT: a value lends its view freely
  Index rows() const { return RowsView(*this).rows(); }
  Index cols() const { return RowsView(*this).cols(); }
  bool is_sparse() const { return std::holds_alternative<SparseMatrix>(kind()); }
  const RowMatrix& dense() const { return std::get<RowMatrix>(kind()); }
  const SparseMatrix& sparse() const { return std::get<SparseMatrix>(kind()); }

 private:
  using Kind = std::variant<RowMatrix, SparseMatrix>;
  const Kind& kind() const;
  std::shared_ptr<const Kind> rows_;  // empty: moved from, no rows
};

/// A copy of the chosen rows, in the order given, dense or sparse as the original.
Rows take_rows(const RowsView& X, std::span<const Index> which);
/// Rows first ... first + count - 1, lent.
RowsView middle_rows(const RowsView& X, Index first, Index count);
/// A copy of all rows.
Rows copy_rows(const RowsView& X);
/// Row i written out densely into `out` (cols() numbers).
void dense_row(const RowsView& X, Index i, double* out);

/// Throws Error(data) naming stage, row and feature (from 1; rows_before come before these) of an element that is not
/// finite.
void check_finite(const RowsView& X, std::string_view stage, Index rows_before = 0);

}  // namespace lacuna

// base/matrix.hpp -- base/ holds what every other folder may use: matrices and views, errors, stop reasons, seeded
// random numbers, the observer. This file: the dense types, and the view through which callers lend us theirs.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace lacuna {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column-major, as LAPACK has it
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // rows of data

/// A dense matrix that somebody else owns: element (i, j) is data[i * row_stride + j * col_stride].
/// Eigen matrices, spans and vectors (one column) convert to it; so does any pointer with strides.
struct MatrixView {
  const double* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index row_stride = 1;
  Index col_stride = 1;

  MatrixView() = default;
  MatrixView(const double* p, Index n_rows, Index n_cols, Index row_step, Index col_step)
      : data(p), rows(n_rows), cols(n_cols), row_stride(row_step), col_stride(col_step) {}
  template <class Derived>
  requires std::is_same_v<typename Derived::Scalar, double> MatrixView(
      const Eigen::PlainObjectBase<Derived>& m)  // NOLINT: conversion is the point
      : MatrixView(m.data(), m.rows(), m.cols(), m.rowStride(), m.colStride()) {}
  template <class M, int Options, class Stride>
  MatrixView(const Eigen::Ref<M, Options, Stride>& m)  // NOLINT
      : MatrixView(m.data(), m.rows(), m.cols(), m.rowStride(), m.colStride()) {}
  MatrixView(std::span<const double> v) : MatrixView(v.data(), Index(v.size()), 1, 1, Index(v.size())) {}  // NOLINT
  MatrixView(const std::vector<double>& v) : MatrixView(std::span<const double>(v)) {}                     // NOLINT

  double operator()(Index i, Index j) const { return data[i * row_stride + j * col_stride]; }

  using Map = Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  /// The same elements as an Eigen expression.
  Map eigen() const { return Map(data, rows, cols, {col_stride, row_stride}); }
  /// Rows first, first + 1, ..., first + count - 1.
  MatrixView middle_rows(Index first, Index count) const {
    return {data + first * row_stride, count, cols, row_stride, col_stride};
  }
};

inline std::span<const double> as_span(const Vector& v) { return {v.data(), std::size_t(v.size())}; }

}  // namespace lacuna

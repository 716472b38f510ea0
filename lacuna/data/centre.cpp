#include "lacuna/data/centre.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

constexpr Index block_rows = 4096;

// body(first, block) in order; memory does not grow with the number of rows.
template <class Body>
void over_blocks(const RowSource& X, const Body& body) {
  for (Index first = 0; first < X.rows(); first += block_rows) {
    const RowSource::Block block = X.block(first, std::min(block_rows, X.rows() - first));
    body(first, RowsView(block));
  }
}

SparseMatrix about(const SparseView& X, const Vector& centre) {
  std::vector<std::int32_t> moved;
  for (Index k = 0; k < centre.size(); ++k)
    if (centre[k] != 0.0) moved.push_back(std::int32_t(k));
  SparseMatrix out;
  out.rows = X.rows;
  out.cols = X.cols;
  const auto add = [&](std::int32_t column, double value) {
    out.column.push_back(column);
    out.value.push_back(value);
  };
  for (Index i = 0; i < X.rows; ++i) {
    auto next = moved.begin();
    for (auto k = X.row_start[i]; k < X.row_start[i + 1]; ++k) {
      for (; next != moved.end() && *next < X.column[k]; ++next) add(*next, -centre[*next]);
      if (next != moved.end() && *next == X.column[k]) ++next;
      add(X.column[k], X.value[k] - centre[X.column[k]]);
    }
    for (; next != moved.end(); ++next) add(*next, -centre[*next]);
    out.row_start.push_back(std::int64_t(out.value.size()));
  }
  return out;
}

}  // namespace

Centre centre_of(const RowSource& X, const Vector& weights) {
  Vector sum, squares;
  double total = 0.0;
  const auto weight = [&](Index i) { return weights.size() == 0 ? 1.0 : weights[i]; };
  // Of columns that a sparse row of some weight has no entry in.
  std::vector<char> has_zeros;
  over_blocks(X, [&](Index first, const RowsView& rows) {
    if (sum.size() == 0) sum = Vector::Zero(rows.cols());
    has_zeros.resize(rows.is_sparse() ? std::size_t(rows.cols()) : 0);
    for (Index i = 0; i < rows.rows(); ++i) {
      const double w = weight(first + i);
      if (!(w > 0.0)) continue;
      total += w;
      if (!rows.is_sparse()) {
        for (Index k = 0; k < sum.size(); ++k) sum[k] += w * rows.dense()(i, k);
        continue;
      }
      const SparseView& s = rows.sparse();
      Index column = 0;
      for (auto p = s.row_start[i]; p < s.row_start[i + 1]; ++p, ++column) {
        for (; column < s.column[p]; ++column) has_zeros[std::size_t(column)] = 1;
        sum[column] += w * s.value[p];
        if (s.value[p] == 0.0) has_zeros[std::size_t(column)] = 1;
      }
      for (; column < s.cols; ++column) has_zeros[std::size_t(column)] = 1;
    }
  });
  Centre out;
  if (!(total > 0.0)) return out;
  out.at = sum / total;
  for (std::size_t k = 0; k < has_zeros.size(); ++k)
    if (has_zeros[k]) out.at[Index(k)] = 0.0;
  squares = Vector::Zero(out.at.size());
  std::vector<double> x(std::size_t(out.at.size()));
  over_blocks(X, [&](Index first, const RowsView& rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
      if (!(weight(first + i) > 0.0)) continue;
      if (rows.is_sparse()) {
        const SparseView& s = rows.sparse();
        for (auto p = s.row_start[i]; p < s.row_start[i + 1]; ++p) {
          const double d = s.value[p] - out.at[s.column[p]];
          squares[s.column[p]] += weight(first + i) * d * d;
        }
        continue;
      }
      dense_row(rows, i, x.data());
      squares += weight(first + i) * (Eigen::Map<const Vector>(x.data(), out.at.size()) - out.at).cwiseAbs2();
    }
  });
  squares /= total;
  out.spread = std::sqrt(squares.sum());
  for (Index k = 0; k < squares.size(); ++k) {
    if (!(squares[k] > 0.0)) continue;
    const double deviation = std::sqrt(squares[k]), grid = std::exp2(std::floor(std::log2(deviation)) - 6.0);
    out.at[k] = std::round(out.at[k] / grid) * grid;
    out.largest = std::max(out.largest, std::abs(out.at[k]) / deviation);
  }
  return out;
}

Rows about(const RowsView& X, const Vector& centre) {
  if (X.is_sparse()) return about(X.sparse(), centre);
  RowMatrix out = X.dense().eigen();
  out.rowwise() -= centre.transpose();
  return out;
}

RowSource about(const RowSource& X, const Vector& centre) {
  return {X.rows(), [X, centre](Index first, Index count) { return about(X.block(first, count), centre); }};
}

}  // namespace lacuna

// kernel/data_scale.cpp (of kernel.hpp) -- where a search for widths begins.
#include <algorithm>
#include <limits>

#include "lacuna/base/random.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna {
namespace {

Rows weighed_rows(Rows X, std::span<const double> columns) {
  if (columns.empty()) return X;
  const Eigen::Map<const Vector> w(columns.data(), Index(columns.size()));
  if (!X.is_sparse()) return RowMatrix(X.dense() * w.asDiagonal());
  SparseMatrix out = X.sparse();
  for (std::size_t k = 0; k < out.value.size(); ++k) out.value[k] *= w[out.column[k]];
  return out;
}

double row_dot(const RowsView& X, Index i, Index j) {
  double sum = 0.0;
  if (X.is_sparse()) {
    const SparseView& s = X.sparse();
    for (auto p = s.row_start[i], q = s.row_start[j]; p < s.row_start[i + 1] && q < s.row_start[j + 1];) {
      if (s.column[p] == s.column[q])
        sum += s.value[p++] * s.value[q++];
      else if (s.column[p] < s.column[q])
        ++p;
      else
        ++q;
    }
  } else {
    const MatrixView& d = X.dense();
    for (Index k = 0; k < d.cols; ++k) sum += d(i, k) * d(j, k);
  }
  return sum;
}

double squared_distance(const RowsView& X, Index i, Index j) {
  if (X.is_sparse()) {
    const SparseView& s = X.sparse();  // from the differences: norms would cancel far from the origin
    auto p = s.row_start[i], q = s.row_start[j];
    const auto p_end = s.row_start[i + 1], q_end = s.row_start[j + 1];
    double sum = 0.0;
    while (p < p_end || q < q_end) {
      double d = 0.0;
      if (q == q_end || (p < p_end && s.column[p] < s.column[q]))
        d = s.value[p++];
      else if (p == p_end || s.column[q] < s.column[p])
        d = s.value[q++];
      else
        d = s.value[p++] - s.value[q++];
      sum += d * d;
    }
    return sum;
  }
  const MatrixView& x = X.dense();
  double sum = 0.0;
  for (Index k = 0; k < x.cols; ++k) sum += (x(i, k) - x(j, k)) * (x(i, k) - x(j, k));
  return sum;
}

}  // namespace

kernels::DataScale data_scale(const RowsView& all, const Vector& weights, std::span<const double> columns) {
  constexpr std::size_t most_rows = 600;
  std::vector<Index> rows;
  for (Index i = 0; i < all.rows(); ++i)
    if (weights.size() == 0 || weights[i] > 0.0) rows.push_back(i);
  if (rows.size() > most_rows) {
    Random random(1);
    random.shuffle(rows);
    rows.resize(most_rows);
  }
  const Rows taken = weighed_rows(take_rows(all, rows), columns);
  const RowsView X = taken;
  const double unit = weights.size() == 0 ? 1.0 : weights.maxCoeff();
  const auto weight = [&](std::size_t i) { return weights.size() == 0 ? 1.0 : weights[rows[i]] / unit; };
  std::vector<std::pair<double, double>> distances,
      nearest(rows.size(), {std::numeric_limits<double>::infinity(), 0.0});
  double dot = 0.0, total = 0.0, pairs = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double d = squared_distance(X, Index(i), Index(j));
      if (!(d > 0.0)) continue;
      distances.emplace_back(d, weight(i) * weight(j));
      pairs += distances.back().second;
      nearest[i].first = std::min(nearest[i].first, d);
      nearest[j].first = std::min(nearest[j].first, d);
    }
    nearest[i].second = weight(i);
    dot += weight(i) * row_dot(X, Index(i), Index(i));
    total += weight(i);
  }
  kernels::DataScale scale;
  if (!distances.empty()) {  // every row has one that is distinct from it, then
    scale.theta = 1.0 / value_at_weight(distances, 0.5 * pairs);
    scale.neighbours = 1.0 / value_at_weight(nearest, 0.5 * total);
  }
  if (total > 0.0 && dot > 0.0) scale.dot = dot / total;
  return scale;
}

}  // namespace lacuna

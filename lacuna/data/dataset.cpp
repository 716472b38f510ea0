#include "lacuna/data/dataset.hpp"

#include "lacuna/base/weights.hpp"

namespace lacuna {
namespace {

template <class T>
std::vector<T> take(const std::vector<T>& all, std::span<const Index> rows) {
  std::vector<T> out;
  if (all.empty()) return out;
  for (const Index i : rows) out.push_back(all[std::size_t(i)]);
  return out;
}

Matrix take(const Matrix& all, std::span<const Index> rows) {
  Matrix out(all.rows() > 0 ? Index(rows.size()) : 0, all.cols());
  for (Index k = 0; k < out.rows(); ++k) out.row(k) = all.row(rows[std::size_t(k)]);
  return out;
}

}  // namespace

void take_units_out(Dataset& data) {
  if (data.weight_unit) return;
  data.weight_unit = take_unit_out(data.weights);
  data.train_weight_unit = take_unit_out(data.train_weights);
  take_unit_out(data.select_weights);
}

Dataset take_rows(const Dataset& data, std::span<const Index> rows) {
  Dataset out;
  out.X = take_rows(RowsView(data.X), rows);
  out.task = data.task;
  out.classes = data.classes;
  out.label = take(data.label, rows);
  out.targets = take(data.targets, rows);
  out.target_names = data.target_names;
  out.feature_names = data.feature_names;
  out.feature_column = data.feature_column;
  out.weights = take(data.weights, rows);
  out.train_weights = take(data.train_weights, rows);
  out.select_weights = take(data.select_weights, rows);
  out.weight_unit = data.weight_unit;
  out.train_weight_unit = data.train_weight_unit;
  out.group = take(data.group, rows);
  out.group_names = data.group_names;
  out.offset = take(data.offset, rows);
  out.prices = take_rows(data.prices, rows);
  out.source_row = take(data.source_row, rows);
  return out;
}

Dataset rows_that_count(const Dataset& data) {
  if (data.weights.size() != data.size() || !(data.weights.minCoeff() == 0.0) || !(data.weights.maxCoeff() > 0.0))
    return data;
  std::vector<Index> rows;
  for (Index i = 0; i < data.size(); ++i)
    if (data.weights[i] != 0.0) rows.push_back(i);
  Dataset some = take_rows(data, rows);
  some.notes = data.notes;
  if (data.source_row.empty())
    for (const Index i : rows) some.source_row.push_back(i + 1);
  return some;
}

}  // namespace lacuna

#include "lacuna/explain/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/read/date.hpp"

namespace lacuna {
namespace {

double element(const RowsView& X, Index i, Index j) {
  if (!X.is_sparse()) return X.dense()(i, j);
  const SparseView& s = X.sparse();
  const auto *first = s.column + s.row_start[i], *last = s.column + s.row_start[i + 1];
  const auto* at = std::lower_bound(first, last, std::int32_t(j));
  return at != last && *at == j ? s.value[at - s.column] : 0.0;
}

// Rows in which these columns have other elements, element(i, k) for the k-th of them (ascending).
template <class Element>
Rows replaced(const RowsView& X, const std::vector<Index>& columns, const Element& with) {
  if (!X.is_sparse()) {
    RowMatrix out = X.dense().eigen();
    for (Index i = 0; i < out.rows(); ++i)
      for (std::size_t k = 0; k < columns.size(); ++k) out(i, columns[k]) = with(i, k);
    return out;
  }
  const SparseView& s = X.sparse();
  SparseMatrix out;
  out.rows = s.rows;
  out.cols = s.cols;
  for (Index i = 0; i < s.rows; ++i) {
    std::map<std::int32_t, double> row;
    for (std::int64_t k = s.row_start[i]; k < s.row_start[i + 1]; ++k) row[s.column[k]] = s.value[k];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      row.erase(std::int32_t(columns[k]));
      if (const double value = with(i, k); value != 0.0) row[std::int32_t(columns[k])] = value;
    }
    for (const auto& [column, value] : row) {
      out.column.push_back(column);
      out.value.push_back(value);
    }
    out.row_start.push_back(std::int64_t(out.value.size()));
  }
  return out;
}

}  // namespace

std::vector<InputColumn> input_columns(const Model& model) {
  const Encoding& encoding = model.encoding;
  std::vector<InputColumn> out;
  const auto features = std::size_t(input_features(model));
  for (std::size_t f = 0; f < features; ++f) {
    if (encoding.features.empty()) {
      const std::string name = fmt::format("x{}", f + 1);
      out.push_back({.name = name, .features = {Index(f)}, .codes = {FeatureCode{.name = name}}});
      continue;
    }
    const FeatureCode& code = encoding.features[f];
    const bool next = f > 0 && !encoding.sparse && encoding.features[f - 1].column == code.column;
    // A column whose numbers are all the same is known by its gaps alone: a number, 0 or 1.
    const bool last = f + 1 == features || encoding.sparse || encoding.features[f + 1].column != code.column;
    if (!next && last && code.level == 0 && !encoding.columns[std::size_t(code.column)].categorical) {
      out.push_back({.name = code.name, .features = {Index(f)}, .codes = {code}});
      out.back().codes[0].level = -1;
      continue;
    }
    if (!next) {
      out.emplace_back();
      out.back().name = code.name;
      if (!encoding.sparse) {
        const ColumnCode& column = encoding.columns[std::size_t(code.column)];
        out.back().name = column.name;
        out.back().categorical = column.categorical;
        out.back().date = column.date;
        out.back().levels = column.levels;
      }
    }
    out.back().features.push_back(Index(f));
    out.back().codes.push_back(code);
  }
  return out;
}

Vector column_values(const InputColumn& column, const RowsView& X) {
  Vector out = Vector::Constant(X.rows(), -1.0);
  for (Index i = 0; i < X.rows(); ++i)
    for (std::size_t k = 0; k < column.features.size(); ++k) {
      const double about = element(X, i, column.features[k]) * column.codes[k].scale,
                   sum = about + column.codes[k].centre;
      const double raw = std::abs(sum) > 1e-13 * std::abs(about) ? sum : 0.0;  // what is left of 0 is rounding
      const bool number = !column.categorical;
      if (number && column.codes[k].level < 0)
        out[i] = raw;
      else if (number)
        continue;
      else if (raw > 0.5)
        out[i] = double(column.codes[k].level);
    }
  return out;
}

std::string value_text(const InputColumn& column, double value) {
  if (column.date) return detail::date_text(value);
  if (!column.categorical) return fmt::format("{:.12g}", value);  // standardised and back, the last digits are rounding
  const auto level = Index(value);
  if (level < 0) return "(none)";
  return std::size_t(level) == column.levels.size() ? "(missing)" : column.levels[std::size_t(level)];
}

Rows with_values(const RowsView& X, const InputColumn& column, const Vector& given) {
  return replaced(X, column.features, [&](Index i, std::size_t k) {
    const FeatureCode& code = column.codes[k];
    const double raw = column.categorical ? double(given[i] == double(code.level)) : code.level < 0 ? given[i] : 0.0;
    return (raw - code.centre) / code.scale;
  });
}

Rows with_column_of(const RowsView& X, const InputColumn& column, std::span<const Index> source) {
  return replaced(X, column.features,
                  [&](Index i, std::size_t k) { return element(X, source[std::size_t(i)], column.features[k]); });
}

}  // namespace lacuna

#include "lacuna/report/table_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

// The columns of a table that hold the model's targets; empty unless all are there.
std::vector<std::size_t> target_columns(const Model& model, const Table& table) {
  const Encoding& encoding = model.encoding;
  std::vector<std::size_t> out;
  const bool by_name = (table.has_header && encoding.has_names) || table.sparse;
  for (std::size_t k = 0; k < model.target_names.size(); ++k) {
    if (by_name) {
      const Column* column = table.find(model.target_names[k]);
      if (column == nullptr) return {};
      out.push_back(std::size_t(column - table.columns.data()));
    } else if (k < encoding.target_positions.size() && std::size_t(encoding.table_columns) == table.columns.size()) {
      out.push_back(std::size_t(encoding.target_positions[k]));
    } else {
      return {};
    }
  }
  return out;
}

// Numbers compare by value, however they are written.
std::string canonical(const std::string& label) {
  const detail::Cell cell = detail::read_cell(label);
  return cell.kind == detail::CellKind::number ? number_text(cell.number) : label;
}

}  // namespace

TableTruth::TableTruth(const Model& model, const Table& table) : model_(model) {
  const std::vector<std::size_t> columns = target_columns(model, table);
  const bool values = model.classes.empty();
  for (const std::size_t j : columns)
    if (values && table.columns[j].is_text) return;
  for (const std::size_t j : columns) columns_.emplace_back(table, j);
  for (const std::string& c : model.classes) classes_.push_back(canonical(c));
  if (!values && !columns.empty())
    for (const std::string& l : columns_[0]->levels) levels_.push_back(canonical(l));
}

int TableTruth::label(std::int64_t row) const {
  const Column& of = *columns_[0];
  const auto i = std::size_t(row - 1);
  if (of.is_text ? of.code[i] < 0 : std::isnan(of.number[i])) return -1;
  const std::string its = of.is_text ? levels_[std::size_t(of.code[i])] : number_text(of.number[i]);
  return int(std::find(classes_.begin(), classes_.end(), its) - classes_.begin());
}

std::string TableTruth::label_text(std::int64_t row) const { return detail::cell_text(*columns_[0], row - 1); }

std::vector<int> TableTruth::labels(std::span<const std::int64_t> rows) const {
  std::vector<int> out;
  for (const std::int64_t row : rows) out.push_back(label(row));
  return out;
}

double TableTruth::target(std::int64_t row, std::size_t c) const {
  const double t = columns_[c]->number[std::size_t(row - 1)];
  return may_be_target(model_.loss, t) ? t : std::nan("");
}

Matrix TableTruth::targets(std::span<const std::int64_t> rows) const {
  Matrix out(Index(rows.size()), Index(columns_.size()));
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t c = 0; c < columns_.size(); ++c) out(Index(k), Index(c)) = target(rows[k], c);
  return out;
}

RowPrices prices_for(const Model& model, const Table& table, const std::vector<std::int64_t>& source_row) {
  if (!model.costs || !by_row(*model.costs)) return {};
  std::vector<std::int64_t> rows;
  for (const std::int64_t row : source_row) rows.push_back(row - 1);
  const bool decide = decides_by_row(model);
  try {
    return read_prices(table, price_columns(*model.costs), rows);
  } catch (const Error& error) {
    if (!decide) return {};
    fail_data(
        fmt::format("{}; `cost=FP,FN` decides by prices that are the same for all rows, `threshold=P` by a "
                    "probability",
                    error.what()));
  }
}

}  // namespace lacuna

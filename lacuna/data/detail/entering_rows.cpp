#include "lacuna/data/detail/entering_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {
namespace {
using RowList = std::vector<std::int64_t>;
}  // namespace

bool check_weights(const Table& table, std::size_t j, const RowList& rows) {
  require_numeric(table, j, "weights must be numbers");
  const LoadedColumn w(table, j);
  bool some = false;
  for (const std::int64_t i : rows) {
    const double value = w->number[std::size_t(i)];
    if (value < 0.0)
      fail_data(
          fmt::format("data: {}: weight {} is negative; weights must be >= 0", place(table, i, j), number_text(value)));
    some = some || value > 0.0;
  }
  return some;
}

namespace {

void require_weight(const Table& table, std::size_t j, const RowList& rows) {
  if (!check_weights(table, j, rows))
    fail_data(fmt::format("data: {}, {}: no weight is positive", table.source, column_words(table, j)));
}

RowList without_weight_zero(const Table& table, std::size_t j, RowList rows, Warnings& notes) {
  const LoadedColumn w(table, j);
  const std::size_t before = rows.size();
  std::erase_if(rows, [&](std::int64_t i) { return w->number[std::size_t(i)] == 0.0; });
  if (rows.size() < before)
    notes.push_back(
        {Warning::Code::rows_without_weight,
         fmt::format("{} row{} of weight 0 left out", before - rows.size(), before - rows.size() == 1 ? "" : "s")});
  return rows;
}

}  // namespace

MissingCell first_missing(const Table& table, const std::vector<std::size_t>& columns, const RowList& rows) {
  MissingCell first;
  for (const std::size_t j : columns) {
    if (table.columns[j].missing == 0) continue;
    const LoadedColumn c(table, j);
    const auto i = std::find_if(rows.begin(), rows.end(), [&](std::int64_t r) { return cell_missing(*c, r); });
    if (i == rows.end()) continue;
    if (first.row < 0 || *i < first.row || (*i == first.row && j < first.column)) first = {*i, j};
  }
  return first;
}

RowList without_gaps(const Table& table, const std::vector<std::size_t>& columns, RowList rows, Warnings& notes) {
  const std::size_t before = rows.size();
  for (const std::size_t j : columns) {
    if (table.columns[j].missing == 0) continue;
    const LoadedColumn c(table, j);
    std::erase_if(rows, [&](std::int64_t i) { return cell_missing(*c, i); });
  }
  if (const std::size_t dropped = before - rows.size(); dropped > 0)
    notes.push_back({Warning::Code::missing_rows,
                     fmt::format("{} row{} with missing cells left out", dropped, dropped == 1 ? "" : "s")});
  return rows;
}

RowList all_rows(const Table& table) {
  RowList rows(std::size_t(table.rows));
  std::iota(rows.begin(), rows.end(), std::int64_t(0));
  return rows;
}

Vector gather(const Table& table, std::size_t j, const RowList& rows) {
  const LoadedColumn column(table, j);
  Vector out(Index(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) out[Index(i)] = column->number[std::size_t(rows[i])];
  return out;
}

void require_numeric(const Table& table, std::size_t j, const char* rule) {
  const Column& c = table.columns[j];
  if (!c.is_text) return;
  if (c.text.first_stray >= 0)
    fail_data(fmt::format("data: {}: {} is not a number; {}", place(table, c.text.first_stray, j), quoted(c.text.stray),
                          rule));
  fail_data(fmt::format("data: {}, {}: the column was read as text; {}", table.source, column_words(table, j), rule));
}

std::vector<std::size_t> features_with_values(const Table& table, const Roles& roles) {
  std::vector<std::size_t> out;
  for (const std::size_t j : roles.features)
    if (table.columns[j].missing < table.rows) out.push_back(j);
  return out;
}

RowList kept_rows_of_part(const Table& table, const Roles& roles, Missing missing,
                          const std::vector<std::size_t>& features, Warnings& notes) {
  RowList rows = all_rows(table);
  if (roles.weights) {
    check_weights(table, *roles.weights, rows);
    rows = without_weight_zero(table, *roles.weights, std::move(rows), notes);
  }
  std::vector<std::size_t> essential = roles.targets;  // what cannot be filled in
  for (const auto& role :
       {roles.weights, roles.train_weights, roles.select_weights, roles.group, roles.offset, roles.exposure})
    if (role) essential.push_back(*role);
  essential.insert(essential.end(), roles.prices.begin(), roles.prices.end());
  if (missing == Missing::drop) {
    std::vector<std::size_t> looked_at = essential;
    looked_at.insert(looked_at.end(), features.begin(), features.end());
    rows = without_gaps(table, looked_at, std::move(rows), notes);
  }
  if (const MissingCell cell = first_missing(table, essential, rows); cell.row >= 0)
    fail_data(
        fmt::format("data: {}: the cell is missing and this column cannot be filled in; `missing=drop` leaves "
                    "such rows out",
                    place(table, cell.row, cell.column)));
  if (missing == Missing::error)
    if (const MissingCell cell = first_missing(table, features, rows); cell.row >= 0)
      fail_data(
          fmt::format("data: {}: the cell is missing; `missing=mean` fills such cells in, `missing=drop` leaves "
                      "their rows out",
                      place(table, cell.row, cell.column)));
  for (const auto& role : {roles.weights, roles.train_weights, roles.select_weights})
    if (role) check_weights(table, *role, rows);
  return rows;
}

RowList kept_rows(const Table& table, const Roles& roles, Missing missing, Warnings& notes) {
  if (roles.weights) require_weight(table, *roles.weights, all_rows(table));
  RowList rows = kept_rows_of_part(table, roles, missing, features_with_values(table, roles), notes);
  if (rows.empty()) fail_data(fmt::format("data: {}: every row has a missing cell; none is left", table.source));
  for (const auto& role : {roles.weights, roles.train_weights, roles.select_weights})
    if (role) require_weight(table, *role, rows);
  return rows;
}

}  // namespace lacuna::detail

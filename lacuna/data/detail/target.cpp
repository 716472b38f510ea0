#include "lacuna/data/detail/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/data/detail/levels.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {
namespace {

using Request = DataOptions::TaskRequest;
using RowList = std::vector<std::int64_t>;

// At most `enough` distinct values, or enough + 1 when there are more.
std::size_t count_distinct(const Table& table, std::size_t j, const RowList& rows, std::size_t enough) {
  const LoadedColumn column(table, j);
  std::vector<double> seen;
  for (const std::int64_t i : rows) {
    const double x = column->number[std::size_t(i)];
    if (std::find(seen.begin(), seen.end(), x) == seen.end()) seen.push_back(x);
    if (seen.size() > enough) break;
  }
  return seen.size();
}

// Moves the positive class last. `given` may spell a numeric label otherwise ("1.0" for "1").
void choose_positive(const std::string& given, std::vector<std::string>& classes, std::vector<int>& label) {
  const Cell as_number = read_cell(given);
  const std::string other = as_number.kind == CellKind::number ? number_text(as_number.number) : given;
  auto at = std::find(classes.begin(), classes.end(), given);
  if (at == classes.end()) at = std::find(classes.begin(), classes.end(), other);
  if (at == classes.end())
    fail_usage(fmt::format("data: positive class {} does not occur; the classes are {}{}", quoted(given), join(classes),
                           did_you_mean(given, classes)));
  if (at == classes.begin()) {
    std::swap(classes[0], classes[1]);
    for (int& c : label) c = 1 - c;
  }
}

void encode_classes(const Table& table, std::size_t j, const DataOptions& options, const RowList& rows, Dataset& data) {
  Levels levels = levels_of(table, j, rows);
  const std::size_t count = levels.names.size();
  const std::string where = fmt::format("{}, {}", table.source, column_words(table, j));
  if (count < 2)
    fail_data(
        fmt::format("data: {}: every row is of class {}; two classes are needed", where, quoted(levels.names[0])));
  const std::size_t most = std::min<std::size_t>(1000, std::max<std::size_t>(10, rows.size() / 2));
  if (count > most)
    fail_data(
        fmt::format("data: {}: {} different labels in {} rows, and at most {} are allowed; is this column the "
                    "target?",
                    where, count, rows.size(), most));
  data.task = count == 2 ? Task::binary : Task::multiclass;
  data.classes = std::move(levels.names);
  data.label.assign(levels.of_row.begin(), levels.of_row.end());
  if (options.positive && count > 2)
    fail_usage(fmt::format("data: {}: a positive class was given, and there are {} classes", where, count));
  if (options.positive) choose_positive(*options.positive, data.classes, data.label);
  std::vector<std::size_t> size(count);
  for (const int c : data.label) ++size[std::size_t(c)];
  for (std::size_t c = 0; c < count; ++c)
    if (size[c] == 1)
      data.notes.push_back(
          {Warning::Code::single_row_class,
           fmt::format("class {} has a single row; with that row left out, no machine has seen the class",
                       quoted(data.classes[c]))});
}

void check_counts(const Table& table, std::size_t j, const RowList& rows, bool has_offset) {
  const LoadedColumn t(table, j);
  double most = 0.0;
  for (const std::int64_t i : rows) {
    const double count = t->number[std::size_t(i)];
    if (count < 0.0 || count != std::floor(count))
      fail_data(fmt::format("data: {}: {} is not a count; counts are whole numbers, 0 or more", place(table, i, j),
                            number_text(count)));
    most = std::max(most, count);
  }
  const std::string where = fmt::format("{}, {}", table.source, column_words(table, j));
  if (most == 0.0) fail_data(fmt::format("data: {}: every count is 0; there is nothing to learn", where));
  if (!has_offset && count_distinct(table, j, rows, 1) == 1)
    fail_data(fmt::format("data: {}: every count is {}; there is nothing to learn", where, number_text(most)));
}

// Rows without a weight do not count.
const char* every_row(const RowList& rows, const Table& table) {
  return std::int64_t(rows.size()) < table.rows ? "in every row that counts" : "in every row";
}

bool column_is_counts(const Column& column, const RowList& rows) {
  return std::ranges::all_of(rows, [&](std::int64_t i) { return column.number[std::size_t(i)] >= 0.0; });
}

void check_values(const Table& table, std::size_t j, const RowList& rows, Request request, Dataset& data) {
  const LoadedColumn column(table, j);
  constexpr std::size_t few = 10;
  const std::size_t distinct = count_distinct(table, j, rows, few);
  if (distinct == 1)
    fail_data(fmt::format("data: {}, {}: the target is {} {}; there is nothing to learn", table.source,
                          column_words(table, j), number_text(column->number[std::size_t(rows[0])]),
                          every_row(rows, table)));
  if (request == Request::automatic && column->whole && distinct <= few)
    data.notes.push_back(
        {Warning::Code::numbers_as_values,
         fmt::format("target {} has {} distinct whole numbers and was taken as a value (regression); "
                     "`task=classification` takes it as classes{}",
                     column->name, distinct, column_is_counts(*column, rows) ? ", `task=counts` as counts" : "")});
}

}  // namespace

void encode_target(const Table& table, const Roles& roles, const DataOptions& options, const RowList& rows,
                   Dataset& data) {
  const Request request = options.task;
  for (const std::size_t j : roles.targets) data.target_names.push_back(table.columns[j].name);
  const bool several = roles.targets.size() > 1;
  if (several && (request == Request::classification || request == Request::counts || options.positive))
    fail_usage(
        fmt::format("data: {} targets were named; several are possible for regression only", roles.targets.size()));
  const std::size_t first = roles.targets[0];
  const Column& column = table.columns[first];
  if (!several && request == Request::automatic)
    refuse_stray_text(table, first, "mend the cell, or `task=classification` takes all its values as classes");
  const bool classes =
      request == Request::classification ||
      (request == Request::automatic && !several && (column.is_text || count_distinct(table, first, rows, 2) == 2));
  if (classes) return encode_classes(table, first, options, rows, data);
  if (options.positive)
    fail_usage(fmt::format("data: a positive class was given, and target {} was not taken as classes", column.name));

  data.task = request == Request::counts ? Task::counts : Task::regression;
  data.targets.resize(Index(rows.size()), Index(roles.targets.size()));
  for (std::size_t k = 0; k < roles.targets.size(); ++k) {
    const std::size_t j = roles.targets[k];
    refuse_stray_text(table, j, "the target must be numbers");
    require_numeric(table, j, "the target must be numbers");
    if (data.task == Task::counts)
      check_counts(table, j, rows, roles.offset || roles.exposure);
    else
      check_values(table, j, rows, request, data);
    data.targets.col(Index(k)) = gather(table, j, rows);
  }
}

}  // namespace lacuna::detail

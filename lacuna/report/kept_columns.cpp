#include "lacuna/report/kept_columns.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

std::size_t column_named(const Table& table, const std::string& name) {
  if (const auto at = detail::find_column(table, name)) return *at;
  std::vector<std::string> names;
  for (const Column& c : table.columns) names.push_back(c.name);
  fail_usage(fmt::format("keep: {} has no column \"{}\"{}", table.source, name, did_you_mean(name, names)));
}

}  // namespace

KeptColumns::KeptColumns(const Table& table, const std::vector<std::string>& names) {
  for (const std::string& name : names) columns_.emplace_back(table, column_named(table, name));
}

std::vector<std::string> KeptColumns::names() const {
  std::vector<std::string> out;
  for (const auto& column : columns_) out.push_back(column->name);
  return out;
}

void KeptColumns::write(std::int64_t row, CsvLine& line) const {
  for (const auto& column : columns_) line << csv_cell(detail::cell_text(*column, row - 1));
}

}  // namespace lacuna

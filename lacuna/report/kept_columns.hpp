// report/kept_columns.hpp -- columns of a table that are copied beside predictions, as they were read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/table.hpp"
#include "lacuna/report/csv_line.hpp"

namespace lacuna {

class KeptColumns {
 public:
  /// By name, or counted from 1 where no name matches. Throws Error(usage) for a column that the table does not have.
  /// The table is referred to.
  KeptColumns(const Table& table, const std::vector<std::string>& names);
  std::vector<std::string> names() const;
  /// Row of the table, from 1. Missing cells are empty.
  void write(std::int64_t row, CsvLine& line) const;

 private:
  std::vector<detail::LoadedColumn> columns_{};
};

}  // namespace lacuna

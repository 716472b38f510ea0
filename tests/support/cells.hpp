// tests/support/cells.hpp -- small tables of reference values: comma-separated, a line of names first, # begins a
// remark.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace lacuna::testing {

using Cells = std::map<std::string, std::string>;  // one row, by column name

inline std::vector<Cells> read_cells(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> columns;
  std::vector<Cells> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(fields, cell, ',');) cells.push_back(cell);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    Cells& row = rows.emplace_back();
    for (std::size_t j = 0; j < columns.size(); ++j) row[columns[j]] = cells.at(j);
  }
  return rows;
}

}  // namespace lacuna::testing

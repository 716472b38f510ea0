#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "lacuna/base/error.hpp"
#include "lacuna/evaluate/split_plan.hpp"

namespace lacuna {

std::vector<NumberedRows> read_split_file(const std::string& path, Index rows) {
  std::vector<NumberedRows> out;
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    std::vector<Index> cells;
    const char* at = line.data();
    const char* const end = line.data() + line.size();
    while (at < end && *at != '\r') {
      long value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc()) fail_data(fmt::format("{}, line {}: not a list of rows", path, out.size() + 1));
      cells.push_back(value);
      at = next < end && *next == ',' ? next + 1 : next;
    }
    if (cells.empty()) continue;
    if (std::any_of(cells.begin() + 1, cells.end(), [&](Index i) { return i < 0 || i >= rows; }))
      fail_data(fmt::format("{}, line {}: a row that does not exist; there are {}", path, out.size() + 1, rows));
    out.push_back({int(cells[0]), {cells.begin() + 1, cells.end()}});
  }
  return out;
}

}  // namespace lacuna

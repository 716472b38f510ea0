#include "lacuna/evaluate/number_line.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

using nlohmann::json;

void require(bool holds, const std::string& line) {
  if (!holds)
    fail_data(fmt::format("journal: a result in it is not the numbers that belong there ({}); remove the journal",
                          line.substr(0, 40)));
}

std::vector<double> numbers(const json& list, std::size_t count, const std::string& line) {
  require(list.is_array() && list.size() == count, line);
  std::vector<double> out;
  for (const json& v : list) {
    require(v.is_number() || v.is_null(), line);
    out.push_back(v.is_null() ? std::nan("") : v.get<double>());
  }
  return out;
}

}  // namespace

std::vector<double> numbers_of(const std::string& line, std::size_t count) {
  return numbers(json::parse(line, nullptr, false), count, line);
}

std::vector<std::vector<double>> rows_of_numbers(const std::string& line, std::size_t rows, std::size_t count) {
  const json all = json::parse(line, nullptr, false);
  require(all.is_array() && all.size() == rows, line);
  std::vector<std::vector<double>> out;
  for (const json& row : all) out.push_back(numbers(row, count, line));
  return out;
}

}  // namespace lacuna

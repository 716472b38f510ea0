#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/data/detail/bytes.hpp"
#include "lacuna/evaluate/split_plan.hpp"

namespace lacuna {
namespace {

// One line of a split file.
struct NumberedRows {
  int number = 0;
  std::vector<Index> rows{};
  int line = 0;
};

std::vector<NumberedRows> read_split_file(const std::string& path, Index rows) {
  std::vector<NumberedRows> out;
  if (!std::filesystem::exists(path)) return out;  // whether splits must be given is the caller's to say
  detail::ByteReader reader(path);
  const detail::Bytes bytes = detail::read_text(reader, 0.25 * available_bytes());
  std::istringstream in{std::string(bytes.view())};
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    std::vector<Index> cells;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (at < end && *at != '\r') {
      long value = 0;
      while (at < end && *at == ' ') ++at;
      auto [next, error] = std::from_chars(at, end, value);
      while (next < end && *next == ' ') ++next;
      if (error != std::errc() || (next < end && *next != ',' && *next != '\r'))
        fail_data(
            fmt::format("splits: {} line {}: \"{}\" is not a number; a line is the number of the split, and then "
                        "rows of the data counted from 0, with commas between",
                        path, line, std::string(at, std::find(at, end, ','))));
      cells.push_back(value);
      at = next < end && *next == ',' ? next + 1 : next;
    }
    if (cells.empty()) continue;
    for (auto i = cells.begin() + 1; i != cells.end(); ++i)
      if (*i < 0 || *i >= rows)
        fail_data(
            fmt::format("splits: {} line {}: there is no row {}; rows count from 0 to {}", path, line, *i, rows - 1));
    NumberedRows split{int(cells[0]), {cells.begin() + 1, cells.end()}, line};
    for (const NumberedRows& before : out)
      if (before.number == split.number)
        fail_data(fmt::format("splits: {} lines {} and {} are both split {}", path, before.line, line, split.number));
    out.push_back(std::move(split));
  }
  return out;
}

// A row that is trained on and tested would make the estimate hopeful without a word. (One may be trained on twice: a bootstrap.)
void refuse_overlap(const NumberedRows& train, const NumberedRows& test, const std::string& stem, Index rows) {
  std::vector<bool> trained(static_cast<std::size_t>(rows));
  for (const Index i : train.rows) trained[std::size_t(i)] = true;
  std::vector<bool> tested(static_cast<std::size_t>(rows));
  for (const Index i : test.rows) {
    if (trained[std::size_t(i)])
      fail_data(fmt::format("splits: {}.test.csv line {}: row {} is in the training part of split {} too", stem,
                            test.line, i, test.number));
    if (tested[std::size_t(i)])
      fail_data(fmt::format("splits: {}.test.csv line {}: row {} is there twice", stem, test.line, i));
    tested[std::size_t(i)] = true;
  }
}

}  // namespace

std::vector<GivenSplit> read_given_splits(const std::string& stem, Index rows) {
  std::vector<NumberedRows> train = read_split_file(stem + ".train.csv", rows),
                            test = read_split_file(stem + ".test.csv", rows);
  if (train.size() != test.size())
    fail_data(fmt::format("splits: {0}.train.csv has {1} split{2} and {0}.test.csv has {3}", stem, train.size(),
                          train.size() == 1 ? "" : "s", test.size()));
  std::vector<GivenSplit> out;
  for (std::size_t k = 0; k < train.size(); ++k) {
    if (train[k].number != test[k].number)
      fail_data(fmt::format("splits: {0}.train.csv line {1} is split {2}, and {0}.test.csv line {3} is split {4}", stem,
                            train[k].line, train[k].number, test[k].line, test[k].number));
    refuse_overlap(train[k], test[k], stem, rows);
    out.push_back({train[k].number, {std::move(train[k].rows), std::move(test[k].rows)}});
  }
  return out;
}

}  // namespace lacuna

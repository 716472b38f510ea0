// evaluate/split_file.cpp (of split_plan.hpp) -- splits that were given in files.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/evaluate/split_plan.hpp"
#include "lacuna/read/detail/parts.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

// One line of a split file.
struct NumberedRows {
  int number = 0;
  std::vector<Index> rows{};
  int line = 0;
};

// What may still be used; the text of a file is given back once it is read, its rows stay.
class Allowance {
 public:
  explicit Allowance(double bytes) : all_(bytes), left_(bytes) {}
  double left() const { return left_; }
  void take(double bytes, const std::string& path) {
    left_ -= bytes;
    if (left_ < 0.0)
      fail_data(
          fmt::format("splits: {}: reading it needs more than the {:.3g} MB of memory that are allowed; raise "
                      "`memory`, or ask for fewer splits",
                      path, all_ / 1e6));
  }
  void give_back(double bytes) { left_ += bytes; }

 private:
  double all_, left_;
};

// The numbers of one line; `place` names it.
std::vector<long> numbers_of_line(std::string_view text, const std::string& place) {
  std::vector<long> cells;
  cells.reserve(std::size_t(std::count(text.begin(), text.end(), ',')) + 1);
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at < end && *at != '\r') {
    long value = 0;
    while (at < end && *at == ' ') ++at;
    auto [next, error] = std::from_chars(at, end, value);
    while (next < end && *next == ' ') ++next;
    if (error != std::errc() || (next < end && *next != ',' && *next != '\r'))
      fail_data(
          fmt::format("splits: {}: {} is not a number; a line is the number of the split, and then rows of the "
                      "data counted from 0, with commas between",
                      place, detail::quoted({at, std::size_t(std::find(at, end, ',') - at)})));
    cells.push_back(value);
    at = next < end && *next == ',' ? next + 1 : next;
  }
  return cells;
}

NumberedRows split_of_line(std::string_view text, const std::string& path, int line, Index rows) {
  const std::string place = fmt::format("{} line {}", path, line);
  std::vector<long> cells = numbers_of_line(text, place);
  if (cells.empty()) return {};
  if (cells[0] < 0 || cells[0] > std::numeric_limits<int>::max())
    fail_data(fmt::format("splits: {}: {} cannot be the number of a split", place, cells[0]));
  NumberedRows split{int(cells[0]), {cells.begin() + 1, cells.end()}, line};
  for (const Index i : split.rows)
    if (i < 0 || i >= rows)
      fail_data(fmt::format("splits: {}: there is no row {}; rows count from 0 to {}", place, i, rows - 1));
  return split;
}

std::vector<NumberedRows> read_split_file(const std::string& path, Index rows, Allowance& allowance) {
  std::vector<NumberedRows> out;
  if (!std::filesystem::exists(path)) return out;  // whether splits must be given is the caller's to say
  detail::TextReader reader(path);
  const detail::Bytes bytes = detail::read_text(reader, allowance.left());
  allowance.take(double(bytes.size()), path);
  std::unordered_map<int, int> line_of;  // by the number of the split
  std::string_view rest = bytes.view();
  for (int line = 1; !rest.empty(); ++line) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    // A cell is a number here and, for a moment, once more there; a split has what surrounds its numbers besides.
    const double line_bytes = 8.0 * double(std::count(text.begin(), text.end(), ',') + 1);
    allowance.take(2.0 * line_bytes + 200.0, path);
    NumberedRows split = split_of_line(text, path, line, rows);
    allowance.give_back(line_bytes);
    if (split.line == 0) continue;  // an empty line
    if (const auto [before, fresh] = line_of.try_emplace(split.number, line); !fresh)
      fail_data(fmt::format("splits: {} lines {} and {} are both split {}", path, before->second, line, split.number));
    out.push_back(std::move(split));
  }
  allowance.give_back(double(bytes.size()));
  return out;
}

// A row that is trained on and tested would make the estimate optimistic without a word. (One may be trained on twice:
// a bootstrap.)
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

std::vector<GivenSplit> read_given_splits(const std::string& stem, Index rows, std::optional<double> most_bytes) {
  Allowance allowance(most_bytes.value_or(available_bytes()));
  std::vector<NumberedRows> train = read_split_file(stem + ".train.csv", rows, allowance),
                            test = read_split_file(stem + ".test.csv", rows, allowance);
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

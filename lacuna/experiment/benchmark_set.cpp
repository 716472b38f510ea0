#include "lacuna/experiment/benchmark_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

#include "lacuna/base/error.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/data/table.hpp"

namespace lacuna {
namespace {

// Training rows of the published splits (Raetsch, Onoda and Mueller 2001).
struct Size {
  std::string_view name;
  Index train;
};
constexpr std::array<Size, 13> sizes{{{"banana", 400},
                                      {"breast-cancer", 200},
                                      {"diabetes", 468},
                                      {"flare-solar", 666},
                                      {"german", 700},
                                      {"heart", 170},
                                      {"image", 1300},
                                      {"ringnorm", 400},
                                      {"splice", 1000},
                                      {"thyroid", 140},
                                      {"titanic", 150},
                                      {"twonorm", 400},
                                      {"waveform", 400}}};

struct Numbered {
  int number;
  std::vector<Index> rows;
};

std::vector<Numbered> read_splits(const std::string& path, Index rows) {
  std::vector<Numbered> out;
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

}  // namespace

BenchmarkSet read_benchmark(const std::string& folder, const std::string& name, int at_least) {
  const std::string stem = folder + "/" + name;
  const Table table = read_table(stem + ".csv");
  DataOptions options;
  options.targets = {table.columns.back().name};
  options.standardise = false;
  BenchmarkSet out{name, encode(table, options).data, {}};
  const Index rows = out.all.size();
  std::vector<Numbered> train = read_splits(stem + ".train.csv", rows), test = read_splits(stem + ".test.csv", rows);
  if (train.size() != test.size())
    fail_data(fmt::format("{}: {} training splits and {} test splits", stem, train.size(), test.size()));
  for (std::size_t k = 0; k < train.size(); ++k)
    out.splits.push_back({train[k].number, true, std::move(train[k].rows), std::move(test[k].rows)});

  Index size = out.splits.empty() ? 0 : Index(out.splits[0].train.size());
  for (const Size& known : sizes)
    if (size == 0 && known.name == name) size = known.train;
  if (size == 0 || size >= rows)
    fail_data(fmt::format("{}: no split is published and {} is none of the thirteen sets", stem, name));
  for (int seed = 1; int(out.splits.size()) < at_least; ++seed) {
    TrainTest drawn = random_split(rows, size, std::uint64_t(seed));
    out.splits.push_back({seed, false, std::move(drawn.train), std::move(drawn.test)});
  }
  return out;
}

}  // namespace lacuna

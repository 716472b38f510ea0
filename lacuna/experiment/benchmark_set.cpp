#include "lacuna/experiment/benchmark_set.hpp"

#include <fmt/format.h>

#include <array>

#include "lacuna/base/error.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/data/table.hpp"
#include "lacuna/evaluate/split_plan.hpp"

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

}  // namespace

BenchmarkSet read_benchmark(const std::string& folder, const std::string& name, int at_least) {
  const std::string stem = folder + "/" + name;
  const Table table = read_table(stem + ".csv");
  DataOptions options;
  options.targets = {table.columns.back().name};
  options.standardise = false;
  BenchmarkSet out{name, encode(table, options).data, {}};
  const Index rows = out.all.size();
  std::vector<NumberedRows> train = read_split_file(stem + ".train.csv", rows),
                            test = read_split_file(stem + ".test.csv", rows);
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

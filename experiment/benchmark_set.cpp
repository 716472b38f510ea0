#include "experiment/benchmark_set.hpp"

#include <fmt/format.h>

#include <array>

#include "lacuna/base/error.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/evaluate/split_plan.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {
namespace {

// Training rows of the published splits (Raetsch, Onoda and Mueller 2001).
struct Size {
  std::string_view name;
  Index train;
};
constexpr std::array<Size, 13> set_sizes{{{"banana", 400},
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

BenchmarkSet read_benchmark(const std::string& folder, const std::string& name, int at_least, std::uint64_t seed) {
  const std::string stem = folder + "/" + name;
  const Table table = read_table(stem + ".csv");
  DataOptions options;
  options.targets = {table.columns.back().name};
  options.standardise = false;
  BenchmarkSet out{name, encode(table, options).data, {}};
  const Index rows = out.all.size();
  for (GivenSplit& given : read_given_splits(stem, rows))
    out.splits.push_back({given.number, true, std::move(given.rows.train), std::move(given.rows.test)});

  Index size = out.splits.empty() ? 0 : Index(out.splits[0].train.size());
  for (const Size& known : set_sizes)
    if (size == 0 && known.name == name) size = known.train;
  if (size == 0 || size >= rows)
    fail_data(fmt::format(
        "{0}: how many rows to train on is not known, for {1} is none of the thirteen sets; a split in {0}.train.csv "
        "and {0}.test.csv says it (its number, then rows counted from 0)",
        stem, name));
  for (std::uint64_t k = seed; int(out.splits.size()) < at_least; ++k) {
    TrainTest drawn = random_split(rows, size, k);
    out.splits.push_back({int(k), false, std::move(drawn.train), std::move(drawn.test)});
  }
  return out;
}

}  // namespace lacuna

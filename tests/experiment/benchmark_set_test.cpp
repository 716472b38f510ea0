// Benchmark sets without published splits get seeded ones of the published size.
#include "experiment/benchmark_set.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary.hpp"

namespace lacuna {
namespace benchmark_set_test {

TEST(BenchmarkSet, WithoutSplitFilesIsSplitAtRandomInThePublishedSizes) {
  const test::TemporaryFolder folder;
  {
    std::ofstream out(folder.path() / "thyroid.csv");
    out << "x,label\n";
    for (int i = 0; i < 215; ++i) out << i << ',' << (i % 3 == 0 ? 1 : -1) << '\n';
  }
  const BenchmarkSet set = read_benchmark(folder.path().string(), "thyroid", 3, 1);
  ASSERT_EQ(set.splits.size(), 3u);
  for (const auto& split : set.splits) {
    EXPECT_EQ(split.train.size(), 140u);
    EXPECT_EQ(split.test.size(), 75u);
  }
}

}  // namespace benchmark_set_test
}  // namespace lacuna

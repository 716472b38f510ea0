#include "lacuna/read/table.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace lacuna {
namespace table_test {

TEST(Table, RealFilesAreReadAsTheirReadmeSays) {
  const std::filesystem::path folder = LACUNA_SHARED_DATA;
  struct Known {
    const char* path;
    std::int64_t rows;
    std::size_t columns;
  };
  for (const Known& known :
       {Known{"ida/banana.csv", 5300, 3}, Known{"ida/titanic.csv", 2201, 4}, Known{"mass/boston.csv", 506, 14},
        Known{"wcci2006/ada_train.csv", 4147, 49}, Known{"a9a/a9a_train.csv.gz", 32561, 124},
        Known{"casp/casp.csv.gz", 45730, 10}, Known{"ohlsson/ohlsson_mc_claims.csv", 64548, 8}}) {
    const Table t = read_table((folder / known.path).string());
    EXPECT_EQ(t.rows, known.rows) << known.path;
    EXPECT_EQ(t.columns.size(), known.columns) << known.path;
    EXPECT_TRUE(t.has_header) << known.path;
    for (const Column& c : t.columns) EXPECT_FALSE(c.is_text) << known.path << " " << c.name;
  }
  EXPECT_FALSE(read_table((folder / "ida/banana.train.csv").string()).has_header);
}

}  // namespace table_test
}  // namespace lacuna

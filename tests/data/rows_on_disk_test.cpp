// Rows that stay on disk are the rows that would have been in memory.
#include "lacuna/data/rows_on_disk.hpp"

#include <gtest/gtest.h>

#include "lacuna/read/table.hpp"

namespace lacuna {
namespace rows_on_disk_test {

TEST(Streamed, RowsTakenAreThoseOfTheDatasetInAnyOrder) {
  const Table table = parse_table("a,b,y\n1,2,x\n3,5,z\n4,1,x\n9,2,z\n7,7,z\n", "t.csv");
  const Dataset data = encode(table, {.targets = {"y"}}).data;
  const StreamedDataset streamed = as_streamed(data);
  EXPECT_EQ(streamed.size(), 5);
  EXPECT_EQ(streamed.features, 2);
  const std::vector<Index> which{3, 4, 0, 2};
  const Dataset taken = take_rows(streamed, which), expected = take_rows(data, which);
  EXPECT_EQ(taken.X.dense(), expected.X.dense());
  EXPECT_EQ(taken.label, expected.label);
  EXPECT_EQ(taken.source_row, expected.source_row);
}

}  // namespace rows_on_disk_test
}  // namespace lacuna

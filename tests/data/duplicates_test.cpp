#include "lacuna/data/duplicates.hpp"

#include <gtest/gtest.h>

#include "lacuna/read/table.hpp"

namespace lacuna {
namespace duplicates_test {

Index copies_in(Rows X) {
  Dataset data;
  data.X = std::move(X);
  data.label.assign(std::size_t(data.X.rows()), 0);
  return count_copies(data);
}

TEST(Duplicates, RowsThatEqualAnEarlierOneAreCounted) {
  RowMatrix X(5, 2);
  X << 1, 2, 3, 4, 1, 2, 1, 2, 4, 3;
  EXPECT_EQ(copies_in(X), 2);
  X(2, 0) = 7;
  EXPECT_EQ(copies_in(X), 1);
}

TEST(Duplicates, EqualInputsWithOtherTargetsAreNoCopies) {
  Dataset data;
  data.X = RowMatrix{{1.0}, {1.0}, {1.0}, {2.0}};
  data.targets = Matrix{{0.5}, {0.7}, {0.5}, {0.5}};
  EXPECT_EQ(count_copies(data), 1);
}

TEST(Duplicates, ZeroEqualsMinusZeroAndPlacesMatter) {
  RowMatrix X(4, 3);
  X << 0, 1, 0, -0.0, 1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_EQ(copies_in(X), 1);
}

TEST(Duplicates, SparseAndDenseRowsAgree) {
  const SparseMatrix X = *parse_table("1 1:2 4:1\n1 1:2\n1 1:2 4:1\n1\n1\n", "t.svm").sparse;
  EXPECT_EQ(copies_in(X), 2);
  SparseMatrix written_out = X;  // row 1 gains a zero, and stays what it is
  written_out.column.insert(written_out.column.begin() + 3, 3);
  written_out.value.insert(written_out.value.begin() + 3, 0.0);
  for (std::size_t i = 2; i < written_out.row_start.size(); ++i) ++written_out.row_start[i];
  EXPECT_EQ(copies_in(written_out), 2);
}

TEST(Duplicates, NoRowsAndNoColumnsAreNoTrouble) {
  EXPECT_EQ(copies_in(RowMatrix(0, 3)), 0);
  EXPECT_EQ(copies_in(RowMatrix(3, 0)), 2);
}

TEST(Duplicates, CopiesAreRowsThatAgreeInEverythingAndAreHeldOutTogether) {
  Dataset data;
  data.X = RowMatrix{{1.0, 0.0}, {1.0, -0.0}, {1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}};
  data.label = {0, 0, 1, 0, 0, 0};
  data.group = {0, 0, 0, 1, 0, 0};
  EXPECT_EQ(first_of_copies(data, data.X), (std::vector<Index>{0, 0, 2, 3, 4, 0}));
  data.offset = Vector{{0.0, 0.0, 0.0, 0.0, 0.0, 0.5}};
  EXPECT_EQ(first_of_copies(data, data.X)[5], 5);
  // Rows that are read block by block are the same rows.
  const RowSource read(
      6, [&](Index first, Index count) { return Rows(RowMatrix(data.X.dense().middleRows(first, count))); });
  EXPECT_EQ(first_of_copies(data, read), first_of_copies(data, data.X));
}

}  // namespace duplicates_test
}  // namespace lacuna

#include "lacuna/read/libsvm.hpp"

#include "tests/data/refusal.hpp"

namespace lacuna {
namespace libsvm_test {

using test::refusal;
using test::says;
using Format = ReadOptions::Format;

Table sparse(std::string_view text) { return parse_table(text, "t.svm"); }
std::string sparse_refusal(std::string_view text) {
  return refusal([&] { parse_table(text, "t.svm", {.format = Format::libsvm}); });
}

TEST(Libsvm, LinesBecomeSparseRowsAndATargetColumn) {
  const Table t = sparse("+1 1:0.5 3:-2 # first\n\n# nothing here\n-1 2:1e2\r\n1\n-1 5:7 ");
  ASSERT_TRUE(t.sparse);
  const SparseMatrix& X = *t.sparse;
  EXPECT_EQ(t.rows, 4);
  EXPECT_EQ(X.cols, 5);
  EXPECT_EQ(X.row_start, (std::vector<std::int64_t>{0, 2, 3, 3, 4}));
  EXPECT_EQ(X.column, (std::vector<std::int32_t>{0, 2, 1, 4}));
  EXPECT_EQ(X.value, (std::vector<double>{0.5, -2, 100, 7}));
  EXPECT_EQ(t.line, (std::vector<std::int64_t>{1, 4, 5, 6}));
  ASSERT_EQ(t.columns.size(), 1u);
  EXPECT_EQ(t.columns[0].name, "target");
  EXPECT_EQ(t.columns[0].number, (std::vector<double>{1, -1, 1, -1}));
}

TEST(Libsvm, LabelsMayBeWordsOrMissing) {
  const Table t = sparse("cat 1:1\n? 2:1\n2 1:1\n");
  EXPECT_TRUE(t.columns[0].is_text);
  EXPECT_EQ(t.columns[0].levels, (std::vector<std::string>{"cat", "2"}));
  EXPECT_EQ(t.columns[0].missing, 1);
}

TEST(Libsvm, IndicesCountFromZeroWhenIndexZeroOccursWithANote) {
  const Table t = sparse("1 1:5\n-1 0:3 2:4\n");
  EXPECT_TRUE(t.zero_based);
  EXPECT_EQ(t.sparse->cols, 3);
  EXPECT_EQ(t.sparse->column, (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_TRUE(test::any_says(t.notes, "index 0 occurs"));
}

TEST(Libsvm, ZerosWrittenOutAreNotStoredButCountAsColumns) {
  const Table t = sparse("1 1:5 4:0\n-1 2:0.0\n");
  EXPECT_EQ(t.sparse->value, (std::vector<double>{5}));
  EXPECT_EQ(t.sparse->cols, 4);
}

TEST(Libsvm, TablesWithBlanksOrColonsAreNotTakenForIt) {
  for (const char* text : {"1 2 3\n4 5 6\n", "a b\n1 2\n", "time,x\n12:30,1\n12:45,2\n", "1\n2\n3\n", "x y:z\n1 2\n"})
    EXPECT_FALSE(sparse(text).sparse) << text;
  EXPECT_TRUE(sparse("1\n-1 2:5\n1 1:3 2:4\n").sparse);
  EXPECT_TRUE(parse_table("1\n0\n", "t", {.format = Format::libsvm}).sparse);
}

TEST(Libsvm, RefusesIndicesThatDoNotAscend) {
  EXPECT_EQ(sparse_refusal("1 1:1\n1 3:1 2:1\n"), "read: t.svm line 2: index 2 follows index 3; indices must ascend");
  EXPECT_TRUE(says(sparse_refusal("1 2:1 2:1\n"), {"line 1", "must ascend"}));
}

TEST(Libsvm, RefusesAbsurdIndicesWithoutTryingToHoldThem) {
  EXPECT_TRUE(says(sparse_refusal("1 1:1\n1 2147483647:1\n"), {"line 2", "2147483647:1", "too large"}));
  EXPECT_TRUE(says(sparse_refusal("1 99999999999999999999999:1\n"), {"line 1", "too large"}));
  EXPECT_TRUE(says(sparse_refusal("1 -1:1\n"), {"line 1", "whole number"}));
  EXPECT_TRUE(says(sparse_refusal("1 1.5:1\n"), {"line 1", "whole number"}));
  EXPECT_EQ(sparse("1 1:1 2147483646:1\n0 1:2\n").sparse->cols, 2147483646);
}

TEST(Libsvm, RefusesBadValuesLabelsAndWordsNamingLineAndValue) {
  EXPECT_TRUE(says(sparse_refusal("1 1:1\n1 2:abc\n"), {"line 2", "\"abc\"", "index 2"}));
  EXPECT_TRUE(says(sparse_refusal("1 2:nan\n"), {"line 1", "\"nan\"", "finite"}));
  EXPECT_TRUE(says(sparse_refusal("1 2:\n"), {"line 1", "not a finite number"}));
  EXPECT_TRUE(says(sparse_refusal("1 2:3 four\n"), {"line 1", "\"four\"", "index:value"}));
  EXPECT_TRUE(says(sparse_refusal("1:2 2:3\n"), {"line 1", "label"}));
  EXPECT_TRUE(says(sparse_refusal("1 qid:3 2:3\n"), {"line 1", "qid"}));
  EXPECT_TRUE(says(sparse_refusal("1 1:1\ninf 2:3\n"), {"line 2", "\"inf\""}));
  EXPECT_TRUE(says(sparse_refusal("# only a comment\n"), {"empty"}));
}

}  // namespace libsvm_test
}  // namespace lacuna

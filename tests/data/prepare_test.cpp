// New rows through a learned encoding.
#include <cmath>

#include "tests/data/refusal.hpp"

namespace lacuna {
namespace prepare_test {

using test::any_says;
using test::encoded;
using test::refusal;
using test::says;
using test::table_of;

const char* const training = "age,colour,junk,y\n1,red,5,1\n2,blue,5,2\n4,red,5,3\n9,blue,5,5\n";

std::string prepare_refusal(const Encoding& encoding, std::string_view text) {
  return refusal([&] { prepare(table_of(text), encoding); });
}

TEST(Prepare, TrainingRowsComeOutAsTheyDidInTraining) {
  const Encoded e = encoded(training);
  const Prepared p = prepare(table_of(training), e.encoding);
  EXPECT_EQ(p.X.dense(), e.data.X.dense());
  EXPECT_EQ(p.source_row, e.data.source_row);
  EXPECT_TRUE(p.notes.empty());
}

TEST(Prepare, ColumnsAreMatchedByNameInAnyOrderAndOthersIgnored) {
  const Encoded e = encoded(training);
  const Prepared p =
      prepare(table_of("colour,extra,age\nblue,x,2\nred,z,4\n"), e.encoding);  // no junk: it was constant
  EXPECT_EQ(p.X.dense().row(0), e.data.X.dense().row(1));
  EXPECT_EQ(p.X.dense().row(1), e.data.X.dense().row(2));
}

TEST(Prepare, RefusesAMissingColumnByName) {
  EXPECT_TRUE(says(prepare_refusal(encoded(training).encoding, "colour,agee\nred,1\n"),
                   {"t.csv", "\"age\"", "did you mean 'agee'"}));
}

TEST(Prepare, AnUnseenCategoryIsNoneWithANote) {
  const Encoded e = encoded(training, {.standardise = false});
  const Prepared p = prepare(table_of("age,colour\n1,violet\n2,red\n3,pink\n"), e.encoding);
  EXPECT_EQ(p.X.dense().row(0), Eigen::RowVector3d(1, 0, 0));
  EXPECT_EQ(p.X.dense().row(1), Eigen::RowVector3d(2, 0, 1));
  EXPECT_TRUE(any_says(
      p.notes, "column colour: 2 cells with a category not seen in training (first: \"violet\", t.csv line 2)"));
}

TEST(Prepare, CategoriesWrittenAsNumbersMatchByValue) {
  const Encoded numbers = encoded("z,y\n1,1\n2,2\n1,3\n2,4\n", {.categorical = {"z"}, .standardise = false});
  const Prepared p = prepare(table_of("z,k\n1.0,0\nb,0\n02,0\n"), numbers.encoding);
  EXPECT_EQ(p.X.dense()(0, 0), 1.0);
  EXPECT_EQ(p.X.dense()(2, 1), 1.0);
  EXPECT_TRUE(any_says(p.notes, "1 cell with a category not seen"));
  const Encoded texts =
      encode(table_of("z,y\n01,1\n02,2\n01,3\n02,4\n", {.as_text = {"z"}}), {.targets = {"y"}, .standardise = false});
  EXPECT_EQ(texts.encoding.columns[0].levels, (std::vector<std::string>{"01", "02"}));
  EXPECT_EQ(prepare(table_of("z,k\n01,0\n02,0\n"), texts.encoding).X.dense()(1, 1), 1.0);
}

TEST(Prepare, RefusesTextWhereTrainingHadNumbers) {
  EXPECT_TRUE(says(prepare_refusal(encoded(training).encoding, "age,colour\n1,red\nold,red\n"),
                   {"line 3, column 1 (age)", "\"old\" is not a number"}));
}

TEST(Prepare, MissingCellsFollowThePolicyOfTraining) {
  const char* const gaps = "age,colour,junk,y\n1,red,,\n,red,,\n4,,,\n";
  EXPECT_TRUE(says(prepare_refusal(encoded(training).encoding, gaps), {"line 3, column 1 (age)", "missing"}));
  const Encoded mean = encoded(training, {.missing = Missing::mean, .standardise = false});
  const Prepared filled = prepare(table_of(gaps), mean.encoding);
  EXPECT_EQ(filled.X.dense().row(1), Eigen::RowVector3d(4, 0, 1));  // the mean age is 4
  EXPECT_EQ(filled.X.dense().row(2), Eigen::RowVector3d(4, 0, 0));
  EXPECT_TRUE(any_says(filled.notes, "age (1), colour (1)"));  // what no feature uses needs no filling
  EXPECT_TRUE(prepare(table_of("age,colour,junk,y\n1,red,,\n"), mean.encoding).notes.empty());
  const Prepared dropped = prepare(table_of(gaps), encoded(training, {.missing = Missing::drop}).encoding);
  EXPECT_EQ(dropped.source_row, (std::vector<std::int64_t>{1}));
  EXPECT_TRUE(any_says(dropped.notes, "2 rows with missing cells left out"));
}

TEST(Prepare, IndicatorsOfMissingCellsAreThoseOfTraining) {
  const Encoded e = encoded("age,colour,junk,y\n1,red,5,1\n,blue,6,2\n7,,7,3\n",
                            {.missing = Missing::indicator, .standardise = false});
  const Prepared p = prepare(table_of("age,colour,junk\n,red,5\n2,,\n3,black,8\n"), e.encoding);
  // age, age missing, colour=blue, colour=red, colour missing, junk: which had no gaps in training
  EXPECT_EQ(p.X.dense(), (RowMatrix{{4, 1, 0, 1, 0, 5}, {2, 0, 0, 0, 1, 6}, {3, 0, 0, 0, 0, 8}}));
  EXPECT_TRUE(any_says(p.notes, "age (1), colour (1), junk (1)"));
}

TEST(Prepare, WithoutNamesColumnsAreMatchedByPositionWithOrWithoutTheTarget) {
  const Encoded e = encoded("1,7,5\n2,9,6\n4,1,9\n", {.targets = {"2"}});
  EXPECT_FALSE(e.encoding.has_names);
  EXPECT_EQ(prepare(table_of("1,7,5\n2,9,6\n4,1,9\n"), e.encoding).X.dense(), e.data.X.dense());
  EXPECT_EQ(prepare(table_of("1,5\n2,6\n4,9\n"), e.encoding).X.dense(), e.data.X.dense());
  EXPECT_TRUE(says(prepare_refusal(e.encoding, "1,2,3,4\n1,2,3,5\n"), {"4 columns found", "3 (as in training) or 2"}));
}

TEST(Prepare, WithoutNamesOnlyTheColumnsInUseWillDoToo) {
  const Encoded e = encoded("1,7,5,3\n2,9,6,4\n4,1,9,4\n", {.targets = {"2"}, .ignore = {"1"}, .offset = "4"});
  const Prepared p = prepare(table_of("5,3\n6,4\n9,4\n"), e.encoding);
  EXPECT_EQ(p.X.dense(), e.data.X.dense());
  EXPECT_EQ(p.offset, e.data.offset);
}

TEST(Prepare, ATableWithoutNamesCanServeAModelThatHasThemWithANote) {
  const Encoded e = encoded("a,b,y\n1,5,1\n2,6,2\n4,9,3\n");
  const Prepared p = prepare(table_of("1,5\n2,6\n4,9\n"), e.encoding);
  EXPECT_EQ(p.X.dense(), e.data.X.dense());
  EXPECT_TRUE(any_says(p.notes, "matched by position"));
}

TEST(Prepare, ExposuresAreReadAndChecked) {
  const Encoded e = encoded("a,e,y\n1,0.5,1\n2,1,2\n4,2,5\n", {.exposure = "e"});
  EXPECT_DOUBLE_EQ(prepare(table_of("e,a\n3,1\n"), e.encoding).offset[0], std::log(3.0));
  EXPECT_TRUE(says(prepare_refusal(e.encoding, "e,a\n0,1\n"), {"line 2, column 1 (e)", "exposure 0"}));
  EXPECT_TRUE(says(prepare_refusal(e.encoding, "a\n1\n"), {"no column \"e\""}));
}

TEST(Prepare, SparseRowsKeepTheirIndicesAndNewOnesAreLeftOutWithANote) {
  const Encoded e = encode(parse_table("1 1:2 3:1\n-1 1:4\n1 3:1\n", "a.svm"), {.standardise = false});
  const Prepared p = prepare(parse_table("? 1:5 2:6 4:7\n? 3:8\n", "b.svm"), e.encoding);
  EXPECT_EQ(p.X.sparse().value, (std::vector<double>{5, 8}));
  EXPECT_EQ(p.X.sparse().column, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(p.X.cols(), 2);
  EXPECT_TRUE(any_says(p.notes, "1 entry with an index not in the training data (first: 4)"));
}

TEST(Prepare, IndicesFromZeroAndFromOneAreToldApart) {
  const Encoded zero = encode(parse_table("1 0:2 1:1\n-1 0:4\n1 1:3\n", "a.svm"), {.standardise = false});
  const Prepared p = prepare(parse_table("? 1:5\n", "b.svm"), zero.encoding);  // no index 0 here, and still index 1
  EXPECT_EQ(p.X.sparse().column, (std::vector<std::int32_t>{1}));
  const Encoded one = encode(parse_table("1 1:2 2:1\n-1 1:4\n1 2:3\n", "a.svm"), {.standardise = false});
  const Prepared q = prepare(parse_table("? 0:9 1:5\n", "b.svm"), one.encoding);
  EXPECT_EQ(q.X.sparse().column, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(q.X.sparse().value, (std::vector<double>{5}));
  EXPECT_TRUE(any_says(q.notes, "first: 0"));
}

TEST(Prepare, RefusesATableForASparseModelAndTheReverse) {
  const Encoded sparse = encode(parse_table("1 1:2 3:1\n-1 1:4\n1 3:1\n", "a.svm"), {});
  EXPECT_TRUE(says(prepare_refusal(sparse.encoding, "a,b\n1,2\n"), {"is a table", "sparse text"}));
  EXPECT_TRUE(says(refusal([&] { prepare(parse_table("1 1:2\n", "a.svm"), encoded(training).encoding); }),
                   {"a.svm is sparse"}));
}

}  // namespace prepare_test
}  // namespace lacuna

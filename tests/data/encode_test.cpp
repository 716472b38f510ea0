// From columns to features, weights, groups and offsets; what is refused on the way.
#include <cmath>

#include "experiment/generate.hpp"
#include "lacuna/base/random.hpp"
#include "tests/data/refusal.hpp"

namespace lacuna {
namespace encode_test {

using test::any_says;
using test::encode_refusal;
using test::encoded;
using test::says;
using Request = DataOptions::TaskRequest;

TEST(Encode, StandardisedFeaturesHaveMeanZeroAndDeviationOne) {
  const Encoded e = encode(generate("friedman1", 200, 7), {.targets = {"y"}});
  const RowMatrix& X = e.data.X.dense();
  for (Index j = 0; j < X.cols(); ++j) {
    EXPECT_NEAR(X.col(j).mean(), 0.0, 1e-14);
    EXPECT_NEAR(X.col(j).squaredNorm() / 200.0, 1.0, 1e-13);
  }
}

TEST(Encode, WithoutStandardisationNumbersStayAsTheyAre) {
  const Encoded e = encoded("x,y\n1,1\n5,2\n7,3\n", {.standardise = false});
  EXPECT_EQ(e.data.X.dense()(1, 0), 5.0);
  EXPECT_EQ(e.encoding.features[0].scale, 1.0);
}

TEST(Encode, AWeightOfKCountsAsKCopies) {
  const Encoded weighted = encoded("x,c,w,y\n1,a,3,1\n5,b,1,2\n8,a,2,3\n2,b,0,9\n", {.weights = "w"});
  const Encoded copies = encoded("x,c,y\n1,a,1\n1,a,1\n1,a,1\n5,b,2\n8,a,3\n8,a,3\n");
  ASSERT_EQ(weighted.encoding.features.size(), copies.encoding.features.size());
  for (std::size_t f = 0; f < copies.encoding.features.size(); ++f) {
    EXPECT_NEAR(weighted.encoding.features[f].centre, copies.encoding.features[f].centre, 1e-14);
    EXPECT_NEAR(weighted.encoding.features[f].scale, copies.encoding.features[f].scale, 1e-14);
  }
}

TEST(Encode, ARowOfWeightZeroIsARowRemovedWhateverItHolds) {
  const Encoded e = encoded("x,c,w,y\n1,a,1,1\n,zzz,0,?\n5,b,1,2\n8,a,1,4\n9,b,1,6\n", {.weights = "w"});
  EXPECT_EQ(e.data.source_row, (std::vector<std::int64_t>{1, 3, 4, 5}));
  EXPECT_EQ(e.encoding.columns[1].levels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(e.data.weights.size(), 4);
  EXPECT_TRUE(any_says(e.data.notes, "1 row of weight 0 left out"));
}

TEST(Encode, TextColumnsBecomeOneFeatureForEachLevelInNaturalOrder) {
  const Encoded e = encoded("c,y\nred,1\nblue,2\nred,3\ngreen,4\nred,5\nblue,7\n", {.standardise = false});
  ASSERT_EQ(e.encoding.features.size(), 3u);
  EXPECT_EQ(e.encoding.features[2].name, "c=red");
  const RowMatrix& X = e.data.X.dense();
  EXPECT_EQ(X.row(0), (Eigen::RowVector3d(0, 0, 1)));
  EXPECT_EQ(X.row(1), (Eigen::RowVector3d(1, 0, 0)));
  const Encoded scaled = encoded("c,y\nred,1\nblue,2\nred,3\ngreen,4\nred,5\nblue,7\n");
  EXPECT_NEAR(scaled.encoding.features[2].centre, 0.5, 1e-15);
  EXPECT_NEAR(scaled.encoding.features[0].scale, std::sqrt(1.0 / 3.0 * 2.0 / 3.0), 1e-15);
  EXPECT_NEAR(scaled.data.X.dense().col(0).squaredNorm() / 6.0, 1.0, 1e-13);
}

TEST(Encode, NumericColumnsDeclaredCategoricalDoSoToo) {
  const Encoded e = encoded("zone,y\n10,1\n9,2\n10,3\n9,4\n", {.categorical = {"zone"}});
  EXPECT_EQ(e.encoding.columns[0].levels, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(e.encoding.features[1].name, "zone=10");
}

TEST(Encode, ConstantFeaturesAreLeftOutWithANote) {
  const Encoded e = encoded("a,b,c,d,y\n1,5,x,,1\n2,5,x,,2\n3,5,x,,4\n");
  ASSERT_EQ(e.encoding.features.size(), 1u);
  EXPECT_EQ(e.encoding.features[0].name, "a");
  EXPECT_TRUE(any_says(e.data.notes, "3 constant features left out: b, c=x, d"));
  EXPECT_EQ(encoded("a,b,y\n1,5,1\n2,5,2\n", {.encode_features = false}).data.X.cols(), 2);
}

TEST(Encode, ColumnsWithTheSameNumbersAreNotedAndKept) {
  const Encoded e = encoded("a,b,c,y\n1,1,1,1\n2,2,2,2\n3,3,4,4\n");
  EXPECT_EQ(e.data.X.cols(), 3);
  EXPECT_TRUE(any_says(e.data.notes, "columns with the same numbers: b = a"));
}

TEST(Encode, PrecomputedKernelsAreTakenAsTheyAre) {
  const Encoded e = encoded("k1,k2,y\n1,0,1\n0,1,2\n0,0,4\n", {.encode_features = false});
  EXPECT_EQ(e.data.X.dense()(0, 0), 1.0);
  EXPECT_TRUE(says(encode_refusal("k1,k2,y\n1,0,1\na,1,2\n", {.encode_features = false}),
                   {"line 3, column 1 (k1)", "\"a\" is not a number"}));
}

TEST(Encode, MissingCellsAreRefusedByDefaultNamingTheFirst) {
  EXPECT_EQ(encode_refusal("a,b,y\n1,2,1\n3,,2\nNA,4,3\n"),
            "data: t.csv line 3, column 2 (b): the cell is missing; `missing=mean` fills such cells in, `missing=drop` "
            "leaves their rows out");
}

TEST(Encode, MissingCellsCanBeFilledWithTheMeanAndCategoriesWithNone) {
  const Encoded e = encoded("a,c,y\n1,u,1\n3,,2\n,v,4\n5,u,3\n", {.missing = Missing::mean, .standardise = false});
  const RowMatrix& X = e.data.X.dense();
  EXPECT_EQ(X(2, 0), 3.0);
  EXPECT_EQ(e.encoding.columns[0].fill, 3.0);
  EXPECT_EQ(X(1, 1), 0.0);
  EXPECT_EQ(X(1, 2), 0.0);
  EXPECT_TRUE(any_says(e.data.notes, "a (1), c (1)"));
  const Encoded standard = encoded("a,y\n1,1\n3,2\n,4\n5,3\n", {.missing = Missing::mean});
  EXPECT_EQ(standard.data.X.dense()(2, 0), 0.0);
  EXPECT_NEAR(standard.data.X.dense().squaredNorm() / 4.0, 1.0, 1e-14);
}

TEST(Encode, MissingCellsCanHaveAFeatureThatSaysWhere) {
  const DataOptions raw{.missing = Missing::indicator, .standardise = false};
  const Encoded e = encoded("a,c,b,y\n1,u,7,1\n3,,8,2\n,v,9,4\n5,u,6,3\n", raw);
  std::vector<std::string> names;
  for (const FeatureCode& f : e.encoding.features) names.push_back(f.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "a missing", "c=u", "c=v", "c missing", "b"}));
  const RowMatrix expected{{1, 0, 1, 0, 0, 7}, {3, 0, 0, 0, 1, 8}, {3, 1, 0, 1, 0, 9}, {5, 0, 1, 0, 0, 6}};
  EXPECT_EQ(e.data.X.dense(), expected);
  EXPECT_TRUE(any_says(e.data.notes, "says where: a (1), c (1)"));
  // Weighted: a row of weight 2 is two rows. Standardised like other features.
  const Encoded weighted = encoded("a,w,y\n1,1,1\n3,1,2\n,2,4\n", {.weights = "w", .missing = Missing::indicator});
  const Encoded copies = encoded("a,y\n1,1\n3,2\n,4\n,4\n", {.missing = Missing::indicator});
  EXPECT_EQ(weighted.data.X.dense(), copies.data.X.dense().topRows(3));
  EXPECT_EQ(weighted.data.X.dense()(2, 1), 1.0);
  EXPECT_EQ(weighted.data.X.dense()(0, 1), -1.0);
}

TEST(Encode, AColumnThatIsKnownByItsGapsAloneKeepsTheirFeature) {
  const Encoded e = encoded("a,n,y\n7,,1\n,,2\n7,,4\n,,3\n", {.missing = Missing::indicator, .standardise = false});
  ASSERT_EQ(e.encoding.features.size(), 1U);  // n has no value at all
  EXPECT_EQ(e.encoding.features[0].name, "a missing");
  EXPECT_EQ(e.data.X.dense(), (RowMatrix{{0}, {1}, {0}, {1}}));
}

TEST(Encode, RowsWithMissingCellsCanBeDropped) {
  const Encoded e = encoded("a,b,y\n1,2,1\n3,,2\n2,4,\n5,7,4\n", {.missing = Missing::drop});
  EXPECT_EQ(e.data.source_row, (std::vector<std::int64_t>{1, 4}));
  EXPECT_TRUE(any_says(e.data.notes, "2 rows with missing cells left out"));
  EXPECT_TRUE(says(encode_refusal("a,y\n,1\n2,\n", {.missing = Missing::drop}), {"every row has a missing cell"}));
}

TEST(Encode, AMissingTargetIsNeverFilledIn) {
  EXPECT_TRUE(
      says(encode_refusal("a,y\n1,1\n2,\n3,4\n", {.missing = Missing::mean}), {"line 3, column 2 (y)", "drop"}));
}

TEST(Encode, RefusesAStrayWordInAColumnOfNumbersNamingThePlace) {
  EXPECT_EQ(
      encode_refusal("rooms,y\n3,1\n4,2\nn/a,3\n5,4\n"),
      "data: t.csv line 4, column 1 (rooms): \"n/a\" is not a number, and 3 of the column's 4 cells are; mend the "
      "cell, or `categorical=rooms` takes all its values as categories");
  EXPECT_EQ(encoded("r,y\n3,1\n3,2\nx,3\n3,4\n", {.categorical = {"r"}}).data.X.cols(), 2);
}

TEST(Encode, RefusesAStrayCellInAColumnOfDates) {
  const std::string days = "d,y\n2021-02-27,1\n2021-02-30,2\n2021-03-01,3\n2021-03-02,4\n";
  EXPECT_TRUE(says(encode_refusal(days), {"line 3, column 1 (d)", "\"2021-02-30\"", "no date that a calendar has",
                                          "3 of the column's 4 cells are dates"}));
  const std::string doubtful = "d,y\n3/4/2021,1\n3/5/2021,2\nnone,3\n4/5/2021,4\n";
  EXPECT_TRUE(says(encode_refusal(doubtful), {"column 1 (d)", "\"3/4/2021\"", "month"}));
}

TEST(Encode, RefusesDecimalCommas) {
  EXPECT_TRUE(says(encode_refusal("a;y\n1,5;1\n2,5;2\n3,1;4\n"), {"line 2, column 1 (a)", "\"1,5\"", "decimal comma"}));
}

TEST(Encode, RefusesCategoriesWithoutNumber) {
  std::string text = "id,y\n";
  for (int i = 0; i < 20; ++i) text += "k" + std::to_string(i % 11) + "," + std::to_string(i) + "\n";
  EXPECT_TRUE(says(encode_refusal(text), {"column 1 (id)", "11 categories in 20 rows", "at most 10", "`ignore=id`"}));
  EXPECT_TRUE(says(encode_refusal(text, {.ignore = {"id"}}), {"no column is left"}));
}

TEST(Encode, RefusesUnknownColumnsSuggestingTheNearest) {
  EXPECT_TRUE(
      says(encode_refusal("age,price\n1,2\n3,4\n", {.targets = {"prise"}}), {"\"prise\"", "did you mean 'price'"}));
  EXPECT_TRUE(says(encode_refusal("age,y\n1,2\n3,4\n", {.weights = "weight"}), {"\"weight\"", "(weights)", "age, y"}));
  EXPECT_TRUE(says(encode_refusal("age,y\n1,2\n3,4\n", {.targets = {"3"}}), {"\"3\""}));
  EXPECT_TRUE(says(encode_refusal("age,y\n1,2\n3,4\n", {.ignore = {"agge"}}), {"did you mean 'age'"}));
}

TEST(Encode, RefusesAColumnWithTwoRoles) {
  EXPECT_TRUE(says(encode_refusal("a,y\n1,2\n3,4\n", {.weights = "y"}), {"column 2 (y)", "target", "weights"}));
  EXPECT_TRUE(
      says(encode_refusal("a,b,y\n1,2,3\n3,4,5\n", {.ignore = {"b"}, .group = "2"}), {"column 2 (b)", "group"}));
  EXPECT_EQ(
      encoded("a,w,y\n1,2,3\n3,4,5\n2,1,7\n", {.train_weights = "w", .select_weights = "w"}).data.select_weights[1], 4);
}

TEST(Encode, RefusesWeightsThatAreNegativeNotNumbersOrAllZero) {
  EXPECT_EQ(encode_refusal("a,w,y\n1,1,1\n2,-0.5,2\n", {.weights = "w"}),
            "data: t.csv line 3, column 2 (w): weight -0.5 is negative; weights must be >= 0");
  EXPECT_TRUE(says(encode_refusal("a,w,y\n1,1,1\n2,x,2\n", {.weights = "w"}),
                   {"line 3, column 2 (w)", "\"x\" is not a number"}));
  EXPECT_TRUE(says(encode_refusal("a,w,y\n1,0,1\n2,0,2\n", {.weights = "w"}), {"no weight is positive"}));
  EXPECT_TRUE(says(encode_refusal("a,w,y\n1,0,1\n2,0,2\n", {.select_weights = "w"}), {"no weight is positive"}));
  EXPECT_TRUE(says(encode_refusal("a,w,y\n1,,1\n2,1,2\n", {.weights = "w"}), {"line 2, column 2 (w)", "missing"}));
}

TEST(Encode, GroupsAreNumberedInNaturalOrder) {
  const Dataset d = encoded("a,g,y\n1,10,1\n2,9,2\n4,10,5\n", {.group = "g"}).data;
  EXPECT_EQ(d.group, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(d.group_names, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(d.X.cols(), 1);
}

TEST(Encode, OffsetsAreTakenAsTheyAreAndExposuresByTheirLogarithm) {
  EXPECT_EQ(encoded("a,o,y\n1,0.5,1\n2,-1,2\n4,2,5\n", {.offset = "o"}).data.offset[1], -1.0);
  const Encoded e = encoded("a,e,y\n1,0.5,1\n2,1,2\n4,2,5\n", {.task = Request::counts, .exposure = "e"});
  EXPECT_DOUBLE_EQ(e.data.offset[2], std::log(2.0));
  EXPECT_EQ(e.encoding.offset_column, "e");
  EXPECT_TRUE(e.encoding.offset_is_exposure);
  EXPECT_TRUE(
      says(encode_refusal("a,e,y\n1,1,1\n2,0,2\n4,2,5\n", {.exposure = "e"}), {"line 3, column 2 (e)", "exposure 0"}));
  EXPECT_EQ(encoded("a,e,w,y\n1,1,1,1\n2,0,0,2\n4,2,1,5\n", {.weights = "w", .exposure = "e"}).data.size(), 2);
  EXPECT_TRUE(says(encode_refusal("a,e,o,y\n1,1,1,1\n", {.offset = "o", .exposure = "e"}), {"give one"}));
}

TEST(Encode, NoFiniteNumberHoweverLargeOrSmallLetsInfinityThrough) {
  for (const char* text : {"a,y\n1e308,1\n-1e308,2\n1e308,4\n", "a,y\n1e-320,1\n3e-320,2\n2e-320,4\n",
                           "a,y\n1e-200,1\n0,2\n1e200,4\n", "a,w,y\n1,1e300,1\n2,1e-300,2\n7,1e300,4\n"}) {
    const bool has_weights = std::string_view(text)[2] == 'w';
    try {
      const Encoded e = encoded(text, {.weights = has_weights ? std::optional<std::string>("w") : std::nullopt});
      EXPECT_TRUE(e.data.X.dense().allFinite()) << text;
    } catch (const Error& error) {
      EXPECT_TRUE(says(error.what(), {"t.csv"})) << text;
    }
  }
}

TEST(Encode, SparseRowsAreScaledNotCentred) {
  const Table t = parse_table("1 1:2 2:1 7:1\n-1 1:4 2:1\n1 2:1 7:1\n-1 1:2 2:1 9:0\n", "t.svm");
  const Encoded e = encode(t, {});
  ASSERT_TRUE(e.data.X.is_sparse());
  EXPECT_EQ(e.data.task, Task::binary);
  EXPECT_EQ(e.data.X.sparse().value.size(), 5u);  // index 2 is constant, 9 always 0: left out
  EXPECT_EQ(e.encoding.sparse_columns, 9);
  ASSERT_EQ(e.encoding.features.size(), 2u);
  EXPECT_EQ(e.encoding.features[1].name, "x7");
  EXPECT_EQ(e.encoding.features[1].column, 6);
  EXPECT_NEAR(e.encoding.features[0].scale, std::sqrt(2.0), 1e-15);  // of 2, 4, 0, 2
  EXPECT_NEAR(e.data.X.sparse().value[0], 2.0 / std::sqrt(2.0), 1e-15);
  EXPECT_TRUE(any_says(e.data.notes, "7 of 9 features are constant"));
}

TEST(Encode, SparseAndDenseScalesAgree) {
  const Table dense = test::table_of("a,b,y\n1,0,1\n0,3,2\n2.5,0,4\n");
  const Table sparse = parse_table("1 1:1\n2 2:3\n4 1:2.5\n", "t.svm");
  const Encoded d = encode(dense, {.targets = {"y"}}), s = encode(sparse, {});
  for (std::size_t f = 0; f < 2; ++f) EXPECT_NEAR(d.encoding.features[f].scale, s.encoding.features[f].scale, 1e-15);
}

}  // namespace encode_test
}  // namespace lacuna

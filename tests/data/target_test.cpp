// Which task a target column means, and the labels or values it gives.
#include "tests/data/refusal.hpp"

namespace lacuna {
namespace target_test {

using test::any_says;
using test::encode_refusal;
using test::encoded;
using test::says;
using Request = DataOptions::TaskRequest;

TEST(Target, TextMeansClassesInNaturalOrder) {
  const Dataset d = encoded("x,y\n1,no\n2,yes\n3,no\n5,yes\n").data;
  EXPECT_EQ(d.task, Task::binary);
  EXPECT_EQ(d.classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(d.label, (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(d.target_names, (std::vector<std::string>{"y"}));
  const Dataset three = encoded("x,y\n1,b\n2,c\n3,a\n5,b\n6,c\n7,a\n").data;
  EXPECT_EQ(three.task, Task::multiclass);
  EXPECT_EQ(three.label, (std::vector<int>{1, 2, 0, 1, 2, 0}));
}

TEST(Target, TwoNumbersMeanClassesByValue) {
  const Dataset d = encoded("x,y\n1,10\n2,9\n3,10\n4,9\n").data;
  EXPECT_EQ(d.classes, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(d.label, (std::vector<int>{1, 0, 1, 0}));
  EXPECT_EQ(encoded("x,y\n1,-1\n2,1\n3,1\n4,-1\n").data.classes, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(encoded("x,y\n1,0\n2,1\n3,-0\n4,1\n").data.classes, (std::vector<std::string>{"0", "1"}));
}

TEST(Target, OtherNumbersMeanRegressionAndFewWholeOnesAreNoted) {
  const Dataset d = encoded("x,y\n1,0.5\n2,1\n3,2\n").data;
  EXPECT_EQ(d.task, Task::regression);
  EXPECT_TRUE(d.classes.empty());
  EXPECT_EQ(d.targets(2, 0), 2.0);
  EXPECT_TRUE(d.notes.empty());
  EXPECT_TRUE(any_says(encoded("x,y\n1,0\n2,1\n3,2\n").data.notes, "`task=classification`"));
}

TEST(Target, TheTaskCanBeAskedFor) {
  EXPECT_EQ(encoded("x,y\n1,0\n2,1\n3,2\n", {.task = Request::classification}).data.task, Task::multiclass);
  EXPECT_EQ(encoded("x,y\n1,0\n2,1\n3,1\n", {.task = Request::regression}).data.task, Task::regression);
  EXPECT_EQ(encoded("x,y\n1,0\n2,4\n3,1\n", {.task = Request::counts}).data.task, Task::counts);
}

TEST(Target, ThePositiveClassIsLastHoweverItsNumberIsWritten) {
  const Dataset d = encoded("x,y\n1,no\n2,yes\n3,no\n4,yes\n", {.positive = "no"}).data;
  EXPECT_EQ(d.classes, (std::vector<std::string>{"yes", "no"}));
  EXPECT_EQ(d.label, (std::vector<int>{1, 0, 1, 0}));
  EXPECT_EQ(encoded("x,y\n1,0\n2,1\n3,0\n4,1\n", {.positive = "0.0"}).data.classes,
            (std::vector<std::string>{"1", "0"}));
  EXPECT_TRUE(says(encode_refusal("x,y\n1,no\n2,yes\n", {.positive = "yess"}), {"yess", "did you mean 'yes'"}));
  EXPECT_TRUE(says(encode_refusal("x,y\n1,a\n2,b\n3,c\n", {.positive = "a"}), {"3 classes"}));
  EXPECT_TRUE(says(encode_refusal("x,y\n1,1\n2,2\n3,3\n", {.positive = "1"}), {"not taken as classes"}));
}

TEST(Target, SeveralTargetsAreRegression) {
  const Dataset d = encoded("x,a,b\n1,0,5\n2,1,6\n3,0,7\n", {.targets = {"b", "a"}}).data;
  EXPECT_EQ(d.task, Task::regression);
  EXPECT_EQ(d.targets.cols(), 2);
  EXPECT_EQ(d.targets(1, 0), 6.0);
  EXPECT_EQ(d.target_names, (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(says(encode_refusal("x,a,b\n1,0,5\n2,1,6\n", {.targets = {"b", "a"}, .task = Request::classification}),
                   {"regression only"}));
}

TEST(Target, ATargetMayBeGivenByItsPositionWhereNoNameMatches) {
  EXPECT_EQ(encoded("x,y\n1,0.5\n2,1\n3,2\n", {.targets = {"2"}}).data.target_names[0], "y");
  const Encoded e = encoded("1,0.5,7\n2,1,8\n3,2,9\n", {.targets = {"2"}});
  EXPECT_EQ(e.data.X.cols(), 2);
  EXPECT_EQ(e.encoding.features[1].name, "x3");
}

TEST(Target, RefusesOneClass) {
  EXPECT_TRUE(says(encode_refusal("x,y\n1,a\n2,a\n"), {"t.csv, column 2 (y)", "\"a\"", "two classes are needed"}));
  EXPECT_TRUE(says(encode_refusal("x,y\n1,3\n2,3\n", {.task = Request::classification}), {"\"3\""}));
}

TEST(Target, RefusesAConstantTarget) {
  EXPECT_TRUE(says(encode_refusal("x,y\n1,3\n2,3\n"), {"column 2 (y)", "3 in every row"}));
}

TEST(Target, NotesAClassWithOneRow) {
  const Dataset d = encoded("x,y\n1,a\n2,b\n3,b\n").data;
  EXPECT_EQ(d.size(), 3);
  EXPECT_TRUE(any_says(d.notes, "class \"a\" has a single row"));
}

TEST(Target, RefusesNegativeAndFractionalCountsNamingTheLine) {
  const DataOptions counts{.task = Request::counts};
  EXPECT_EQ(encode_refusal("x,y\n1,3\n2,-1\n", counts),
            "data: t.csv line 3, column 2 (y): -1 is not a count; counts are whole numbers, 0 or more");
  EXPECT_TRUE(says(encode_refusal("x,y\n1,3\n2,1.5\n", counts), {"line 3", "1.5"}));
  EXPECT_TRUE(says(encode_refusal("x,y\n1,0\n2,0\n", counts), {"every count is 0"}));
  EXPECT_TRUE(says(encode_refusal("x,y\n1,2\n2,2\n", counts), {"every count is 2"}));
  EXPECT_TRUE(says(encode_refusal("x,y\n1,2\n2,few\n", counts), {"line 3", "\"few\" is not a number"}));
}

TEST(Target, RefusesAWordAmongNumbersNamingTheLine) {
  EXPECT_TRUE(
      says(encode_refusal("x,y\n1,3.5\n2,4\n3,oops\n"), {"line 4, column 2 (y)", "\"oops\"", "`task=classification`"}));
  EXPECT_EQ(encoded("x,y\n1,3\n2,4\n3,b\n4,3\n", {.task = Request::classification}).data.classes.size(), 3u);
}

TEST(Target, RefusesATargetThatIsAnIdentifier) {
  std::string text = "x,y\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i) + ",id" + std::to_string(i) + "\n";
  EXPECT_TRUE(says(encode_refusal(text), {"40 different labels in 40 rows"}));
}

TEST(Target, LabelsSortByValueWhenAllAreNumbersElseByCodePoint) {
  std::vector<std::string> numbers{"10", "9", "-1", "2.5"}, words{"b", "\xc3\xa9", "10", "B", "9"};
  sort_labels(numbers);
  sort_labels(words);
  EXPECT_EQ(numbers, (std::vector<std::string>{"-1", "2.5", "9", "10"}));
  EXPECT_EQ(words, (std::vector<std::string>{"10", "9", "B", "b", "\xc3\xa9"}));
}

TEST(Target, NumbersAreWrittenShortest) {
  EXPECT_EQ(number_text(3.0), "3");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1.0 / 3.0), "0.3333333333333333");
}

}  // namespace target_test
}  // namespace lacuna

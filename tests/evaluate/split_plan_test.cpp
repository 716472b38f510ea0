#include "lacuna/evaluate/split_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lacuna/base/error.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace split_plan_test {

using Kind = SplitPlan::Kind;

// 83 rows: 50 of class 0, 30 of class 1, 2 of class 2, 1 of class 3.
std::vector<int> uneven_classes() {
  std::vector<int> out;
  for (int i = 0; i < 83; ++i) out.push_back(i < 50 ? 0 : i < 80 ? 1 : i < 82 ? 2 : 3);
  return out;
}

std::vector<int> groups_of(Index rows, int groups) {
  std::vector<int> out;
  for (Index i = 0; i < rows; ++i) out.push_back(int((i * i) % groups));
  return out;
}

void expect_partition(const TrainTest& split, Index rows) {
  std::vector<Index> all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(Index(all.size()), rows);
  for (Index i = 0; i < rows; ++i) EXPECT_EQ(all[std::size_t(i)], i);
}

void expect_whole_groups(const TrainTest& split, const std::vector<int>& group) {
  std::set<int> train, test;
  for (const Index i : split.train) train.insert(group[std::size_t(i)]);
  for (const Index i : split.test) test.insert(group[std::size_t(i)]);
  for (const int g : test) EXPECT_EQ(train.count(g), 0u) << "group " << g << " is on both sides";
}

TEST(SplitPlan, RandomSplitsHaveTheirSizesAndEveryClassItsShare) {
  const std::vector<int> label = uneven_classes();
  SplitPlan plan = parse_split_plan("40:0.2");
  for (const TrainTest& split : make_splits(plan, 40, 83, label, {})) {
    expect_partition(split, 83);
    std::vector<int> tested(4);
    for (const Index i : split.test) ++tested[std::size_t(label[std::size_t(i)])];
    EXPECT_NEAR(double(split.test.size()), 17.0, 1.0);  // one less when a class would have been taken whole
    EXPECT_NEAR(tested[0], 10.0, 1.0);
    EXPECT_NEAR(tested[1], 6.0, 1.0);
    EXPECT_LE(tested[2], 1);
    EXPECT_EQ(tested[3], 0) << "a class of one row stays in training";
  }
}

TEST(SplitPlan, WithoutClassesTheSizeIsExactAndEveryRowIsTestedAlike) {
  std::vector<int> tested(30);
  const SplitPlan plan = parse_split_plan("600:0.1");
  for (const TrainTest& split : make_splits(plan, 600, 30, {}, {})) {
    EXPECT_EQ(split.test.size(), 3u);
    for (const Index i : split.test) ++tested[std::size_t(i)];
  }
  for (const int n : tested) EXPECT_NEAR(n, 60, 5 * 7.4);  // binomial(600, 0.1): deviation 7.35
}

TEST(SplitPlan, ASplitDependsOnItsNumberAndTheSeedOnly) {
  SplitPlan plan;
  const auto few = make_splits(plan, 3, 50, {}, {}), many = make_splits(plan, 8, 50, {}, {});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(few[k].test, many[k].test);
  EXPECT_NE(many[0].test, many[1].test);
  plan.seed = 1;
  EXPECT_NE(make_splits(plan, 3, 50, {}, {})[0].test, few[0].test);
}

TEST(SplitPlan, FoldsTestEveryRowOnceInEachRepeat) {
  const std::vector<int> label = uneven_classes();
  const auto splits = make_splits(parse_split_plan("folds:5x3"), 0, 83, label, {});
  ASSERT_EQ(splits.size(), 15u);
  for (std::size_t r = 0; r < 3; ++r) {
    std::vector<int> tested(83);
    for (std::size_t f = 0; f < 5; ++f) {
      expect_partition(splits[5 * r + f], 83);
      for (const Index i : splits[5 * r + f].test) ++tested[std::size_t(i)];
    }
    EXPECT_TRUE(std::all_of(tested.begin(), tested.end(), [](int n) { return n == 1; }));
  }
  EXPECT_NE(splits[0].test, splits[5].test);
}

TEST(SplitPlan, NoPlanDividesAGroup) {
  const std::vector<int> group = groups_of(90, 11);
  for (const char* words : {"20:0.25", "folds:3x2", "groups"}) {
    const SplitPlan plan = parse_split_plan(words);
    const auto splits = make_splits(plan, 20, 90, {}, group);
    for (const TrainTest& split : splits) {
      expect_partition(split, 90);
      expect_whole_groups(split, group);
      EXPECT_FALSE(split.test.empty());
      EXPECT_FALSE(split.train.empty());
    }
    if (plan.kind == Kind::groups) {
      EXPECT_EQ(splits.size(), std::set<int>(group.begin(), group.end()).size());
    }
  }
}

// The same groups are tested together whether a row has weight k or is there k times.
TEST(SplitPlan, GroupsAreDealtByWeightAsTheyAreByCopies) {
  std::vector<int> group, of_copies;
  Vector weights(60);
  for (Index i = 0; i < 60; ++i) {
    group.push_back(int(i % 12));
    weights[i] = double((7 * i + i / 5) % 6 + (i % 12 < 3 ? 9 : 0));  // some are 0
    of_copies.insert(of_copies.end(), std::size_t(weights[i]), group[std::size_t(i)]);
  }
  const auto tested = [](const std::vector<TrainTest>& splits, const std::vector<int>& of) {
    std::vector<std::set<int>> out;
    for (const TrainTest& split : splits) {
      out.emplace_back();
      for (const Index i : split.test) out.back().insert(of[std::size_t(i)]);
    }
    return out;
  };
  for (const char* words : {"folds:4x3", "20:0.25", "20:0.1"}) {
    const SplitPlan plan = parse_split_plan(words);
    const auto copies = make_splits(plan, 20, Index(of_copies.size()), {}, of_copies);
    EXPECT_EQ(tested(make_splits(plan, 20, 60, {}, group, {}, weights), group), tested(copies, of_copies)) << words;
    EXPECT_NE(tested(make_splits(plan, 20, 60, {}, group), group), tested(copies, of_copies)) << words;
  }
}

TEST(SplitPlan, GroupsThatAreTooFewAreRefused) {
  EXPECT_THROW(make_splits(parse_split_plan("groups"), 0, 4, {}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(make_splits(parse_split_plan("groups"), 0, 4, {}, {}), Error);
  EXPECT_THROW(make_splits(parse_split_plan("folds:3"), 0, 4, {}, {0, 0, 1, 1}), Error);
}

TEST(SplitPlan, WordsAreUnderstoodOrRefused) {
  EXPECT_EQ(parse_split_plan("50").count, 50);
  EXPECT_EQ(parse_split_plan("50:0.3").test_share, 0.3);
  EXPECT_EQ(parse_split_plan("folds:7").folds, 7);
  EXPECT_EQ(parse_split_plan("files:a/b").stem, "a/b");
  for (const char* bad :
       {"", "0", "-3", "10:0", "10:1", "10:x", "folds:1", "folds:", "folds:5x0", "fold:5", "files:", "x"})
    EXPECT_THROW(parse_split_plan(bad), Error) << bad;
}

struct SplitFiles : ::testing::Test {
  const test::TemporaryFolder folder;
};

TEST_F(SplitFiles, AreReadAsTheyStand) {
  folder.write("a.train.csv", "1,0,2,3\n4,1,2\n");
  folder.write("a.test.csv", "1,1\r\n4,0,3\n");
  const auto splits = make_splits(parse_split_plan("files:" + folder.path("a")), 0, 4, {}, {});
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].train, (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(splits[1].test, (std::vector<Index>{0, 3}));
}

TEST_F(SplitFiles, ThatDoNotFitAreRefusedWithTheirLine) {
  folder.write("b.train.csv", "1,0,2\n2,0,9\n");
  folder.write("b.test.csv", "1,1\n2,1\n");
  try {
    make_splits(parse_split_plan("files:" + folder.path("b")), 0, 4, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
  }
  folder.write("c.train.csv", "1,0,2\n");
  folder.write("c.test.csv", "2,1\n");
  EXPECT_THROW(make_splits(parse_split_plan("files:" + folder.path("c")), 0, 4, {}, {}), Error);
  EXPECT_THROW(make_splits(parse_split_plan("files:" + folder.path("none")), 0, 4, {}, {}), Error);
}

std::string refusal(const std::string& stem, Index rows, std::optional<double> most_bytes = {}) {
  try {
    (void)read_given_splits(stem, rows, most_bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::data);
    return error.what();
  }
  return "accepted";
}

TEST_F(SplitFiles, AreBoundedByTheMemoryAllowed) {
  // 1,000 rows a split: 2 kB of text, 8 kB of numbers.
  std::string train, test;
  for (int k = 0; k < 100; ++k) {
    train += std::to_string(k);
    for (int i = 0; i < 1000; ++i) train += ",0";
    train += '\n';
    test += std::to_string(k) + ",1\n";
  }
  folder.write("m.train.csv", train);
  folder.write("m.test.csv", test);
  EXPECT_EQ(read_given_splits(folder.path("m"), 2, 1.2e6).size(), 100u);
  EXPECT_NE(refusal(folder.path("m"), 2, 0.6e6).find("m.train.csv: reading it needs more than the 0.6 MB"),
            std::string::npos);
  EXPECT_NE(refusal(folder.path("m"), 2, 0.1e6).find("0.1 MB"), std::string::npos) << "the text alone";
}

TEST_F(SplitFiles, AreManyAndTheirNumbersDiffer) {
  // Quadratic work over the numbers would take an hour.
  std::string train, test;
  for (int k = 0; k < 200000; ++k) {
    train += std::to_string(k) + ",0\n";
    test += std::to_string(k) + ",1\n";
  }
  folder.write("n.train.csv", train);
  folder.write("n.test.csv", test);
  EXPECT_EQ(read_given_splits(folder.path("n"), 2).size(), 200000u);
  folder.write("n.train.csv", train + "7,0\n");
  EXPECT_NE(refusal(folder.path("n"), 2).find("lines 8 and 200001 are both split 7"), std::string::npos);
}

TEST_F(SplitFiles, NumbersOfSplitsDoNotWrapAround) {
  folder.write("w.train.csv", "4294967297,0\n");
  folder.write("w.test.csv", "1,1\n");
  EXPECT_NE(refusal(folder.path("w"), 2).find("4294967297 cannot be the number"), std::string::npos);
}

}  // namespace split_plan_test
}  // namespace lacuna

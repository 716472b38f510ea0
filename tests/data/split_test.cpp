#include "lacuna/data/split.hpp"

#include <cmath>
#include <set>

#include "tests/data/refusal.hpp"

namespace lacuna {
namespace split_test {

using test::refusal;
using test::says;

std::vector<Index> all_of(const Folds& folds) {
  std::vector<Index> rows;
  for (const auto& fold : folds) {
    EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
    rows.insert(rows.end(), fold.begin(), fold.end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<Index> count_to(Index n) {
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) rows.push_back(i);
  return rows;
}

TEST(Split, FoldsCoverEveryRowOnceInSizesThatDifferByOneAtMost) {
  for (const Index n : {7, 20, 101})
    for (const int k : {2, 3, 5, 7}) {
      const Folds folds = k_folds(n, k, {}, 1);
      ASSERT_EQ(folds.size(), std::size_t(k));
      EXPECT_EQ(all_of(folds), count_to(n));
      for (const auto& fold : folds) EXPECT_LE(std::abs(double(fold.size()) - double(n) / k), 1.0);
    }
}

TEST(Split, StrataAreSpreadEvenlyOverFoldsOfEvenSize) {
  std::vector<int> stratum;
  for (int i = 0; i < 103; ++i) stratum.push_back(i % 10 == 0 ? 2 : i % 3 == 0);
  const Folds folds = k_folds(103, 5, stratum, 9);
  EXPECT_EQ(all_of(folds), count_to(103));
  for (int s = 0; s < 3; ++s) {
    std::size_t least = 103, most = 0;
    for (const auto& fold : folds) {
      const auto here =
          std::size_t(std::count_if(fold.begin(), fold.end(), [&](Index i) { return stratum[std::size_t(i)] == s; }));
      least = std::min(least, here);
      most = std::max(most, here);
    }
    EXPECT_LE(most - least, 1u);
  }
  for (const auto& fold : folds) EXPECT_TRUE(fold.size() == 20 || fold.size() == 21);
}

TEST(Split, TheSameSeedGivesTheSameFoldsAndAnotherSeedOthers) {
  EXPECT_EQ(k_folds(50, 5, {}, 4), k_folds(50, 5, {}, 4));
  EXPECT_NE(k_folds(50, 5, {}, 4), k_folds(50, 5, {}, 5));
}

TEST(Split, RefusesImpossibleFolds) {
  EXPECT_TRUE(says(refusal([] { k_folds(5, 1, {}, 0); }), {"1 folds of 5 rows"}));
  EXPECT_TRUE(says(refusal([] { k_folds(5, 6, {}, 0); }), {"6 folds of 5 rows"}));
  EXPECT_TRUE(says(refusal([] { k_folds(5, 2, {0, 1}, 0); }), {"2 strata for 5 rows"}));
}

TEST(Split, OneFoldForEachGroup) {
  EXPECT_EQ(group_folds({1, 0, 1, 2}), (Folds{{1}, {0, 2}, {3}}));
  EXPECT_TRUE(says(refusal([] { group_folds({3, 3}); }), {"at least two"}));
}

TEST(Split, RandomSplitsArePartitionsOfTheGivenSizes) {
  const TrainTest s = random_split(30, 12, 8);
  EXPECT_EQ(s.train.size(), 12u);
  EXPECT_EQ(all_of({s.train, s.test}), count_to(30));
  EXPECT_EQ(s.train, random_split(30, 12, 8).train);
  EXPECT_NE(s.train, random_split(30, 12, 9).train);
  EXPECT_TRUE(says(refusal([] { random_split(5, 5, 0); }), {"5 of 5 rows"}));
}

TEST(Split, EveryRowIsChosenAboutEquallyOften) {
  std::vector<int> chosen(10);
  for (std::uint64_t seed = 0; seed < 2000; ++seed)
    for (const Index i : random_split(10, 4, seed).train) ++chosen[std::size_t(i)];
  for (const int c : chosen) EXPECT_NEAR(c, 800, 5 * std::sqrt(2000 * 0.4 * 0.6));  // five deviations
}

}  // namespace split_test
}  // namespace lacuna

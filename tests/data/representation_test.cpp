// Columns seen another way: codes are indicators at the values that were seen, scores follow ranks; both keep the
// centre and spread that standardised columns have, and weights count as copies.
#include "lacuna/data/representation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/problems.hpp"

namespace lacuna {
namespace representation_test {

// A code of four values, a lognormal column, a normal one, and an indicator.
RowMatrix mixed(Index n, std::uint64_t seed) {
  Random random(seed);
  RowMatrix X(n, 4);
  for (Index i = 0; i < n; ++i)
    X.row(i) << double(i % 4), std::exp(1.5 * random.normal()), random.normal(), double(random.uniform() < 0.1);
  return X;
}

double deviation(const Vector& x) { return std::sqrt((x.array() - x.mean()).square().mean()); }

TEST(Representation, CodesAreOneFeatureForEachValueAndOthersStay) {
  const RowMatrix X = mixed(200, 1);
  const Representation seen = learn_representation(X, {}, {.codes = true});
  ASSERT_EQ(seen.features.size(), 4u + 3u);
  const RowMatrix Z = represent(seen, X).dense();
  for (Index k = 0; k < 4; ++k) {
    EXPECT_NEAR(Z.col(k).mean(), 0.0, 1e-12);
    EXPECT_NEAR(deviation(Z.col(k)), deviation(X.col(0)), 1e-12);
    for (Index i = 0; i < 200; ++i) EXPECT_EQ(Z(i, k) > 0.0, i % 4 == k);
  }
  EXPECT_EQ(Z.rightCols(3), X.rightCols(3));
  const auto names = represented_names(seen, {"a", "b", "c", "d"});
  EXPECT_EQ(names, (std::vector<std::string>{"a#1", "a#2", "a#3", "a#4", "b", "c", "d"}));
}

TEST(Representation, AValueThatWasNeverSeenLiesBetweenItsNeighbours) {
  const Representation seen = learn_representation(mixed(200, 1), {}, {.codes = true});
  const RowMatrix at{
      {0.0, 1.0, 0.0, 0.0}, {1.0, 1.0, 0.0, 0.0}, {0.25, 1.0, 0.0, 0.0}, {9.0, 1.0, 0.0, 0.0}, {3.0, 1.0, 0.0, 0.0}};
  const RowMatrix Z = represent(seen, at).dense();
  EXPECT_LT((Z.row(2) - (0.75 * Z.row(0) + 0.25 * Z.row(1))).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(Z.row(3), Z.row(4));
}

TEST(Representation, ScoresAreNormalAndInTheOrderOfTheColumn) {
  const RowMatrix X = mixed(2000, 2);
  const Representation seen = learn_representation(X, {}, {.scores = true});
  ASSERT_EQ(seen.features.size(), 4u);
  EXPECT_TRUE(seen.features[0].at.empty());
  EXPECT_FALSE(seen.features[1].at.empty());
  EXPECT_TRUE(seen.features[2].at.empty());
  const RowMatrix Z = represent(seen, X).dense();
  const Vector z = (Z.col(1).array() - Z.col(1).mean()) / deviation(Z.col(1));
  EXPECT_NEAR(z.array().pow(4).mean(), 3.0, 0.2);  // the kurtosis of a normal distribution; that of the column is huge
  EXPECT_NEAR(Z.col(1).mean(), X.col(1).mean(), 0.02 * deviation(X.col(1)));
  for (Index i = 1; i < 2000; ++i) EXPECT_TRUE(X(i, 1) <= X(i - 1, 1) || Z(i, 1) >= Z(i - 1, 1));
}

TEST(Representation, AWeightOfTwoIsTwoCopies) {
  const RowMatrix X = mixed(60, 3);
  RowMatrix copied(90, 4);
  copied.topRows(60) = X;
  copied.bottomRows(30) = X.topRows(30);
  Vector weights = Vector::Ones(60);
  weights.head(30).setConstant(2.0);
  const Views both{.codes = true, .scores = true};
  const RowMatrix one = represent(learn_representation(X, weights, both), X).dense();
  const RowMatrix other = represent(learn_representation(copied, {}, both), X).dense();
  ASSERT_EQ(one.cols(), other.cols());
  EXPECT_LT((one - other).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Representation, OfRowsWithoutSuchColumnsIsEmpty) {
  const Views both{.codes = true, .scores = true};
  EXPECT_TRUE(learn_representation(testing::random_rows(50, 3, 4), {}, both).empty());
  EXPECT_TRUE(learn_representation(testing::random_sparse(50, 3, 4), {}, both).empty());
  EXPECT_TRUE(learn_representation(mixed(50, 1), {}, {}).empty());
}

}  // namespace representation_test
}  // namespace lacuna

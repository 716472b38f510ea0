#include "lacuna/data/standardise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lacuna/base/random.hpp"

namespace lacuna {
namespace standardise_test {

TEST(Standardise, MomentsEqualTheirDefinition) {
  Random random(2);
  std::vector<double> x(50), w(50);
  double sum = 0, mean = 0, variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 5.0 + random.normal();
    w[i] = random.uniform();
    sum += w[i];
    mean += w[i] * x[i];
  }
  mean /= sum;
  for (std::size_t i = 0; i < x.size(); ++i) variance += w[i] * (x[i] - mean) * (x[i] - mean) / sum;
  const Moments m = weighted_moments(x, w);
  EXPECT_NEAR(m.centre, mean, 1e-13);
  EXPECT_NEAR(m.scale, std::sqrt(variance), 1e-13);
  EXPECT_FALSE(m.constant);
}

// To the last bit, in any order: they go on to problems that would tell the difference.
TEST(Standardise, MomentsOfCopiesAreThoseOfWeights) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    std::vector<double> x, w, copies;
    for (int i = 0; i < 40; ++i) {
      x.push_back(std::exp(5.0 * random.normal()) * random.normal());
      w.push_back(1.0 + double(random.below(4)));
      copies.insert(copies.end(), std::size_t(w.back()), x.back());
    }
    std::ranges::reverse(copies);
    const Moments one = weighted_moments(x, w), other = weighted_moments(copies, {});
    EXPECT_EQ(one.centre, other.centre);
    EXPECT_EQ(one.scale, other.scale);
  }
}

TEST(Standardise, SparseMomentsEqualThoseWithTheZerosWrittenOut) {
  const std::vector<double> all{0, 3, 0, 0, -1, 2, 0}, listed{3, -1, 2};
  MomentSums sums;
  for (const double x : listed) sums.measure(x);
  for (const double x : listed) sums.add(x, 1.0);
  sums.settle(7.0);
  for (const double x : listed) sums.spread(x, 1.0);
  const Moments dense = weighted_moments(all, {}), sparse = sums.moments();
  EXPECT_NEAR(dense.centre, sparse.centre, 1e-15);
  EXPECT_NEAR(dense.scale, sparse.scale, 1e-15);
}

TEST(Standardise, IndicatorMomentsEqualThoseOfZerosAndOnes) {
  const std::vector<double> x{1, 0, 0, 1, 0}, w{1, 2, 3, 4, 5};
  const Moments direct = weighted_moments(x, w), by_share = indicator_moments(5.0 / 15.0);
  EXPECT_NEAR(direct.centre, by_share.centre, 1e-15);
  EXPECT_NEAR(direct.scale, by_share.scale, 1e-15);
  EXPECT_TRUE(indicator_moments(1.0).constant);
  EXPECT_TRUE(indicator_moments(0.0).constant);
}

TEST(Standardise, NothingAndTheSameThroughoutAreConstant) {
  EXPECT_TRUE(weighted_moments({}, {}).constant);
  const std::vector<double> same{0.1, 0.1, 0.1};
  EXPECT_TRUE(weighted_moments(same, {}).constant);
  EXPECT_EQ(weighted_moments(same, {}).centre, 0.1);
  const std::vector<double> rounding{0.3, 0.1 * 3.0, 0.3, 0.3};  // differ in the last bit
  EXPECT_TRUE(weighted_moments(rounding, {}).constant);
}

TEST(Standardise, ExtremesOfTheRangeNeitherOverflowNorVanish) {
  for (const double unit : {1e308, 1e-300, 1.0}) {
    const std::vector<double> x{unit, -unit, unit, -unit};
    const Moments m = weighted_moments(x, {});
    EXPECT_NEAR(m.scale / unit, 1.0, 1e-12);
    EXPECT_NEAR(m.centre / unit, 0.0, 1e-12);
    const std::vector<double> huge(4, 1e308);
    EXPECT_NEAR(weighted_moments(x, huge).scale / unit, 1.0, 1e-12);
  }
}

}  // namespace standardise_test
}  // namespace lacuna

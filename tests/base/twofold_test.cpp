#include "lacuna/base/twofold.hpp"

#include <gtest/gtest.h>

#include <random>

namespace lacuna {
namespace twofold_test {

using Two = Twofold<double>;

// A long double has 64 digits of two's 106: what it can tell is an error above 1e-19.
long double exact(const Two& a) { return static_cast<long double>(a.high) + static_cast<long double>(a.low); }
long double relative(const Two& a, long double truth) { return std::abs(exact(a) - truth) / std::abs(truth); }
constexpr long double tolerance = 4e-19L;

TEST(Twofold, SumsAndProductsKeepWhatDoublesRoundAway) {
  const Two s = two_sum(1.0, 1e-25), p = two_product(1.0 + 0x1p-30, 1.0 + 0x1p-40);
  EXPECT_EQ(s.high, 1.0);
  EXPECT_EQ(s.low, 1e-25);
  EXPECT_EQ(p.high, 1.0 + 0x1p-30 + 0x1p-40);
  EXPECT_EQ(p.low, 0x1p-70);
  const Two squared = two_square(1.0 + 0x1p-30);
  EXPECT_EQ(squared.low, 0x1p-60);
}

TEST(Twofold, FunctionsAgreeWithLongDoubles) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int k = 0; k < 2000; ++k) {
    const double size = std::pow(10.0, 9.0 * uniform(random) - 6.5);
    const Two a = two_sum(size * uniform(random), 0x1p-60 * size * uniform(random));
    const long double x = exact(a);
    if (x < 700.0L) {
      EXPECT_LT(relative(exp(-a), std::exp(-x)), tolerance * (1.0L + x)) << double(x);
    }
    EXPECT_LT(relative(sqrt(a), std::sqrt(x)), tolerance);
    EXPECT_LT(relative(log1p(a), std::log1p(x)), tolerance) << double(x);
    EXPECT_LT(relative(a / 3.0, x / 3.0L), tolerance);
    EXPECT_LT(relative(a * 0.3, x * 0.3), tolerance);
    EXPECT_LT(relative(pow(1.0 + a, 5.0), std::pow(1.0L + x, 5.0L)), 10.0L * tolerance);
  }
}

TEST(Twofold, ExponentialsMultiplyToMoreDigitsThanLongDoublesHave) {
  for (const double x : {1e-9, 0.1, 1.0, 7.7, 40.0, 300.0}) {
    const Two one = exp(Two{x, 0.0}) * exp(Two{-x, 0.0}) + -1.0;
    EXPECT_LT(std::abs(one.high), 1e-25) << x;
  }
}

TEST(Twofold, ExtremesAreNoughtOrOne) {
  EXPECT_EQ(exp(Two{-1e24, -1e7}).high, 0.0);
  EXPECT_EQ(exp(Two{0.0, 0.0}).high, 1.0);
  EXPECT_EQ(sqrt(Two{0.0, 0.0}).high, 0.0);
  EXPECT_EQ(log1p(Two{0.0, 0.0}).high, 0.0);
}

}  // namespace twofold_test
}  // namespace lacuna

#include "lacuna/base/slices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lacuna {
namespace slices_test {

double least_power(double a) {
  int exponent = 0;
  return std::frexp(a, &exponent) == 0.5 ? a : std::ldexp(1.0, exponent);
}

TEST(Slices, UnitsAreTheLeastPowersOfTwoThatAreNotBelow) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-280.0, 280.0);
  for (int k = 0; k < 5000; ++k) {
    const double a = std::exp2(exponent(random));
    EXPECT_EQ(power_of_two(a), least_power(a)) << a;
  }
  for (const double a : {0x1p-60, 0x1.0000000000001p-60, 0x1.fffffffffffffp-60, 1.0, 3.0, 4.0})
    EXPECT_EQ(power_of_two(a), least_power(a)) << a;
  EXPECT_EQ(power_of_two(0.0), 0.0);
}

TEST(Slices, AddUpToTheNumberAndAreMultiplesOfTheirUnits) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 0; k < 2000; ++k) {
    const double unit = std::exp2(double(k % 80) - 40.0), a = unit * uniform(random) * std::exp2(-double(k % 30));
    const auto part = slices(a, unit);
    EXPECT_LE(std::abs((((part[0] - a) + part[1]) + part[2]) + part[3]), 0x1p-72 * unit);
    for (int s = 0; s < int(slice_count); ++s) {
      const double whole = part[std::size_t(s)] / (unit * std::exp2(-double(slice_digits * (s + 1))));
      EXPECT_EQ(whole, std::nearbyint(whole));
      EXPECT_LE(std::abs(whole), std::exp2(double(slice_digits)));
    }
  }
}

// Sums of products of terms of very different sizes that cancel, in two orders.
TEST(Slices, ProductsAreTheSameInWhateverOrderTermsAreAdded) {
  constexpr std::size_t n = 3000;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> a(n), b(n);
  double most_a = 0.0, most_b = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    a[j] = normal(random) * std::exp2(-double(j % 40));
    b[j] = j % 2 == 1 ? -b[j - 1] * a[j - 1] / a[j] * (1.0 + 1e-9 * normal(random)) : normal(random);
    most_a = std::max(most_a, std::abs(a[j]));
    most_b = std::max(most_b, std::abs(b[j]));
  }
  const auto product = [&](bool backwards) {
    return sum_of_slices<double>([&](std::size_t s, std::size_t t) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t j = backwards ? n - 1 - k : k;
        sum += slices(a[j], power_of_two(most_a))[s] * slices(b[j], power_of_two(most_b))[t];
      }
      return sum;
    });
  };
  long double truth = 0.0L;
  double plain = 0.0, plain_backwards = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    truth += static_cast<long double>(a[j]) * static_cast<long double>(b[j]);
    plain += a[j] * b[j];
    plain_backwards += a[n - 1 - j] * b[n - 1 - j];
  }
  const auto ours = product(false), backwards = product(true);
  EXPECT_EQ(ours.high, backwards.high);
  EXPECT_EQ(ours.low, backwards.low);
  EXPECT_NE(plain, plain_backwards);  // else this would be no test
  // Of the long doubles; and what is cut off each factor, 2^-72 of its unit, meets the other's largest.
  const long double ours_sum = static_cast<long double>(ours.high) + static_cast<long double>(ours.low);
  EXPECT_LT(double(std::abs(truth - ours_sum)), 1e-19 * double(n) + 4.0 * 0x1p-72 * double(n) * most_a * most_b);
}

}  // namespace slices_test
}  // namespace lacuna

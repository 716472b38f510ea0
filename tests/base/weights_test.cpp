// Weights count rows in a unit that nobody states: no answer changes with the unit, rows of no weight do not count, and
// copies that are held out together are one row.
#include "lacuna/base/weights.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "lacuna/base/random.hpp"

namespace lacuna {
namespace weights_test {

TEST(Weights, EqualOnesCountTheirRowsInAnyUnit) {
  for (const double unit : {1e-200, 1e-6, 1.0, 0.1, 1e6, 1e200}) {
    const Vector w = Vector::Constant(7, unit);
    EXPECT_NEAR(weight_of_one_row(w) / unit, 1.0, 1e-14);
    EXPECT_NEAR(rows_counted(w), 7.0, 1e-13);
  }
}

TEST(Weights, RowsOfNextToNoWeightDoNotCount) {
  Vector w = Vector::Ones(40);
  w.tail(30).setConstant(1e-9);
  EXPECT_NEAR(rows_counted(w), 10.0, 1e-6);
  w.tail(30).setZero();
  EXPECT_NEAR(rows_counted(w), 10.0, 1e-13);
}

TEST(Weights, CopiesHeldOutTogetherAreOneRow) {
  const Vector weighted{{2.0, 1.0, 3.0}}, copies = Vector::Ones(6);
  const Vector sum = gathered(copies, {0, 0, 2, 3, 3, 3});
  EXPECT_EQ(sum, (Vector{{2.0, 0.0, 1.0, 3.0, 0.0, 0.0}}));
  EXPECT_NEAR(weight_of_one_row(sum), weight_of_one_row(weighted), 1e-15);
  EXPECT_EQ(gathered(weighted, {}), weighted);
}

TEST(Weights, AnyUnitLeavesTheSameNumbers) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    Vector w(60);
    for (double& x : w) x = trial % 2 ? double(random.below(4)) : random.uniform() + 0.01;
    w[0] = 1.0;
    Vector plain = w;
    const double one = take_unit_out(plain);
    for (const double scale : {1e-6, 1e-3, 0.3, 7.0, 1e6, 1.0 / 3.0, 2.718281828}) {
      Vector scaled = scale * w;
      const double unit = take_unit_out(scaled);
      EXPECT_EQ(scaled, plain) << scale;
      EXPECT_NEAR(unit, one * scale, 1e-12 * unit);
      EXPECT_LT((unit * scaled - scale * w).cwiseAbs().maxCoeff(), 1e-9 * scale * w.maxCoeff());
    }
  }
}

// Decimals are near multiples of their last place, and Euclid's algorithm must not lose that on the way through many.
TEST(Weights, DecimalsOfAnyNumberOfPlacesAreTheSameInEveryUnit) {
  Random random(5);
  for (int trial = 0; trial < 3000; ++trial) {
    const int rows = 2 + int(random.below(60)), places = int(random.below(5));
    const auto largest = std::array{50u, 9999u, 10'000u, 200'000u}[std::size_t(random.below(4))];
    Vector w(rows);
    for (double& x : w) x = double(random.below(largest + 1)) / std::pow(10.0, places);
    Vector plain = w;
    take_unit_out(plain);
    for (const double scale : {1e-6, 1e-3, 0.3, 7.0, 1e3, 1e6}) {
      Vector scaled = scale * w;
      take_unit_out(scaled);
      ASSERT_EQ(scaled, plain) << "places " << places << ", times " << scale;
    }
  }
}

TEST(Weights, WholeNumbersStayAndHaveTheirCommonFactorForAUnit) {
  Vector w{{0.0, 2.0, 3.0, 1200.0}};
  EXPECT_EQ(take_unit_out(w), 1.0);
  EXPECT_EQ(w, (Vector{{0.0, 2.0, 3.0, 1200.0}}));
  Vector even{{4.0, 6.0, 10.0}};
  EXPECT_EQ(take_unit_out(even), 2.0);
  EXPECT_EQ(even, (Vector{{2.0, 3.0, 5.0}}));
  Vector tenths{{0.1, 0.2, 0.3}};
  EXPECT_EQ(take_unit_out(tenths), 0.1);
  EXPECT_EQ(tenths, (Vector{{1.0, 2.0, 3.0}}));
  Vector nothing = Vector::Zero(3), none;
  EXPECT_EQ(take_unit_out(nothing), 1.0);
  EXPECT_EQ(take_unit_out(none), 1.0);
  Vector apart{{1e-200, 1.0, 1e10}};  // no common measure, and the quotients must stay numbers
  EXPECT_EQ(take_unit_out(apart), 1e10);
  EXPECT_TRUE(apart.allFinite());
}

// As if every row stood there as often as its weight says.
TEST(Weights, ValueAtAWeightIsThatOfCopiesInOrder) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> copies;
    std::vector<std::pair<double, double>> rows;
    const bool alike = trial % 3 == 0;
    for (int i = 0; i < 9; ++i) {
      const double value = random.normal();
      const int weight = alike ? 2 : int(random.below(4));
      rows.emplace_back(value, weight);
      copies.insert(copies.end(), std::size_t(weight), value);
    }
    if (copies.empty()) continue;
    std::sort(copies.begin(), copies.end());
    for (const double unit : {1.0, 1e-6, 0.1, 1e6})
      for (std::size_t rank = 1; rank <= copies.size(); ++rank) {
        auto scaled = rows;
        for (auto& [value, weight] : scaled) weight *= unit;
        EXPECT_EQ(value_at_weight(scaled, unit * double(rank)), copies[rank - 1]);
        EXPECT_EQ(value_at_weight(scaled, unit * (double(rank) - 0.5)), copies[rank - 1]);
      }
  }
}

// Weight k counts as k copies, none as no row, and next to none changes next to nothing.
TEST(Weights, MeansBetweenSharesAreThoseOfCopies) {
  std::vector<std::pair<double, double>> weighted, copies, with_little, plain;
  for (int i = 0; i < 12; ++i) {
    const double value = std::fmod(7.3 * i, 5.0), weight = double((5 * i) % 4);
    weighted.emplace_back(value, weight);
    for (int k = 0; k < int(weight); ++k) copies.emplace_back(value, 1.0);
    plain.emplace_back(value, 1.0);
  }
  with_little = plain;
  for (int i = 0; i < 20; ++i) with_little.emplace_back(1e3 * i, 1e-10);
  for (const auto& [from, to] : {std::pair{0.45, 0.55}, {0.0, 1.0}, {0.2, 0.3}}) {
    EXPECT_NEAR(mean_between(weighted, from, to), mean_between(copies, from, to), 1e-13);
    if (to == 1.0) continue;
    EXPECT_NEAR(mean_between(with_little, from, to), mean_between(plain, from, to), 1e-7);
  }
  std::vector<std::pair<double, double>> four{{4.0, 1.0}, {1.0, 1.0}, {2.0, 1.0}, {3.0, 1.0}};
  EXPECT_DOUBLE_EQ(mean_between(four, 0.0, 1.0), 2.5);
  EXPECT_DOUBLE_EQ(mean_between(four, 0.375, 0.625), 2.5);
}

}  // namespace weights_test
}  // namespace lacuna

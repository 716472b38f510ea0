// When a candidate is left: at the bounds that are stated, and in a simulation rarely one that would have been chosen.
#include "lacuna/choose/detail/leaving.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "lacuna/base/random.hpp"

namespace lacuna {
namespace leaving_test {

using detail::hopeless;
using detail::out_of_reach;

Vector normal(Random& random, Index n) {
  return Vector::NullaryExpr(n, [&] { return random.normal(); });
}

std::vector<Index> first(Index n) {
  std::vector<Index> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), Index(0));
  return out;
}

TEST(Leaving, IsHopelessByOneStandardErrorForAChoiceAndByThreeForAStack) {
  const auto excess = [](double mean) { return Paired{.mean = mean, .standard_error = 0.1, .count = 50.0}; };
  EXPECT_FALSE(hopeless(excess(0.099), Effort::normal));
  EXPECT_TRUE(hopeless(excess(0.101), Effort::normal));
  EXPECT_FALSE(hopeless(excess(0.299), Effort::best));
  EXPECT_TRUE(hopeless(excess(0.301), Effort::best));
  EXPECT_FALSE(hopeless(excess(0.199), Effort::normal, 2.0));
  EXPECT_TRUE(hopeless(excess(0.201), Effort::normal, 2.0));
}

TEST(Leaving, JudgesNothingByFewRowsOrGroups) {
  EXPECT_FALSE(hopeless({.mean = 9.0, .standard_error = 0.1, .count = 29.0}, Effort::normal));
  EXPECT_FALSE(out_of_reach({.mean = -9.0, .standard_error = 0.1, .count = 29.0}, 0.6));
  EXPECT_TRUE(out_of_reach({.mean = -9.0, .standard_error = 0.1, .count = 30.0}, 0.6));
  std::vector<int> group(60);
  const std::vector<Index> rows = first(60);
  for (int i = 0; i < 60; ++i) group[std::size_t(i)] = i / 3;
  Random random(2);
  const Vector excess = Vector::Constant(60, 5.0) + 0.1 * normal(random, 60);
  EXPECT_TRUE(hopeless(paired(excess, Vector::Ones(60), {}, rows), Effort::best));
  EXPECT_FALSE(hopeless(paired(excess, Vector::Ones(60), group, rows), Effort::best));
}

TEST(Leaving, AtTheEndTheGainIsComparedWithItsStandardError) {
  EXPECT_TRUE(out_of_reach({.mean = 0.099, .standard_error = 0.1, .count = 100.0}, 1.0));
  EXPECT_FALSE(out_of_reach({.mean = 0.101, .standard_error = 0.1, .count = 100.0}, 1.0));
}

// Gains of a row are normal about a mean that is anything from -4 to 4 standard errors of all 200. Of those left
// after one to four of five folds, few would have been chosen at the end. That the others go on costs folds: counted
// too.
TEST(Leaving, RarelyLeavesWhatWouldHaveBeenChosen) {
  constexpr Index n = 200;
  constexpr int folds = 5, draws = 4000;
  Random random(5);
  const std::vector<Index> rows = first(n);
  int left = 0, wrongly = 0, chosen = 0, bad = 0, folds_of_bad = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const double mean = random.uniform(-4.0, 4.0) / std::sqrt(double(n));
    const Vector gain = Vector::Constant(n, mean) + normal(random, n);
    const Paired all = paired(gain, Vector::Ones(n), {}, rows);
    const bool wins = all.mean > all.standard_error;
    int f = 1;
    for (; f < folds; ++f) {
      const std::span<const Index> known(rows.data(), std::size_t(n * f / folds));
      if (out_of_reach(paired(gain, Vector::Ones(n), {}, known), double(f) / folds)) break;
    }
    left += f < folds;
    wrongly += f < folds && wins;
    chosen += wins;
    if (mean < -1.0 / std::sqrt(double(n))) ++bad, folds_of_bad += f;
  }
  EXPECT_LE(wrongly, 0.067 * left);    // as often as a normal variate is beyond 1.5, what luck is granted
  EXPECT_LE(wrongly, 0.125 * chosen);  // of which they are those that gained least
  EXPECT_LE(folds_of_bad, 2.5 * bad);
}

}  // namespace leaving_test
}  // namespace lacuna

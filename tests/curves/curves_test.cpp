#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/curves/contours.hpp"
#include "lacuna/curves/cuts.hpp"
#include "lacuna/curves/ranking.hpp"
#include "lacuna/curves/reliability.hpp"
#include "lacuna/curves/resolved.hpp"
#include "lacuna/curves/wilson.hpp"

namespace lacuna {
namespace curves_test {

struct Stated {
  Vector p;
  std::vector<bool> hit;
};

// Labels drawn with the probabilities that are stated, to the power `bend` (1: the statements are right).
Stated stated(Index n, double bend, std::uint64_t seed) {
  Random random(seed);
  Stated out{Vector(n), {}};
  for (Index i = 0; i < n; ++i) {
    out.p[i] = random.uniform();
    out.hit.push_back(random.uniform() < std::pow(out.p[i], bend));
  }
  return out;
}

double at(const Reliability& r, double p) {
  for (std::size_t k = 0; k + 1 < r.p.size(); ++k)
    if (p >= r.p[k] && p <= r.p[k + 1])
      return r.p[k + 1] == r.p[k] ? r.share[k]
                                  : r.share[k] + (r.share[k + 1] - r.share[k]) * (p - r.p[k]) / (r.p[k + 1] - r.p[k]);
  return p < r.p.front() ? r.share.front() : r.share.back();
}

TEST(Curves, AWilsonIntervalHasTheEndsThatItsOwnEquationGives) {
  // The ends p solve (p - hits/n)^2 = z^2 p (1 - p)/n.
  for (const auto& [hits, n] : {std::pair{3.0, 10.0}, {0.0, 7.0}, {7.0, 7.0}, {499.0, 1000.0}}) {
    const auto [lower, upper] = wilson(hits, n);
    for (const double p : {lower, upper})
      EXPECT_NEAR(std::pow(p - hits / n, 2.0), 1.959963984540054 * 1.959963984540054 * p * (1.0 - p) / n, 1e-12);
  }
  EXPECT_EQ(wilson(0.0, 0.0).upper, 1.0);
}

TEST(Curves, IsotonicRegressionIsTheBestRisingCurve) {
  // By the formula max over i' <= i, min over i'' >= i of means of i' ... i''.
  const Stated s = stated(60, 2.0, 3);
  std::vector<Index> order(60);
  for (Index i = 0; i < 60; ++i) order[std::size_t(i)] = i;
  std::ranges::sort(order, {}, [&](Index i) { return s.p[i]; });
  const Reliability r = reliability(s.p, s.hit);
  for (std::size_t i = 0; i < 60; ++i) {
    double best = -1.0;
    for (std::size_t a = 0; a <= i; ++a) {
      double least = 2.0;
      for (std::size_t b = i; b < 60; ++b) {
        double sum = 0.0;
        for (std::size_t k = a; k <= b; ++k) sum += s.hit[std::size_t(order[k])] ? 1.0 : 0.0;
        least = std::min(least, sum / double(b - a + 1));
      }
      best = std::max(best, least);
    }
    EXPECT_NEAR(at(r, s.p[order[i]]), best, 1e-9);
  }
}

TEST(Curves, TheBandHoldsRightStatementsAndNotWrongOnes) {
  const auto outside = [](const Stated& s) {
    const Reliability r = reliability(s.p, s.hit);
    int count = 0;
    for (std::size_t g = 0; g < r.at.size(); ++g) {
      const double y = at(r, r.at[g]);
      count += y < r.lower[g] - 1e-12 || y > r.upper[g] + 1e-12;
    }
    return double(count) / double(r.at.size());
  };
  double right = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) right += outside(stated(300, 1.0, seed)) / 20.0;
  EXPECT_LT(right, 0.12);  // 0.05 of the points on average; neighbours go together
  EXPECT_GT(outside(stated(300, 3.0, 1)), 0.4);
}

TEST(Curves, OneRowAndEqualStatementsHaveACurve) {
  const Reliability one = reliability(Vector::Constant(1, 0.3), {true});
  EXPECT_EQ(one.share, std::vector<double>{1.0});
  const Reliability equal = reliability(Vector::Constant(4, 0.5), {true, false, true, true});
  EXPECT_EQ(equal.p.size(), 1U);
  EXPECT_NEAR(equal.share[0], 0.75, 1e-12);
}

TEST(Curves, TheAreaIsTheShareOfPairsRankedRightlyWithTiesAsHalves) {
  Random random(5);
  Vector z(80);
  std::vector<bool> positive;
  for (Index i = 0; i < 80; ++i) {
    positive.push_back(random.uniform() < 0.4);
    z[i] = std::round(4.0 * (random.normal() + (positive.back() ? 0.7 : 0.0)));  // with ties
  }
  double right = 0.0, pairs = 0.0;
  for (Index i = 0; i < 80; ++i)
    for (Index j = 0; j < 80; ++j) {
      if (!positive[std::size_t(i)] || positive[std::size_t(j)]) continue;
      pairs += 1.0;
      right += z[i] > z[j] ? 1.0 : z[i] == z[j] ? 0.5 : 0.0;
    }
  const Ranking r = ranking(z, positive);
  EXPECT_NEAR(r.area, right / pairs, 1e-12);
  EXPECT_GT(r.standard_error, 0.02);
  EXPECT_LT(r.standard_error, 0.12);
  EXPECT_EQ(r.roc.x.front(), 0.0);
  EXPECT_EQ(r.roc.y.back(), 1.0);
  EXPECT_NEAR(r.precision.y.back(), r.share, 1e-12);
  for (std::size_t g = 0; g < r.roc.at.size(); ++g) EXPECT_LE(r.roc.lower[g], r.roc.upper[g]);
  const RankCurve few = thinned(r.roc, 5);
  EXPECT_EQ(few.x.size(), 5U);
  EXPECT_EQ(few.x.back(), 1.0);
}

TEST(Curves, EveryCutCountsRowsFromItUp) {
  const Stated s = stated(50, 1.0, 9);
  const Cuts c = count_cuts(s.p, s.hit);
  ASSERT_EQ(c.at.size(), 201U);
  for (std::size_t k = 0; k < c.at.size(); ++k) {
    double tp = 0, fp = 0, fn = 0, tn = 0;
    for (std::size_t i = 0; i < s.hit.size(); ++i)
      (s.hit[i] ? (s.p[Index(i)] >= c.at[k] ? tp : fn) : (s.p[Index(i)] >= c.at[k] ? fp : tn)) += 1.0;
    EXPECT_EQ(c.tp[k], tp);
    EXPECT_EQ(c.fp[k], fp);
    EXPECT_EQ(c.fn[k], fn);
    EXPECT_EQ(c.tn[k], tn);
  }
}

TEST(Curves, TheContourOfAConeIsACircle) {
  const Vector x = Vector::LinSpaced(41, -2.0, 2.0), y = Vector::LinSpaced(61, -3.0, 3.0);
  Matrix z(41, 61);
  for (Index i = 0; i < 41; ++i)
    for (Index j = 0; j < 61; ++j) z(i, j) = std::hypot(x[i], y[j]);
  const std::vector<ContourLine> lines = contours(x, y, z, 1.25);
  ASSERT_EQ(lines.size(), 1U);  // closed
  EXPECT_EQ(lines[0].x.front(), lines[0].x.back());
  for (std::size_t k = 0; k < lines[0].x.size(); ++k)
    EXPECT_NEAR(std::hypot(lines[0].x[k], lines[0].y[k]), 1.25, 2e-3);  // chords of a tenth
  EXPECT_TRUE(contours(x, y, z, 9.0).empty());
  EXPECT_GT(contours(x, y, z, 2.5).size(), 1U);  // cut off by the sides
}

TEST(Curves, ASaddleHasTwoLinesAndAHoleHasNone) {
  const Vector x = Vector::LinSpaced(2, 0.0, 1.0);
  Matrix z(2, 2);
  z << 1.0, 0.0, 0.0, 1.0;
  EXPECT_EQ(contours(x, x, z, 0.5).size(), 2U);
  z(0, 0) = std::nan("");
  EXPECT_TRUE(contours(x, x, z, 0.5).empty());
}

TEST(Curves, AFinerGridKeepsThePointsAndFollowsStraightLinesExactly) {
  const Vector x = Vector::LinSpaced(5, 0.0, 4.0), y = Vector::LinSpaced(4, 1.0, 4.0);
  Matrix z(5, 4);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 4; ++j) z(i, j) = 2.0 * x[i] - 3.0 * y[j] + 1.0;
  const FineGrid fine = refined(x, y, z, 3);
  ASSERT_EQ(fine.z.rows(), 13);
  ASSERT_EQ(fine.z.cols(), 10);
  for (Index i = 0; i < 13; ++i)
    for (Index j = 0; j < 10; ++j) EXPECT_NEAR(fine.z(i, j), 2.0 * fine.x[i] - 3.0 * fine.y[j] + 1.0, 1e-12);
}

// A valley along a line that passes between the points of the grid: low down only beads around some of them are left.
TEST(Curves, BeadsOfANarrowValleyAreToldFromWhatTheGridResolves) {
  const Vector at = Vector::LinSpaced(9, -1.0, 1.0);
  const auto valley = [&](double across, double along) {
    Matrix z(9, 9);
    for (Index i = 0; i < 9; ++i)
      for (Index j = 0; j < 9; ++j) {
        const double off = at[j] - 0.55 * at[i] - 0.06;
        z(i, j) = across * off * off + along * at[i] * at[i];
      }
    return refined(at, at, z, 5);
  };
  const FineGrid narrow = valley(100.0, 0.01), wide = valley(1.0, 0.5);
  const std::vector<std::pair<double, double>> least{{0.0, 0.06}};
  EXPECT_FALSE(is_resolved(narrow, 5, 0.2, least));
  EXPECT_TRUE(is_resolved(narrow, 5, 60.0, least));
  for (const double height : {0.01, 0.1, 0.5, 1.0}) EXPECT_TRUE(is_resolved(wide, 5, height, least)) << height;
  // One part is believed where something is known to be there.
  EXPECT_TRUE(is_resolved(wide, 5, 0.006, least));
  EXPECT_FALSE(is_resolved(wide, 5, 0.006, {}));
}

TEST(Curves, ABandOfPrecisionBeginsWhereTenPositiveRowsAreFound) {
  Vector output(200);
  std::vector<bool> positive;
  for (Index i = 0; i < 200; ++i) {
    output[i] = double(i);
    positive.push_back(i % 3 == 0 || i > 190);
  }
  const auto found = double(std::count(positive.begin(), positive.end(), true));
  const Ranking r = ranking(output, positive);
  ASSERT_FALSE(r.precision.at.empty());
  EXPECT_GE(r.precision.at.front(), 10.0 / found);
  EXPECT_LT(r.precision.at.front(), 10.0 / found + 0.02);
  EXPECT_EQ(r.roc.at.front(), 0.0);
  EXPECT_EQ(r.precision.at.size(), r.precision.lower.size());
}

}  // namespace curves_test
}  // namespace lacuna

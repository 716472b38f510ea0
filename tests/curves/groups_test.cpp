// Rows of one group are no more than one: curves of copies in groups are as unsure as those of the rows they are copies
// of.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/curves/independent.hpp"
#include "lacuna/curves/ranking.hpp"
#include "lacuna/curves/reliability.hpp"

namespace lacuna {
namespace groups_test {

struct Some {
  Vector p;
  std::vector<bool> hit{};
  Vector weight;
  std::vector<int> group{};
};

// Each of n rows so often, one row after the other.
Some copies(Index n, Index times) {
  Random random(3);
  Some out{.p = Vector(n * times), .weight = Vector::Ones(n * times)};
  for (Index i = 0; i < n; ++i) {
    const double p = random.uniform(0.1, 0.9);
    const bool hit = random.uniform() < p;
    for (Index k = 0; k < times; ++k) {
      out.p[i * times + k] = p;
      out.hit.push_back(hit);
      out.group.push_back(int(i));
    }
  }
  return out;
}

TEST(CurvesGroups, BandsOfRankingResampleGroups) {
  const Some one = copies(120, 1), many = copies(120, 5);
  const Ranking a = ranking(one.p, one.hit), b = ranking(many.p, many.hit, many.weight, many.group),
                c = ranking(many.p, many.hit);
  EXPECT_NEAR(b.area, a.area, 1e-12);
  EXPECT_NEAR(b.standard_error, a.standard_error, 1e-12);
  ASSERT_EQ(b.roc.lower.size(), a.roc.lower.size());
  for (std::size_t k = 0; k < a.roc.lower.size(); ++k) {
    EXPECT_NEAR(b.roc.lower[k], a.roc.lower[k], 1e-12);
    EXPECT_NEAR(b.roc.upper[k], a.roc.upper[k], 1e-12);
  }
  EXPECT_NEAR(c.standard_error, a.standard_error / std::sqrt(5.0), 0.1 * a.standard_error);  // copies taken for rows
}

TEST(CurvesGroups, SharesAreKnownByGroups) {
  const Some one = copies(120, 1), many = copies(120, 5);
  Vector hit(many.p.size());
  for (Index i = 0; i < hit.size(); ++i) hit[i] = many.hit[std::size_t(i)] ? 1.0 : 0.0;
  EXPECT_NEAR(independent_rows(hit, many.weight, many.group), 119.0, 1e-9);  // one is spent on the mean
  EXPECT_NEAR(independent_rows(hit, many.weight, {}), 600.0, 1e-9);
  EXPECT_NEAR(independent_rows(Vector::Ones(600), many.weight, many.group), 120.0, 1e-9);
  const Reliability a = reliability(one.p, one.hit), b = reliability(many.p, many.hit, many.weight, many.group);
  ASSERT_EQ(a.bins.size(), b.bins.size());
  for (std::size_t k = 0; k < a.bins.size(); ++k)
    EXPECT_NEAR(b.bins[k].upper - b.bins[k].lower, a.bins[k].upper - a.bins[k].lower, 0.05);
  double of_rows = 0.0, of_groups = 0.0;  // widths of the bands, whose draws differ in kind
  for (std::size_t k = 0; k < std::min(a.at.size(), b.at.size()); ++k) {
    of_rows += a.upper[k] - a.lower[k];
    of_groups += b.upper[k] - b.lower[k];
  }
  EXPECT_NEAR(of_groups, of_rows, 0.25 * of_rows);
}

TEST(CurvesGroups, AnAreaWithoutSkillIsAsSureAsItsRowsAreMany) {
  // Of no skill the deviation of the rank statistic is known.
  EXPECT_NEAR(area_error(0.5, 13, 187), std::sqrt((13.0 + 187.0 + 1.0) / (12.0 * 13.0 * 187.0)), 1e-12);
  EXPECT_GT(area_error(1.0, 13, 187), 0.0);
  EXPECT_NEAR(area_error(0.2, 13, 187), area_error(0.8, 187, 13), 1e-12);
  EXPECT_TRUE(std::isnan(area_error(0.5, 0, 10)));
}

}  // namespace groups_test
}  // namespace lacuna

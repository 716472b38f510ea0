// A threshold is the best there is for the rows it is chosen on, smoothed so that it is good for others too.
#include "lacuna/model/threshold.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace threshold_test {

struct HeldOut {
  Vector z, weights;
  std::vector<int> label;
};

// Two Gaussians, the second with this share of the rows; outputs rounded to a grid have ties.
HeldOut draw_held_out(Random& random, Index rows, double share, bool weighted, double grid = 0.0) {
  HeldOut out{Vector(rows), Vector::Ones(rows), {}};
  for (Index i = 0; i < rows; ++i) {
    out.label.push_back(i < 2 ? int(i) : random.uniform() < share);
    out.z[i] = random.normal() * (out.label.back() ? 1.5 : 1.0) + (out.label.back() ? 1.0 : -1.0);
    if (grid > 0.0) out.z[i] = grid * std::round(out.z[i] / grid);
    if (weighted) out.weights[i] = random.uniform() < 0.1 ? 0.0 : random.uniform();
  }
  return out;
}

// What the rows of each class lose at a cut: row by row, each by the share of its kernel on the wrong side (width 0: of
// itself).
double cost_of(const ThresholdRule& rule, double cut, const HeldOut& rows, const std::array<double, 2>& width) {
  double wrong[2] = {0.0, 0.0}, all[2] = {0.0, 0.0};
  for (Index i = 0; i < rows.z.size(); ++i) {
    const int k = rows.label[std::size_t(i)];
    all[k] += rows.weights[i];
    double below = rows.z[i] < cut ? 1.0 : 0.0;
    if (const double h = width[std::size_t(k)]; h > 0.0 && std::abs(cut - rows.z[i]) < h) {
      const double u = (cut - rows.z[i]) / h;
      below = 0.5 + 0.75 * u - 0.25 * u * u * u;
    }
    wrong[k] += rows.weights[i] * (k == 1 ? below : 1.0 - below);
  }
  if (rule.kind == ThresholdRule::Kind::ber) return wrong[0] / all[0] + wrong[1] / all[1];
  return rule.false_positive * wrong[0] + rule.false_negative * wrong[1];
}

// The rule of thumb, by way of every row's weight.
double width_of(const HeldOut& rows, int which) {
  std::vector<std::pair<double, double>> of_class;
  double sum = 0.0, squares = 0.0, mean = 0.0, variance = 0.0;
  for (Index i = 0; i < rows.z.size(); ++i)
    if (rows.label[std::size_t(i)] == which && rows.weights[i] > 0.0) {
      of_class.emplace_back(rows.z[i], rows.weights[i]);
      sum += rows.weights[i];
      squares += rows.weights[i] * rows.weights[i];
      mean += rows.weights[i] * rows.z[i];
    }
  mean /= sum;
  for (const auto& [z, w] : of_class) variance += w * (z - mean) * (z - mean) / sum;
  std::sort(of_class.begin(), of_class.end());
  const auto quantile = [&](double share) {
    double passed = 0.0;
    for (const auto& [z, w] : of_class)
      if ((passed += w) > share * sum) return z;
    return of_class.back().first;
  };
  const double quartiles = (quantile(0.75) - quantile(0.25)) / 1.34;
  const double spread = quartiles > 0.0 ? std::min(quartiles, std::sqrt(variance)) : std::sqrt(variance);
  // Of n rows counted by weight, m are different: each row by the share of one row among those that equal it.
  const double n = sum * sum / squares;
  double m = 0.0;
  for (const auto& [z, w] : of_class) {
    double equal = 0.0;
    for (const auto& [other, weight] : of_class) equal += other == z ? weight : 0.0;
    m += n * (w / sum) * (w / equal);
  }
  return 1.98 * spread * std::pow(n, -0.2) * (m - 1.0) / (n - 1.0);
}

// Of the difference between the costs at two cuts.
double error_of(const ThresholdRule& rule, double one, double other, const HeldOut& rows) {
  double all[2] = {0.0, 0.0}, sum = 0.0;
  for (Index i = 0; i < rows.z.size(); ++i) all[rows.label[std::size_t(i)]] += rows.weights[i];
  for (Index i = 0; i < rows.z.size(); ++i) {
    const int k = rows.label[std::size_t(i)];
    const double price = rule.kind == ThresholdRule::Kind::ber ? 1.0 / all[k]
                         : k == 0                              ? rule.false_positive
                                                               : rule.false_negative;
    if ((rows.z[i] < one) != (rows.z[i] < other)) sum += std::pow(rows.weights[i] * price, 2);
  }
  return std::sqrt(sum);
}

const ThresholdRule every_rule[] = {{ThresholdRule::Kind::error},
                                    {ThresholdRule::Kind::ber},
                                    {ThresholdRule::Kind::cost, 1.0, 10.0},
                                    {ThresholdRule::Kind::cost, 7.0, 0.5}};

TEST(Threshold, HasTheLeastSmoothedCostOfTheCutsThatAreAboutAsGoodAsTheBest) {
  Random random(9);
  int moved = 0, smoothed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const HeldOut rows =
        draw_held_out(random, trial % 10 == 9 ? 1500 : 40, 0.3, trial % 2 == 0, trial % 3 ? 0.0 : 0.25);
    const std::array<double, 2> width = {width_of(rows, 0), width_of(rows, 1)};
    std::vector<double> z;
    for (Index i = 0; i < rows.z.size(); ++i)
      if (rows.weights[i] > 0.0) z.push_back(rows.z[i]);
    std::sort(z.begin(), z.end());
    std::vector<double> cuts = {z.front() - 1.0};
    for (std::size_t k = 1; k < z.size(); ++k)
      if (z[k] > z[k - 1]) cuts.push_back(0.5 * (z[k] + z[k - 1]));
    for (const ThresholdRule& rule : every_rule) {
      const auto raw = [&](double cut) { return cost_of(rule, cut, rows, {}); };
      const double natural = -0.1, chosen = choose_threshold(rule, rows.z, rows.label, rows.weights, natural);
      EXPECT_LE(raw(chosen), raw(natural) + 1e-12);
      if (chosen == natural) continue;
      ++moved;
      double fewest = cuts.front();
      for (const double cut : cuts)
        if (raw(cut) < raw(fewest) - 1e-9 ||
            (raw(cut) < raw(fewest) + 1e-9 && std::abs(cut - natural) < std::abs(fewest - natural)))
          fewest = cut;
      smoothed += raw(chosen) > raw(fewest) + 1e-9;
      EXPECT_LE(raw(chosen) - raw(fewest), error_of(rule, chosen, fewest, rows) + 1e-9);
      for (const double cut : cuts)
        if (raw(cut) - raw(fewest) < error_of(rule, cut, fewest, rows)) {
          EXPECT_LE(cost_of(rule, chosen, rows, width), cost_of(rule, cut, rows, width) * (1.0 + 1e-9)) << trial;
        }
    }
  }
  EXPECT_GT(moved, 100);
  EXPECT_GT(smoothed, 30) << "of " << moved << " are not at the fewest mistakes";
}

TEST(Threshold, LosesLessOnFreshRowsThanTheCutWithTheFewestHeldOutMistakes) {
  Random random(10);
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  for (const ThresholdRule& rule : {every_rule[0], every_rule[1]}) {
    const double share = 0.3, of_negative = rule.kind == ThresholdRule::Kind::ber ? 0.5 : 1.0 - share;
    const auto fresh = [&](double cut) {  // exactly, from the two Gaussians
      return of_negative * below(-1.0 - cut) + (1.0 - of_negative) * below((cut - 1.0) / 1.5);
    };
    double least = 1.0, smooth = 0.0, raw = 0.0;
    for (double cut = -3.0; cut < 3.0; cut += 0.01) least = std::min(least, fresh(cut));
    constexpr int draws = 200;
    for (int draw = 0; draw < draws; ++draw) {
      const HeldOut rows = draw_held_out(random, 150, share, false);
      std::vector<double> z(rows.z.begin(), rows.z.end());
      const double fewest = *std::min_element(z.begin(), z.end(), [&](double a, double b) {
        return cost_of(rule, a, rows, {}) < cost_of(rule, b, rows, {});
      });
      raw += (fresh(fewest) - least) / draws;
      smooth += (fresh(choose_threshold(rule, rows.z, rows.label, rows.weights, -10.0)) - least) / draws;
    }
    EXPECT_LT(smooth, 0.6 * raw) << threshold_text(rule) << ": " << smooth << " and " << raw;
  }
}

TEST(Threshold, OfAClassOfOneRowOrOfEqualOutputsIsBetweenTheClasses) {
  EXPECT_EQ(choose_threshold(every_rule[1], Vector{{-2.0, -1.0, -0.5, 3.0}}, {0, 0, 0, 1}, Vector::Ones(4), -5.0),
            1.25);
  EXPECT_EQ(choose_threshold({}, Vector{{-1.0, -1.0, 2.0, 2.0}}, {0, 0, 1, 1}, Vector::Ones(4), -5.0), 0.5);
}

TEST(Threshold, IsNotMovedByRounding) {
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    HeldOut rows = draw_held_out(random, 80, 0.3, false, 0.7);
    for (const ThresholdRule& rule : every_rule) {
      const double cut = choose_threshold(rule, rows.z, rows.label, rows.weights, -0.1);
      Vector rounded = rows.z;
      for (double& z : rounded) z *= 1.0 + 1e-15 * random.normal();
      EXPECT_NEAR(choose_threshold(rule, rounded, rows.label, rows.weights, -0.1), cut, 1e-12) << trial;
    }
  }
}

TEST(Threshold, StaysWhereItIsWhenNothingIsGained) {
  const Vector z{{-2.0, -1.0, 1.5, 2.0}};
  EXPECT_EQ(choose_threshold({}, z, {0, 0, 1, 1}, Vector::Ones(4), 0.0), 0.0);
  EXPECT_EQ(choose_threshold({}, z, {0, 0, 1, 1}, Vector::Ones(4), 0.4), 0.4);
}

// Without weights the width shrinks by (different outputs - 1)/(rows - 1).
TEST(Threshold, WidthCountsDifferentOutputsOfRowsThatAreAlike) {
  Random random(14);
  const HeldOut rows = draw_held_out(random, 60, 0.4, false, 0.5);
  std::set<double> different;
  double spread_only = 0.0, n = 0.0;
  HeldOut apart = rows;  // the same outputs moved apart by next to nothing
  for (Index i = 0; i < 60; ++i) apart.z[i] += 1e-7 * double(i);
  for (Index i = 0; i < 60; ++i)
    if (rows.label[std::size_t(i)] == 0) different.insert(rows.z[i]), n += 1.0;
  spread_only = width_of(apart, 0);
  EXPECT_NEAR(width_of(rows, 0), spread_only * double(different.size() - 1) / (n - 1.0), 1e-5);
}

TEST(Threshold, DoesNotKnowTheUnitOfWeightsNorRowsOfWeightZero) {
  Random random(15);
  for (int trial = 0; trial < 20; ++trial) {
    const HeldOut rows = draw_held_out(random, 80, 0.3, true, trial % 2 ? 0.25 : 0.0);
    // Integer weights make ties among the sums.
    Vector whole = (4.0 * rows.weights.array()).ceil();
    HeldOut more = rows;
    more.z.conservativeResize(100);
    for (Index i = 80; i < 100; ++i) more.z[i] = random.normal(), more.label.push_back(int(random.below(2)));
    for (const ThresholdRule& rule : every_rule) {
      const double cut = choose_threshold(rule, rows.z, rows.label, whole, -0.1);
      for (const double unit : {1e-6, 0.1, 1e6})
        EXPECT_EQ(choose_threshold(rule, rows.z, rows.label, unit * whole, -0.1), cut) << trial;
      Vector light(100);
      light << whole, Vector::Zero(20);
      EXPECT_EQ(choose_threshold(rule, more.z, more.label, light, -0.1), cut) << trial;
    }
  }
}

TEST(Threshold, WordsAreReadAndWrittenBack) {
  for (const char* word : {"error", "ber", "cost:1,5", "cost:0.5,2"})
    EXPECT_EQ(threshold_text(parse_threshold(word)), word);
  for (const char* word : {"", "cost", "cost:", "cost:1", "cost:1,", "cost:1,-2", "cost:1,2,3", "auc"})
    EXPECT_THROW(parse_threshold(word), Error) << word;
}

}  // namespace threshold_test
}  // namespace lacuna

#include "lacuna/evaluate/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lacuna {
namespace statistics_test {

TEST(Statistics, MeanAndStandardErrorOfWhatIsFinite) {
  const SampleMean m = mean_of({1.0, 2.0, std::nan(""), 3.0, 4.0});
  EXPECT_EQ(m.count, 4);
  EXPECT_EQ(m.mean, 2.5);
  EXPECT_NEAR(m.se, std::sqrt(5.0 / 3.0 / 4.0), 1e-15);
  EXPECT_TRUE(std::isnan(mean_of({}).mean));
  EXPECT_TRUE(std::isnan(mean_of({1.0}).se));
  EXPECT_EQ(median_of({3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median_of({4.0, 1.0, 2.0, 3.0}), 2.5);
}

TEST(Statistics, PairedDifferenceTakesSplitsTogether) {
  const std::vector<double> a{1.0, 2.0, 3.0, 5.0, 7.0}, b{0.5, 1.75, 2.0, 5.0, 6.0};
  const PairedDifference d = paired_difference(a, b, 0.25);
  const SampleMean m = mean_of({0.5, 0.25, 1.0, 0.0, 1.0});
  EXPECT_EQ(d.difference.mean, m.mean);
  EXPECT_NEAR(d.z, m.mean / m.se, 1e-14);
  const double s2 = m.se * m.se * 5.0;
  EXPECT_NEAR(d.t, m.mean / std::sqrt((1.0 / 5.0 + 0.25) * s2), 1e-14);
  EXPECT_NEAR(d.p, student_two_sided(d.t, 4.0), 1e-15);
  EXPECT_NEAR(d.se, std::sqrt(s2 * (1.0 / 5.0 + 0.25)), 1e-14);
  EXPECT_NEAR(corrected_error(m, 0.25), d.se, 1e-15);
  EXPECT_NEAR(d.t, d.difference.mean / d.se, 1e-13);
  EXPECT_EQ(paired_difference(a, a, 0.1).z, 0.0);
  EXPECT_EQ(paired_difference(a, a, 0.1).p, 1.0);
  // The same difference in every split: how sure it is nobody can say.
  const PairedDifference same = paired_difference({0.12, 0.52, 0.32}, {0.1, 0.5, 0.3}, 0.1);
  EXPECT_NEAR(same.difference.mean, 0.02, 1e-15);
  EXPECT_TRUE(std::isnan(same.z) && std::isnan(same.t) && std::isnan(same.p));
}

// Closed forms for 1 and 2 degrees of freedom; the normal distribution for very many; tables in between.
TEST(Statistics, StudentsDistribution) {
  for (const double t : {0.1, 0.5, 1.0, 3.0, 20.0}) {
    EXPECT_NEAR(student_two_sided(t, 1.0), 1.0 - 2.0 / M_PI * std::atan(t), 1e-13);
    EXPECT_NEAR(student_two_sided(t, 2.0), 1.0 - t / std::sqrt(2.0 + t * t), 1e-13);
    EXPECT_NEAR(student_two_sided(t, 1e8), std::erfc(t / std::sqrt(2.0)), 1e-7);
    EXPECT_EQ(student_two_sided(t, 9.0), student_two_sided(-t, 9.0));
  }
  EXPECT_NEAR(student_two_sided(2.2621571628, 9.0), 0.05, 1e-9);
  EXPECT_NEAR(student_two_sided(1.6603911560, 99.0), 0.1, 1e-9);
  EXPECT_EQ(student_two_sided(0.0, 9.0), 1.0);
}

}  // namespace statistics_test
}  // namespace lacuna

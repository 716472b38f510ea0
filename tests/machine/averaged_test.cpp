// Averaged probabilities against brute-force quadrature in extended precision.
#include "lacuna/machine/averaged.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace averaged_test {

// Simpson's rule over mu +- 12 deviations and, for wide Gaussians, finely about the corner of the logistic function.
long double brute_force(const Loss& likelihood, long double mu, long double variance) {
  const long double s = std::sqrt(variance), pi = std::acos(-1.0L);
  const auto f = [&](long double z) {
    const long double x = (z - mu) / s;
    const long double p = std::holds_alternative<losses::Logistic>(likelihood)
                              ? 1.0L / (1.0L + std::exp(-z))
                              : 0.5L * std::erfc(-std::get<losses::Probit>(likelihood).s * z / std::sqrt(2.0L));
    return p * std::exp(-0.5L * x * x) / (s * std::sqrt(2.0L * pi));
  };
  const auto simpson = [&](long double a, long double b) {
    if (!(b > a)) return 0.0L;
    constexpr int n = 6000;
    const long double h = (b - a) / n;
    long double sum = f(a) + f(b);
    for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4.0L : 2.0L) * f(a + k * h);
    return sum * h / 3.0L;
  };
  const long double low = mu - 12.0L * s, high = mu + 12.0L * s;
  const long double left = std::clamp(-60.0L, low, high), right = std::clamp(60.0L, low, high);
  return simpson(low, left) + simpson(left, right) + simpson(right, high);
}

TEST(Averaged, ProbabilitiesEqualQuadratureForEveryMeanAndVariance) {
  for (const Loss& likelihood :
       {Loss(losses::Logistic{}), Loss(losses::Probit{}), Loss(losses::Probit{.s = std::sqrt(2.0)})})
    for (const double variance : {1e-4, 0.04, 1.0, 9.0, 60.0, 63.99, 64.01, 70.0, 400.0, 1e4, 1e6})
      for (const double mu : {-40.0, -8.0, -1.3, 0.0, 0.2, 3.0, 11.0, 100.0}) {
        SCOPED_TRACE(std::string(name_of(likelihood)) + ", mean " + std::to_string(mu) + ", variance " +
                     std::to_string(variance));
        EXPECT_NEAR(averaged_mean(likelihood, mu, variance), double(brute_force(likelihood, mu, variance)), 1e-12);
      }
}

// Down to probabilities of e^-600, where their complement has long been 1.
TEST(Averaged, ModeratedOutputsHaveTheAveragedProbability) {
  for (const Loss& likelihood : {Loss(losses::Logistic{}), Loss(losses::Probit{.s = std::sqrt(2.0)})})
    for (const double variance : {0.0, 1e-4, 1.0, 60.0, 70.0, 1e4})
      for (const double mu : {-600.0, -30.0, -1.3, 0.0, 0.2, 3.0, 30.0}) {
        SCOPED_TRACE(std::string(name_of(likelihood)) + ", mean " + std::to_string(mu) + ", variance " +
                     std::to_string(variance));
        const double z = moderated_output(likelihood, mu, variance);
        EXPECT_TRUE(std::isfinite(z));
        EXPECT_LE(std::abs(z), std::abs(mu) * (1.0 + 1e-12));
        EXPECT_GE(z * mu, 0.0);
        EXPECT_EQ(z, -moderated_output(likelihood, -mu, variance));
        const double p = averaged_mean(likelihood, mu, variance), q = averaged_mean(likelihood, z, 0.0);
        EXPECT_NEAR(q, p, 1e-10 * p + 1e-280);
      }
}

// Of two classes about which next to nothing is known, the one with the larger mean has the larger output.
TEST(Averaged, ModeratedOutputsOfTinyMeansAreProportionalToThem) {
  for (const Loss& likelihood : {Loss(losses::Logistic{}), Loss(losses::Probit{})})
    for (const double variance : {0.0, 0.5, 3.9, 4.1, 63.0, 65.0, 1e6, 1e12}) {
      const double step = 1e-4 * std::sqrt(1.0 + variance), slope = moderated_output(likelihood, step, variance) / step;
      for (const double mu : {1e-5, 1e-7, 1e-12, 1e-20, 1e-200}) {
        // Between 1e-6 and here one half and p differ in their last ten digits.
        EXPECT_NEAR(moderated_output(likelihood, mu, variance) / (slope * mu), 1.0, 1e-6) << mu << ' ' << variance;
        EXPECT_EQ(moderated_output(likelihood, -mu, variance), -moderated_output(likelihood, mu, variance));
      }
    }
}

TEST(Averaged, SmallProbabilitiesKeepTheirDigits) {
  for (const double variance : {1e-4, 1.0, 25.0, 60.0}) {
    const auto exact = double(brute_force(losses::Logistic{}, -30.0, variance));
    EXPECT_NEAR(averaged_mean(losses::Logistic{}, -30.0, variance), exact, 1e-9 * exact) << variance;
  }
}

TEST(Averaged, ComplementIsTheMirrorImage) {
  for (const double variance : {0.0, 1e-12, 0.5, 64.0, 1e12, 1e300})
    for (const double mu : {0.0, 0.7, 30.0, 1e8}) {
      const double p = averaged_mean(losses::Logistic{}, mu, variance),
                   q = averaged_mean(losses::Logistic{}, -mu, variance);
      EXPECT_NEAR(p + q, 1.0, 1e-14) << mu << ' ' << variance;
      EXPECT_GE(q, 0.0);
    }
}

TEST(Averaged, WithoutVarianceIsTheInverseLink) {
  EXPECT_DOUBLE_EQ(averaged_mean(losses::Logistic{}, 0.3, 0.0), losses::Logistic{}.mean(0.3));
  EXPECT_DOUBLE_EQ(averaged_mean(losses::Probit{}, 0.3, 0.0), losses::Probit{}.mean(0.3));
}

TEST(Averaged, RejectsOtherLikelihoods) { EXPECT_THROW(averaged_mean(losses::Poisson{}, 0.0, 1.0), Error); }

// In both regimes of the quadrature and in the tails. Near 0 the moderated output is a difference of logarithms that
// are good to 1e-12, and differences with h = 1e-3 keep nine digits of it.
TEST(Averaged, SlopesOfModeratedOutputsEqualCentralDifferences) {
  for (const Loss& likelihood : {Loss(losses::Logistic{}), Loss(losses::Probit{.s = 2.0})})
    for (const double variance : {0.01, 1.0, 9.0, 63.0, 65.0, 400.0, 1e4})
      for (const double mu : {-40.0, -8.0, -1.3, 0.2, 3.0, 11.0, 100.0}) {
        SCOPED_TRACE(std::string(name_of(likelihood)) + ", mean " + std::to_string(mu) + ", variance " +
                     std::to_string(variance));
        const ModeratedSlope at = moderated_slope(likelihood, mu, variance);
        const auto slope = [](const auto& f, double h) {
          return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
        };
        EXPECT_NEAR(at.d_mu, slope([&](double h) { return moderated_output(likelihood, mu + h, variance); }, 1e-2),
                    1e-8);
        const double by_v =
            slope([&](double h) { return moderated_output(likelihood, mu, variance * std::exp(h)); }, 1e-3) / variance;
        EXPECT_NEAR(at.d_variance, by_v, 1e-7 * (1.0 + std::abs(by_v)));
      }
}

TEST(Averaged, WithoutVarianceTheSlopeIsOne) {
  for (const double mu : {-3.0, 0.0, 2.0}) EXPECT_NEAR(moderated_slope(losses::Logistic{}, mu, 0.0).d_mu, 1.0, 1e-12);
}

}  // namespace averaged_test
}  // namespace lacuna

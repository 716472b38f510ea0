// Every loss: derivatives match differences, values match extended precision, and nothing overflows for |z| up to 700.
#include "lacuna/loss/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lacuna {
namespace loss_test {

struct Case {
  Loss loss;
  std::vector<double> targets;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{{losses::Squared{}, {-1.0, 0.3, 5.0}},
                                     {losses::Logistic{}, {0.0, 0.25, 1.0}},
                                     {losses::Probit{}, {0.0, 1.0}},
                                     {losses::Probit{.s = std::sqrt(2.0)}, {0.0, 1.0}},
                                     {losses::Poisson{}, {0.0, 1.0, 7.0}},
                                     {losses::SquaredHinge{}, {-1.0, 1.0}},
                                     {losses::Gamma{}, {0.1, 3.0}},
                                     {losses::PseudoHuber{.delta = 0.7}, {-1.0, 2.0}},
                                     {losses::NegativeBinomial{.overdispersion = 0.7}, {0.0, 1.0, 7.0}},
                                     {losses::NegativeBinomial{.overdispersion = 1e-3}, {0.0, 7.0}},
                                     {losses::NegativeBinomial{.overdispersion = 1e4}, {0.0, 7.0}}};
  return all;
}

TEST(Loss, DerivativesMatchCentralDifferences) {
  for (const auto& [loss, targets] : cases())
    for (const double t : targets)
      for (double z = -12.03; z < 12.0; z += 0.37) {
        if (std::holds_alternative<losses::SquaredHinge>(loss) && std::abs(1.0 - t * z) < 1e-3) continue;  // its kink
        const double h = 1e-4;
        const losses::LossAt a = at(loss, z, t), up = at(loss, z + h, t), down = at(loss, z - h, t);
        const double scale = std::max({1e-3, std::abs(a.c1), std::abs(a.c2), std::abs(a.c3)});
        EXPECT_NEAR(a.c1, (up.c - down.c) / (2 * h), 1e-6 * std::max(scale, 1e-4 * std::abs(a.c)))
            << name_of(loss) << " " << z;
        EXPECT_NEAR(a.c2, (up.c1 - down.c1) / (2 * h), 1e-6 * scale) << name_of(loss) << " " << z;
        EXPECT_NEAR(a.c3, (up.c2 - down.c2) / (2 * h), 1e-6 * scale) << name_of(loss) << " " << z;
      }
}

TEST(Loss, IsConvexAndFiniteForExtremeOutputs) {
  for (const auto& [loss, targets] : cases())
    for (const double t : targets)
      for (const double z : {-700.0, -300.0, -40.0, -37.5, 0.0, 37.5, 40.0, 300.0, 700.0}) {
        const losses::LossAt a = at(loss, z, t);
        for (const double v : {a.c, a.c1, a.c2, a.c3, mean(loss, z)})
          EXPECT_TRUE(std::isfinite(v)) << name_of(loss) << " " << z;
        EXPECT_GE(a.c2, 0.0);
      }
}

TEST(Logistic, KeepsItsDigitsInBothTails) {
  EXPECT_NEAR(at(losses::Logistic{}, -50.0, 0.0).c / std::exp(-50.0), 1.0, 1e-14);
  EXPECT_NEAR(at(losses::Logistic{}, 50.0, 1.0).c1 / -std::exp(-50.0), 1.0, 1e-14);
  EXPECT_NEAR(at(losses::Logistic{}, 600.0, 1.0).c2 / std::exp(-600.0), 1.0, 1e-13);
  EXPECT_EQ(at(losses::Logistic{}, 700.0, 0.0).c, 700.0);
}

TEST(Probit, KeepsItsDigitsInBothTails) {
  // c'' -> s^2 and r + m -> -1/m far on the wrong side; the good side dies like the normal density.
  for (const double m : {-30.0, -100.0, -700.0}) {
    const losses::LossAt a = at(losses::Probit{}, m, 1.0);
    EXPECT_NEAR(a.c2, 1.0 - 1.0 / (m * m), 10.0 / std::pow(m, 4));
    EXPECT_NEAR(a.c, 0.5 * m * m + std::log(-m) + 0.91893853320467274178, 2.0 / (m * m));
    EXPECT_NEAR(a.c1, m + 1.0 / m, 5.0 / std::abs(m * m * m));
    EXPECT_NEAR(a.c3 * m * m * m / 2.0, 1.0, 40.0 / (m * m));
  }
  EXPECT_NEAR(at(losses::Probit{}, 10.0, 1.0).c / 7.619853024160526e-24, 1.0, 1e-12);  // Q(10)
}

TEST(Probit, IsSmoothWhereTheTailFormulaTakesOver) {
  const losses::LossAt a = at(losses::Probit{}, -6.0 + 1e-9, 1.0), b = at(losses::Probit{}, -6.0 - 1e-9, 1.0);
  EXPECT_NEAR(a.c, b.c, 2e-8);
  EXPECT_NEAR(a.c1, b.c1, 5e-9);
  EXPECT_NEAR(a.c2, b.c2, 1e-9);
  EXPECT_NEAR(a.c3, b.c3, 1e-9);
}

TEST(Probit, WithRootTwoIsTheErrorFunctionOfThePaper) {
  EXPECT_NEAR(losses::Probit{.s = std::sqrt(2.0)}.mean(0.7), 0.5 * (1.0 + std::erf(0.7)), 1e-15);
}

TEST(NegativeBinomial, BecomesPoissonWithoutOverdispersion) {
  for (const double a : {1e-8, 1e-12})
    for (const double z : {-3.0, 0.0, 2.0})
      for (const double t : {0.0, 1.0, 12.0}) {
        const losses::LossAt nearly = at(losses::NegativeBinomial{a}, z, t), poisson = at(losses::Poisson{}, z, t);
        const double size = 200.0 * a + 1e-13;  // the next term is of the order a (t + m)^2
        EXPECT_NEAR(nearly.c, poisson.c, size * std::max(1.0, std::abs(poisson.c)));
        EXPECT_NEAR(nearly.c1, poisson.c1, size);
        EXPECT_NEAR(nearly.c2, poisson.c2, size);
        EXPECT_NEAR(normaliser(losses::NegativeBinomial{a}, t), normaliser(losses::Poisson{}, t), size);
      }
}

TEST(CountLosses, AreMinusTheLogarithmsOfProbabilities) {
  for (const Loss& loss :
       {Loss(losses::Poisson{}), Loss(losses::NegativeBinomial{0.3}), Loss(losses::NegativeBinomial{0.02}),
        Loss(losses::NegativeBinomial{0.01}), Loss(losses::NegativeBinomial{0.005})}) {
    const double m = 2.5;
    double all = 0.0, mean = 0.0, square = 0.0;
    for (int t = 0; t < 400; ++t) {
      const double p = std::exp(-log_score(loss, std::log(m), double(t)));
      all += p, mean += p * t, square += p * t * t;
    }
    EXPECT_NEAR(all, 1.0, 1e-12);
    EXPECT_NEAR(mean, m, 1e-11);
    EXPECT_NEAR(square - mean * mean, variance(loss, m), 1e-10);
  }
}

TEST(CountLosses, AreLeastWhereTheMeanIsTheCount) {
  for (const Loss& loss : {Loss(losses::Poisson{}), Loss(losses::NegativeBinomial{0.3})})
    for (const double t : {1.0, 4.0, 30.0}) {
      EXPECT_NEAR(cost(loss, std::log(t), t).value, 0.0, 1e-12 * t * std::log(t + 1.0) + 1e-13);
      EXPECT_NEAR(cost(loss, std::log(t), t).slope, 0.0, 1e-13 * t);
      EXPECT_GT(cost(loss, std::log(t) + 0.1, t).value, 0.0);
    }
}

}  // namespace loss_test
}  // namespace lacuna

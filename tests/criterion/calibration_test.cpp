// Scale and shift of outputs: the optimum is that of a fine grid, does not depend on the size of the outputs, and the slope of
// its value in every output is that of central differences, whatever the size of the outputs, separable or pointing the wrong way.
#include "lacuna/criterion/calibration.hpp"

#include <gtest/gtest.h>

#include "lacuna/criterion/criterion.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

struct Case {
  const char* name;
  Vector z;
  std::vector<int> label;
  Vector weights;
};

std::vector<Case> cases() {
  const Index n = 60;
  const Vector z = testing::random_matrix(n, 1, 5).col(0), noise = testing::random_matrix(n, 1, 6).col(0);
  std::vector<int> overlapping, separable, wrong;
  for (Index i = 0; i < n; ++i) {
    overlapping.push_back(z[i] + 0.7 * noise[i] > 0.3);
    separable.push_back(z[i] > 0.3);
    wrong.push_back(z[i] < 0.3);
  }
  const Vector weights = testing::random_weights(n, 7, 5), ones = Vector::Ones(n);
  return {{"overlapping", z, overlapping, weights},
          {"separable", 3.0 * z, separable, ones},
          {"tiny", 1e-7 * z, overlapping, ones},
          {"wrong", z, wrong, weights}};
}

TEST(CalibrateTwoClasses, IsTheBestOfAGrid) {
  for (const Loss& link : {Loss(Logistic{}), Loss(Probit{})})
    for (const Case& c : cases()) {
      SCOPED_TRACE(c.name);
      const Calibrated best = calibrate_two_classes(link, c.z, c.label, c.weights);
      const double total = c.weights.sum(), size = std::sqrt(c.weights.dot(c.z.cwiseAbs2()) / total);
      const auto value = [&](double scale, double shift) {
        double sum = 0.5 * (0.1 * scale * scale * size * size + 1e-3 * shift * shift);  // the prior
        for (Index i = 0; i < c.z.size(); ++i)
          sum += c.weights[i] * at(link, scale * c.z[i] + shift, c.label[std::size_t(i)]).c;
        return sum / total;
      };
      double least = std::numeric_limits<double>::infinity();
      for (int a = 0; a <= 200; ++a)
        for (int b = -60; b <= 60; ++b) least = std::min(least, value(0.05 * a / size, 0.05 * b));
      EXPECT_LE(best.value, least + 1e-12);
      EXPECT_GE(best.value, least - 0.01) << "the grid is that fine";
      const Calibrated bold = calibrate_two_classes(link, c.z, c.label, c.weights, 2.0 / size);
      EXPECT_GE(bold.calibration.scale * size, 2.0 - 1e-12);
      EXPECT_GE(bold.value, best.value - 1e-13);
      EXPECT_NEAR(bold.value, value(bold.calibration.scale, bold.calibration.shift), 1e-13);
      const bool usable = std::string(c.name) != "wrong";
      EXPECT_EQ(best.calibration.fitted, usable);
      if (!usable) continue;
      EXPECT_NEAR(best.value, value(best.calibration.scale, best.calibration.shift), 1e-13);
      EXPECT_GT(best.calibration.scale, 0.0);
    }
}

TEST(CalibrateTwoClasses, SlopeMatchesCentralDifferences) {
  for (const Loss& link : {Loss(Logistic{}), Loss(Probit{})})
    for (const double least : {0.0, 1.0, 5.0})
      for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const double size = c.z.cwiseAbs().maxCoeff();
        const Calibrated best = calibrate_two_classes(link, c.z, c.label, c.weights, least);
        for (Index i = 0; i < c.z.size(); ++i) {
          const double fd = testing::difference([&](double h) {
            Vector z = c.z;
            z[i] += h * size;
            return calibrate_two_classes(link, z, c.label, c.weights, least).value;
          });
          EXPECT_NEAR(best.slope[i] * size, fd, 1e-7);
        }
      }
}

// The cross-entropy of two classes after them: what a machine of any loss is chosen by.
TEST(CalibrateTwoClasses, IsTheCrossEntropyWhenAskedFor) {
  const Case c = cases()[0];
  Truth truth{.targets = Matrix(c.z.size(), 1), .label = c.label, .classes = 2, .weights = c.weights};
  for (Index i = 0; i < c.z.size(); ++i) truth.targets(i, 0) = 2.0 * c.label[std::size_t(i)] - 1.0;
  for (const Loss& loss : {Loss(Logistic{}), Loss(Probit{}), Loss(Squared{})}) {
    truth.loss = loss;
    const double least = std::holds_alternative<Squared>(loss) ? 0.0 : 1.0;
    const Calibrated best = calibrate_two_classes(link_of(loss), c.z, c.label, c.weights, least);
    const Score s = score(Criterion::xent, c.z, truth, true, {.recalibrate = true});
    EXPECT_EQ(s.value, best.value);
    EXPECT_EQ(s.d_output, Matrix(best.slope));
    EXPECT_GT(s.prior, 0.0);
    EXPECT_NE(score(Criterion::xent, c.z, truth, true).value, best.value);
  }
}

}  // namespace
}  // namespace lacuna

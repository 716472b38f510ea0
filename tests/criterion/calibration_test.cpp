// Scale and shift of outputs: the optimum is that of a fine grid, does not depend on the size of the outputs, and the
// slope of its value in every output is that of central differences, whatever the size of the outputs, separable or
// pointing the wrong way.
#include "lacuna/criterion/calibration.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/weights.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace calibration_test {

struct Case {
  const char* name;
  Vector z;
  std::vector<int> label;
  Vector weights;
};

// The prior, as docs/math states it, in nats of one row.
double prior(double reach, double shift) {
  return (reach <= 10.0 ? 0.05 * reach * reach : reach - 5.0) + 0.5e-3 * shift * shift;
}

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
          {"large", 300.0 * z, overlapping, weights},
          {"wrong", z, wrong, weights}};
}

TEST(CalibrateTwoClasses, IsTheBestOfAGrid) {
  for (const Loss& link : {Loss(losses::Logistic{}), Loss(losses::Probit{})})
    for (const Case& c : cases()) {
      SCOPED_TRACE(c.name);
      const double one = weight_of_one_row(c.weights);
      const Calibrated best = calibrate_two_classes(link, c.z, c.label, c.weights, one);
      const double total = c.weights.sum(), size = std::sqrt(c.weights.dot(c.z.cwiseAbs2()) / total);
      const auto value = [&](double scale, double shift) {
        double sum = one * prior(scale * size, shift);
        for (Index i = 0; i < c.z.size(); ++i)
          sum += c.weights[i] * at(link, scale * c.z[i] + shift, c.label[std::size_t(i)]).c;
        return sum / total;
      };
      double least = std::numeric_limits<double>::infinity();
      for (int a = 0; a <= 200; ++a)
        for (int b = -60; b <= 60; ++b) least = std::min(least, value(0.05 * a / size, 0.05 * b));
      EXPECT_LE(best.value, least + 1e-12);
      EXPECT_GE(best.value, least - 0.01) << "the grid is that fine";
      const Calibrated bold = calibrate_two_classes(link, c.z, c.label, c.weights, one, 2.0 / size);
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
  for (const Loss& link : {Loss(losses::Logistic{}), Loss(losses::Probit{})})
    for (const double least : {0.0, 1.0, 5.0})
      for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        // A step is small beside the outputs, and beside the bend of the loss at a scale that is held.
        const double size = std::min(c.z.cwiseAbs().maxCoeff(), least > 0.0 ? 1.0 / least : 1e9);
        const double one = weight_of_one_row(c.weights);
        const Calibrated best = calibrate_two_classes(link, c.z, c.label, c.weights, one, least);
        for (Index i = 0; i < c.z.size(); ++i) {
          const double fd = testing::difference([&](double h) {
            Vector z = c.z;
            z[i] += h * size;
            return calibrate_two_classes(link, z, c.label, c.weights, one, least).value;
          });
          EXPECT_NEAR(best.slope[i] * size, fd, 1e-7 * std::max(1.0, best.value));
        }
      }
}

TEST(CalibrateTwoClasses, DoesNotKnowTheUnitOfWeights) {
  for (const Case& c : cases())
    for (const double least : {0.0, 1.0}) {
      SCOPED_TRACE(c.name);
      const auto with = [&](double unit) {
        const Vector w = unit * c.weights;
        return calibrate_two_classes(losses::Logistic{}, c.z, c.label, w, weight_of_one_row(w), least);
      };
      const Calibrated one = with(1.0);
      for (const double unit : {1e-6, 1.0 / 60.0, 1e6}) {
        const Calibrated scaled = with(unit);
        EXPECT_NEAR(scaled.value, one.value, 1e-12 * std::max(1.0, one.value));
        EXPECT_NEAR(scaled.calibration.scale / one.calibration.scale, 1.0, 1e-7);
        EXPECT_LT((scaled.slope - one.slope).norm(), 1e-7 * one.slope.norm() + 1e-12);
      }
    }
}

// Two classes of rows once with weights and once as copies that count as one row: docs/decisions say why copies are
// gathered.
TEST(CalibrateTwoClasses, TakesWeightsAsCopiesThatAreHeldOutTogether) {
  const Case c = cases()[0];
  std::vector<double> z;
  std::vector<int> label;
  std::vector<Index> first;
  Vector whole(c.z.size());
  for (Index i = 0; i < c.z.size(); ++i) {
    whole[i] = double(1 + i % 3);
    const auto begin = Index(z.size());
    for (int k = 0; k < int(whole[i]); ++k) {
      z.push_back(c.z[i]);
      label.push_back(c.label[std::size_t(i)]);
      first.push_back(begin);
    }
  }
  const Vector copied = Eigen::Map<const Vector>(z.data(), Index(z.size()));
  Truth weighted{.targets = Matrix::Ones(c.z.size(), 1), .label = c.label, .classes = 2, .weights = whole};
  Truth copies{
      .targets = Matrix::Ones(copied.size(), 1), .label = label, .classes = 2, .weights = Vector::Ones(copied.size())};
  weighted.loss = copies.loss = losses::Logistic{};
  copies.gathered = gathered(copies.weights, first);
  const CriterionOptions options{.recalibrate = true};
  const CriterionScore a = criterion_score(Criterion::xent, c.z, weighted, true, options),
                       b = criterion_score(Criterion::xent, copied, copies, true, options);
  EXPECT_NEAR(a.value, b.value, 1e-13);
  for (std::size_t k = 0, i = 0; k < z.size(); ++k) {
    if (k > 0 && first[k] != first[k - 1]) ++i;
    EXPECT_NEAR(a.d_output(Index(i), 0) / whole[Index(i)], b.d_output(Index(k), 0), 1e-9);
  }
}

// Held at 1 or not, the prior costs no more than one row on the wrong side at the reach of the outputs.
TEST(CalibrateTwoClasses, PriorIsWorthARowAtMost) {
  const Case c = cases()[1];
  for (const double size : {1e-3, 1.0, 10.0, 100.0, 1000.0}) {
    const Vector z = size * c.z;
    const double rms = std::sqrt(z.squaredNorm() / double(z.size()));
    const Calibrated held = calibrate_two_classes(losses::Logistic{}, z, c.label, c.weights, 1.0, 1.0);
    double loss = 0.0;
    for (Index i = 0; i < z.size(); ++i)
      loss +=
          at(Loss(losses::Logistic{}), held.calibration.scale * z[i] + held.calibration.shift, c.label[std::size_t(i)])
              .c;
    const double cost = held.value * double(z.size()) - loss, reach = held.calibration.scale * rms;
    EXPECT_LE(cost, at(Loss(losses::Logistic{}), -reach, 1.0).c + 0.5e-3 * std::pow(held.calibration.shift, 2) + 1e-9)
        << size;
    EXPECT_GE(cost, -1e-9);
  }
}

// The cross-entropy of two classes after them: what a machine of any loss is chosen by.
TEST(CalibrateTwoClasses, IsTheCrossEntropyWhenAskedFor) {
  const Case c = cases()[0];
  Truth truth{.targets = Matrix(c.z.size(), 1), .label = c.label, .classes = 2, .weights = c.weights};
  for (Index i = 0; i < c.z.size(); ++i) truth.targets(i, 0) = 2.0 * c.label[std::size_t(i)] - 1.0;
  for (const Loss& loss : {Loss(losses::Logistic{}), Loss(losses::Probit{}), Loss(losses::Squared{})}) {
    truth.loss = loss;
    const double least = std::holds_alternative<losses::Squared>(loss) ? 0.0 : 1.0;
    const Calibrated best =
        calibrate_two_classes(link_of(loss), c.z, c.label, c.weights, weight_of_one_row(c.weights), least);
    const CriterionScore s = criterion_score(Criterion::xent, c.z, truth, true, {.recalibrate = true});
    EXPECT_EQ(s.value, best.value);
    EXPECT_EQ(s.d_output, Matrix(best.slope));
    EXPECT_NE(criterion_score(Criterion::xent, c.z, truth, true).value, best.value);
  }
}

}  // namespace calibration_test
}  // namespace lacuna

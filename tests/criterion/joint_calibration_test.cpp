// Scale and shifts of several classes: an own computation of the loss finds nothing better nearby, the slope matches
// central differences, and outputs that separate the classes have an optimum all the same.
#include "lacuna/criterion/joint_calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/criterion/criterion.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace joint_calibration_test {

constexpr Index l = 60, m = 4;

std::vector<int> labels() {
  Random random(3);
  std::vector<int> out;
  for (Index i = 0; i < l; ++i) out.push_back(i < m ? int(i) : int(random.below(std::uint64_t(m))));
  return out;
}

// Outputs of about 0.3 that lean to the right class, and to the first one.
Matrix outputs(const std::vector<int>& label, double lean) {
  Matrix z = 0.3 * testing::random_matrix(l, m, 4);
  for (Index i = 0; i < l; ++i) z(i, label[std::size_t(i)]) += lean;
  z.col(0).array() += 0.4;
  return z;
}

double sigmoid(double u) { return 1.0 / (1.0 + std::exp(-u)); }

// The mean loss and the prior, straight from their definitions.
double objective(const Matrix& z, const std::vector<int>& label, const Vector& rows, double scale,
                 const Vector& shift) {
  double sum = 0.0, squares = 0.0;
  for (Index i = 0; i < z.rows(); ++i) {
    double all = 0.0;
    for (Index k = 0; k < m; ++k) {
      all += sigmoid(scale * z(i, k) + shift[k]);
      squares += rows[i] * z(i, k) * z(i, k);
    }
    const int own = label[std::size_t(i)];
    sum -= rows[i] * std::log(sigmoid(scale * z(i, own) + shift[own]) / all);
  }
  const double x = std::abs(scale) * std::sqrt(squares / (rows.sum() * double(m)));
  const double prior = (x > 10.0 ? x - 5.0 : 0.05 * x * x) + 0.5e-3 * shift.squaredNorm();
  return (sum + prior) / rows.sum();
}

TEST(JointCalibration, NothingNearbyIsBetter) {
  const std::vector<int> label = labels();
  const Vector weights = testing::random_weights(l, 5, 4);
  const double one_row = 0.7;
  for (const double lean : {0.2, 0.8}) {
    const Matrix z = outputs(label, lean);
    const JointCalibration best = calibrate_jointly(losses::Logistic{}, z, label, weights, one_row);
    ASSERT_TRUE(best.fitted);
    const auto value = [&](double scale, const Vector& shift) {
      return objective(z, label, weights / one_row, scale, shift);
    };
    EXPECT_NEAR(best.value, value(best.scale, best.shift), 1e-12);
    EXPECT_LT(best.value, value(1.0, Vector::Zero(m)));
    Random random(6);
    for (int k = 0; k < 200; ++k) {
      const double size = std::pow(10.0, -4.0 * random.uniform());
      Vector shift = best.shift;
      for (double& s : shift) s += size * random.normal();
      EXPECT_GE(value(best.scale * std::exp(size * random.normal()), shift), best.value - 1e-14);
    }
  }
}

TEST(JointCalibration, SlopeMatchesCentralDifferences) {
  const std::vector<int> label = labels();
  const Vector weights = testing::random_weights(l, 5, 4);
  for (const double least : {0.0, 30.0}) {  // free, and held
    const Matrix z = outputs(label, 0.8);
    const JointCalibration best = calibrate_jointly(losses::Probit{}, z, label, weights, 1.0, least);
    for (const auto& [i, k] : {std::pair<Index, Index>{0, 0}, {7, 2}, {31, 3}}) {
      const double d = testing::difference([&](double h) {
        Matrix moved = z;
        moved(i, k) += h;
        return calibrate_jointly(losses::Probit{}, moved, label, weights, 1.0, least).value;
      });
      EXPECT_NEAR(best.slope(i, k), d, 1e-8);
    }
  }
}

TEST(JointCalibration, SeparatedClassesHaveAnOptimumAndOutputsThatPointTheWrongWayHaveNone) {
  const std::vector<int> label = labels();
  Matrix z = Matrix::Constant(l, m, -1.0);
  for (Index i = 0; i < l; ++i) z(i, label[std::size_t(i)]) = 1.0;
  const JointCalibration best = calibrate_jointly(losses::Logistic{}, z, label, Vector::Ones(l), 1.0);
  EXPECT_TRUE(best.fitted);
  EXPECT_GT(best.scale, 2.0);
  EXPECT_LT(best.scale, 40.0);
  EXPECT_FALSE(calibrate_jointly(losses::Logistic{}, -z, label, Vector::Ones(l), 1.0).fitted);
  EXPECT_TRUE(
      std::isfinite(calibrate_jointly(losses::Logistic{}, Matrix::Zero(l, m), label, Vector::Ones(l), 1.0).value));
}

// Twice the weight is two copies; the unit of weights does not matter.
TEST(JointCalibration, WeightsCountRows) {
  std::vector<int> label = labels();
  const Matrix z = outputs(label, 0.5);
  Vector weights = Vector::Ones(l);
  weights.head(10).setConstant(2.0);
  Matrix copies(l + 10, m);
  copies << z, z.topRows(10);
  std::vector<int> of_copies = label;
  of_copies.insert(of_copies.end(), label.begin(), label.begin() + 10);
  const JointCalibration one = calibrate_jointly(losses::Logistic{}, z, label, weights, 1.0);
  const JointCalibration other = calibrate_jointly(losses::Logistic{}, copies, of_copies, Vector::Ones(l + 10), 1.0);
  const JointCalibration unit = calibrate_jointly(losses::Logistic{}, z, label, 1e6 * weights, 1e6);
  for (const JointCalibration& c : {other, unit}) {
    EXPECT_NEAR(one.scale, c.scale, 1e-10 * one.scale);
    EXPECT_LE((one.shift - c.shift).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_NEAR(one.value, c.value, 1e-12);
  }
}

TEST(JointCalibration, IsTheCriterionOfSeveralClassesWhereOneIsAskedFor) {
  const std::vector<int> label = labels();
  const Matrix z = outputs(label, 0.5);
  const Truth truth{Matrix::Ones(l, m), label, int(m), Vector::Ones(l), losses::Squared{}};
  const CriterionScore s = criterion_score(Criterion::xent, z, truth, true, {.recalibrate = true});
  const JointCalibration best = calibrate_jointly(losses::Logistic{}, z, label, Vector::Ones(l), 1.0);
  EXPECT_EQ(s.value, best.value);
  EXPECT_EQ(s.d_output, best.slope);
}

}  // namespace joint_calibration_test
}  // namespace lacuna

// ls-svm as Gaussian-process regression: variances against the dense formulas of a process whose bias has a wide prior
// and scikit-learn, selection by the evidence, weights, files, refusals.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace gp_regression_test {

Dataset waves(Index rows, std::uint64_t seed, Index features = 2) {
  Random random(seed);
  RowMatrix X(rows, features);
  std::vector<double> t;
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < features; ++k) X(i, k) = random.uniform(-2.0, 2.0);
    t.push_back(std::sin(2.0 * X(i, 0)) + 3.0 + 0.3 * random.normal());
  }
  return make_dataset(X, t, DataOptions::TaskRequest::regression);
}

Predictions with_variance(const Model& model, const RowsView& X) {
  return predict(model, X, {}, cpu_backend(), {.variance = true});
}

Matrix gram(const RowMatrix& A, const RowMatrix& B, double theta) {
  Matrix K(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) K(i, j) = std::exp(-theta * (A.row(i) - B.row(j)).squaredNorm());
  return K;
}

TEST(GpRegression, VarianceIsThatOfAProcessWhoseBiasHasAWidePrior) {
  constexpr double theta = 0.7, lambda = 0.2, wide = 1e6;
  Dataset data = waves(30, 1), fresh = waves(8, 2);
  for (const bool weighted : {false, true}) {
    if (weighted) {
      data.weights.resize(30);
      for (Index i = 0; i < 30; ++i) data.weights[i] = 0.25 * double(1 + i % 4);
    }
    const Model model = train(data, {.model = ls_svm(), .kernel = rbf(theta), .lambda = lambda});
    ASSERT_TRUE(model.process);
    const double scale = model.process->scale[0];
    const Vector w = weighted ? data.weights : Vector(Vector::Ones(30));
    const Matrix K = gram(data.X.dense(), data.X.dense(), theta), k = gram(data.X.dense(), fresh.X.dense(), theta);
    // In units of the scale: prior K + wide, noise lambda/w.
    Matrix S = K.array() + wide;
    S.diagonal() += lambda * w.cwiseInverse();
    const Eigen::LDLT<Matrix> solver(S);
    const Matrix kc = k.array() + wide;
    const Matrix explained = kc.transpose() * solver.solve(kc);
    const Matrix variance = with_variance(model, fresh.X).variance;
    ASSERT_EQ(variance.rows(), 8);
    // One part in `wide` from the prior, and rounding of numbers of its size.
    for (Index i = 0; i < 8; ++i) EXPECT_NEAR(variance(i, 0), scale * (1.0 + wide - explained(i, i)), 2e-5 * scale);
    EXPECT_EQ(predict(model, fresh.X).variance.size(), 0) << "only where it is asked for";
  }
}

// tests/machine/evidence_reference.py, where the bias has a prior of variance c = 2 in place of none: its posterior is
// that of a bias of variance v, known to v c/(v + c), and about c b/(v + c).
TEST(GpRegression, AgreesWithScikitLearn) {
  constexpr Index n = 12;
  constexpr double theta = 0.8, lambda = 0.3, c = 2.0;
  RowMatrix X(n, 1);
  std::vector<double> t;
  for (Index i = 0; i < n; ++i) {
    const double x = X(i, 0) = 0.5 * double(i) - 2.5 + 0.2 * std::cos(7.0 * double(i));
    t.push_back(std::sin(2.0 * x) + 0.3 * x + 0.4 * std::cos(5.0 * double(i)) + 1.0);
  }
  const Model model = train(make_dataset(X, t, DataOptions::TaskRequest::regression),
                            {.model = ls_svm(), .kernel = rbf(theta), .lambda = lambda});
  RowMatrix at(3, 1);
  at << -2.0, 0.3, 4.5;
  const Predictions said = with_variance(model, at);
  const Matrix M = gram(X, X, theta) + lambda * Matrix::Identity(n, n), k = gram(X, at, theta);
  const Vector xi = M.llt().solve(Vector::Ones(n));
  const double v = model.process->scale[0] / xi.sum(), b = model.b[0];
  const double mean[] = {1.1383741743676565, 1.653425567111067, 1.22272764611808};
  const double deviation[] = {0.22223257385426476, 0.24744139168521148, 0.7010683404475222};
  for (Index i = 0; i < 3; ++i) {
    const double free = 1.0 - k.col(i).dot(xi);  // how much of the bias a row feels
    EXPECT_NEAR(said.value(i, 0) - free * (b - c * b / (v + c)), mean[i], 1e-8);
    EXPECT_NEAR(said.variance(i, 0) - free * free * (v - v * c / (v + c)), deviation[i] * deviation[i], 1e-8);
  }
}

TEST(GpRegression, EvidenceFindsTheNoise) {
  const Dataset data = waves(150, 3, 1);
  const Model model = train(data, {.model = ls_svm(), .select = {.criterion = Criterion::evidence}});
  EXPECT_EQ(model.report.criterion, "evidence");
  EXPECT_EQ(model.report.search.stop, Stop::converged);
  // 150 rows know a variance to about an eighth.
  EXPECT_NEAR(model.process->noise[0], 0.09, 0.03);
  for (double theta = 0.02; theta < 20.0; theta *= 1.7)
    for (double lambda = 1e-3; lambda < 30.0; lambda *= 2.0) {
      const Model other = train(data, {.model = ls_svm(),
                                       .kernel = rbf(theta),
                                       .lambda = lambda,
                                       .select = {.criterion = Criterion::evidence},
                                       .held_out = {.intervals = false}});
      EXPECT_LE(model.report.criterion_value, other.report.criterion_value + 1e-3);
    }
}

TEST(GpRegression, VariancesSurviveTheModelFileAndScalingOfTheWeights) {
  Dataset data = waves(40, 4), fresh = waves(9, 5);
  TrainOptions options{.model = ls_svm(), .kernel = rbf(0.7), .lambda = 0.2};
  const Model model = train(data, options);
  const Model back = model_from_bytes(model_to_bytes(model), "memory");
  EXPECT_EQ(with_variance(back, fresh.X).variance, with_variance(model, fresh.X).variance);
  data.weights = Vector::Constant(40, 0.01);
  *options.lambda *= 0.01;
  const Model scaled = train(data, options);
  EXPECT_TRUE(with_variance(scaled, fresh.X).variance.isApprox(with_variance(model, fresh.X).variance, 1e-12));
  EXPECT_NEAR(scaled.process->noise[0], model.process->noise[0], 1e-9);
}

TEST(GpRegression, RefusesWhatHasNoVariancesOrNoEvidence) {
  const Dataset data = waves(30, 6);
  const auto no_variance = [&](const TrainOptions& options) {
    const Model model = train(data, options);
    return test::refusal([&] { with_variance(model, data.X); });
  };
  EXPECT_NE(no_variance({.model = huber_regression(1.0), .kernel = rbf(0.5), .lambda = 0.1}).find("this is huber"),
            std::string::npos);
  EXPECT_NE(no_variance({.kernel = rbf(0.5), .lambda = 0.1, .basis = parse_basis("10")}).find("no basis"),
            std::string::npos);
  const auto no_evidence = [&](const Dataset& some, TrainOptions options) {
    options.select.criterion = Criterion::evidence;
    return test::refusal([&] { train(some, options); });
  };
  Dataset weighted = data;
  weighted.weights = Vector::LinSpaced(30, 1.0, 2.0);
  EXPECT_NE(no_evidence(weighted, {.model = ls_svm()}).find("takes no weights"), std::string::npos);
  EXPECT_NE(no_evidence(data, {.model = ls_svm(), .basis = parse_basis("10")}).find("leave out `basis`"),
            std::string::npos);
  EXPECT_NE(no_evidence(data, {.model = huber_regression(1.0)}).find("belongs to Gaussian processes"),
            std::string::npos);
  std::vector<std::string> labels;
  for (const double t : data.targets.col(0)) labels.push_back(t > 3.0 ? "yes" : "no");
  EXPECT_NE(no_evidence(make_dataset(data.X, labels), {.model = ls_svm()}).find("gp-laplace and gp-ep"),
            std::string::npos);
}

}  // namespace gp_regression_test
}  // namespace lacuna

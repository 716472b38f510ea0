// Least squares as Gaussian-process regression: the evidence against the density of contrasts and scikit-learn, its
// gradient against central differences.
#include "lacuna/machine/evidence.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "lacuna/kernel/specification.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace evidence_test {

DualFit fitted(const RowMatrix& X, const Matrix& t, const Kernel& kernel, double lambda) {
  const auto K = testing::backend().gram(kernel, X);
  return solve_dual(*K, Vector::Ones(X.rows()), t, lambda, compute::Want::inverse);
}

// log density of A't, with orthonormal columns A orthogonal to 1, for the scale that makes it greatest.
double of_contrasts(const Matrix& M, const Vector& t) {
  const Index n = t.size();
  const Matrix q = Matrix(Vector::Ones(n).householderQr().householderQ());
  const Matrix A = q.rightCols(n - 1);
  const Matrix S = A.transpose() * M * A;
  const Vector y = A.transpose() * t;
  const Eigen::LLT<Matrix> llt(S);
  const double quadratic = y.dot(llt.solve(y)), m = double(n - 1), scale = quadratic / m;
  double log_det = 0.0;
  for (Index i = 0; i < n - 1; ++i) log_det += 2.0 * std::log(llt.matrixL()(i, i));
  return -0.5 * (m * std::log(2.0 * std::numbers::pi * scale) + log_det + quadratic / scale);
}

TEST(EvidenceOfValues, IsTheDensityOfContrastsAtItsBestScale) {
  const RowMatrix X = testing::random_rows(18, 2, 1);
  Matrix t = testing::random_matrix(18, 2, 2);
  t.array() += 100.0;  // a constant says nothing
  for (const double lambda : {1e-3, 0.3, 20.0})
    for (const Kernel& kernel : {Kernel(kernels::Rbf{.theta = 0.4}), Kernel(kernels::Linear{})}) {
      const Matrix K = testing::dense(*testing::backend().gram(kernel, X));
      const Matrix M = K + lambda * Matrix::Identity(18, 18);
      const double expected = of_contrasts(M, t.col(0)) + of_contrasts(M, t.col(1));
      EXPECT_NEAR(log_evidence(fitted(X, t, kernel, lambda)), expected, 1e-8 * std::abs(expected));
    }
}

TEST(EvidenceOfValues, GradientMatchesCentralDifferences) {
  const RowMatrix X = testing::random_rows(20, 3, 3);
  const Matrix t = testing::random_matrix(20, 2, 4);
  for (const char* text : {"rbf:theta=0.3", "ard:theta=0.1/0.5/0.9", "sum(linear,matern52:theta=0.7)", "poly2:c=1.5"}) {
    const Kernel kernel = parse_kernel(text).kernel;
    const std::vector<double> at = kernel_parameters(kernel);
    const double lambda = 0.4;
    const compute::CriterionGradient g = evidence_gradient(fitted(X, t, kernel, lambda));
    ASSERT_EQ(g.d_log_kernel.size(), Index(at.size())) << text;
    EXPECT_NEAR(g.d_log_lambda,
                testing::difference([&](double h) { return log_evidence(fitted(X, t, kernel, lambda * std::exp(h))); }),
                1e-7);
    for (std::size_t p = 0; p < at.size(); ++p)
      EXPECT_NEAR(g.d_log_kernel[Index(p)], testing::difference([&](double h) {
                    std::vector<double> moved = at;
                    moved[p] *= std::exp(h);
                    return log_evidence(fitted(X, t, with_parameters(kernel, moved), lambda));
                  }),
                  1e-7)
          << text << " " << p;
  }
}

// evidence_reference.py: there the bias has a prior of variance c = 2. Contrasts do not see it, and the best bias b, of
// variance v, is independent of them: log p(t) = log p(contrasts) + log N(b; 0, v + c) - log(n)/2.
TEST(EvidenceOfValues, AgreesWithScikitLearn) {
  constexpr Index n = 12;
  constexpr double theta = 0.8, lambda = 0.3, c = 2.0;
  RowMatrix X(n, 1);
  Matrix t(n, 1);
  for (Index i = 0; i < n; ++i) {
    const double x = X(i, 0) = 0.5 * double(i) - 2.5 + 0.2 * std::cos(7.0 * double(i));
    t(i, 0) = std::sin(2.0 * x) + 0.3 * x + 0.4 * std::cos(5.0 * double(i)) + 1.0;
  }
  const DualFit fit = fitted(X, t, kernels::Rbf{.theta = theta}, lambda);
  const double scale = t.col(0).dot(fit.alpha.col(0)) / (n - 1.0), v = scale / fit.one_xi + c, b = fit.b[0];
  const double of_bias = -0.5 * (std::log(2.0 * std::numbers::pi * v) + b * b / v);
  EXPECT_NEAR(log_evidence(fit) + of_bias - 0.5 * std::log(double(n)), -11.43157907243327, 1e-8);
}

TEST(EvidenceOfValues, OfTargetsWithoutResidualsIsNotANumberOfUse) {
  const RowMatrix X = testing::random_rows(9, 1, 5);
  EXPECT_EQ(log_evidence(fitted(X, Matrix::Constant(9, 1, 3.0), kernels::Rbf{.theta = 1.0}, 0.1)), -INFINITY);
}

}  // namespace evidence_test
}  // namespace lacuna

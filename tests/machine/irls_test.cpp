// Re-weighted least squares reaches the optimum of every loss: stationarity holds, nothing nearby is
// lower, and held-out outputs are the one Newton step they claim to be.
#include "lacuna/machine/irls.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/loo/gradient.hpp"
#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/losses.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace irls_test {

using Case = testing::LossCase;

constexpr Index n = 36;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(n, 3, 41);
  return rows;
}

std::vector<Case> cases() { return testing::loss_cases(X()); }

Matrix full(const compute::Gram& K) { return testing::dense(K); }

double objective(const Matrix& K, const Case& c, const Vector& zeta, const Vector& offset, double lambda,
                 const Vector& alpha, double b) {
  const Vector z = K * alpha;
  double sum = 0.5 * lambda * alpha.dot(z);
  for (Index i = 0; i < n; ++i) sum += zeta[i] * at(c.loss, z[i] + b + (offset.size() ? offset[i] : 0.0), c.t[i]).c;
  return sum;
}

TEST(Irls, IsStationaryForEveryLossKernelAndWeighting) {
  const Vector offset = 0.3 * testing::random_matrix(n, 1, 44);
  for (const Case& c : cases())
    for (const int zeros : {0, 6})
      for (const double lambda : {1e-4, 1e-2, 1.0, 1e3})
        for (const auto& [kernel_name, kernel] : testing::all_kernels(3)) {
          SCOPED_TRACE(c.name + ", " + kernel_name + ", " + std::to_string(lambda));
          const Vector zeta = testing::random_weights(n, 45, zeros);
          const auto K = testing::backend().gram(kernel, X());
          const IrlsFit f = irls(*K, c.loss, zeta, c.t, offset, lambda, compute::Want::solve);
          ASSERT_EQ(f.stop, Stop::converged);
          double largest = 0.0, gap = 0.0;
          const Vector z = (full(*K) * f.fit.alpha.col(0)).array() + f.fit.b[0];
          for (Index i = 0; i < n; ++i) {
            const double c1 = zeta[i] * at(c.loss, z[i] + offset[i], c.t[i]).c1;
            largest = std::max(largest, std::abs(c1));
            gap = std::max(gap, std::abs(lambda * f.fit.alpha(i, 0) + c1));
          }
          // rounding in K alpha grows with the kernel's size over lambda
          const double rounding = 1e-14 * K->diagonal().maxCoeff() / lambda;
          EXPECT_LE(gap, std::max(1e-9, rounding) * largest);
          EXPECT_LE(std::abs(f.fit.alpha.sum()), std::max(1e-9, rounding) * largest / lambda);
        }
}

// Gradient descent with exact second-order information would be Newton again; this walks downhill by random directions
// and small steps around the claimed optimum instead: nothing nearby may be lower.
TEST(Irls, NothingNearbyIsLower) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Vector zeta = testing::random_weights(n, 45);
    const auto gram = testing::backend().gram(kernels::Rbf{.theta = 0.3}, X());
    const Matrix K = full(*gram);
    const IrlsFit f = irls(*gram, c.loss, zeta, c.t, {}, 0.05, compute::Want::solve);
    ASSERT_EQ(f.stop, Stop::converged);
    const double best = objective(K, c, zeta, {}, 0.05, f.fit.alpha.col(0), f.fit.b[0]);
    EXPECT_NEAR(best, f.objective, 1e-9 * std::max(1.0, std::abs(best)));
    Random random(46);
    for (int trial = 0; trial < 200; ++trial) {
      Vector direction(n);
      for (double& d : direction) d = random.normal();
      const double h = std::pow(10.0, random.uniform(-5.0, 0.0));
      EXPECT_GE(objective(K, c, zeta, {}, 0.05, f.fit.alpha.col(0) + h * direction, f.fit.b[0] + h * random.normal()),
                best - 1e-12 * std::abs(best));
    }
  }
}

// Held-out outputs are one exact Newton step from the full solution without the fold's rows.
TEST(Irls, HeldOutOutputsAreOneNewtonStepFromTheFullFit) {
  const Folds folds = k_folds(n, 5, {}, 1);
  for (const Case& c : cases())
    for (const int zeros : {0, 5}) {
      SCOPED_TRACE(c.name);
      const double lambda = 0.1;
      const Vector zeta = testing::random_weights(n, 45, zeros);
      const auto gram = testing::backend().gram(kernels::Rbf{.theta = 0.3}, X());
      const Matrix K = full(*gram);
      const IrlsFit f = irls(*gram, c.loss, zeta, c.t, {}, lambda, compute::Want::inverse);
      ASSERT_EQ(f.stop, Stop::converged);
      Folds single;
      for (Index i = 0; i < n; ++i) single.push_back({i});
      EXPECT_LE((leave_one_out(f.fit, Q_diagonal(f.fit)) - leave_fold_out(f.fit, single)).cwiseAbs().maxCoeff(), 1e-9);
      for (const Folds& partition : {single, folds}) {
        const Matrix z = leave_fold_out(f.fit, partition);
        for (const auto& fold : partition) {
          // the Newton system of the rows left, as the bordered matrix it is
          Vector beta = f.fit.beta;
          for (const Index i : fold) beta[i] = 0.0;
          const DualFit step = solve_dual(*gram, beta, f.fit.eta, lambda, compute::Want::solve);
          for (const Index i : fold) {
            EXPECT_NEAR(z(i, 0), (K.row(i) * step.alpha.col(0))(0) + step.b[0], 1e-9);
          }
        }
      }
    }
}

double smooth(const Matrix& z, Matrix* d) {  // any smooth function of the held-out outputs
  double sum = 0.0;
  if (d) d->resize(z.rows(), 1);
  for (Index i = 0; i < z.rows(); ++i) {
    sum += std::sin(z(i, 0) + 0.1 * double(i)) / double(z.rows());
    if (d) (*d)(i, 0) = std::cos(z(i, 0) + 0.1 * double(i)) / double(z.rows());
  }
  return sum;
}

double held_out_value(const Case& c, const Kernel& kernel, double lambda, const Vector& zeta, const Folds& folds,
                      Matrix* z_out = nullptr, IrlsFit* fit_out = nullptr) {
  const auto K = testing::backend().gram(kernel, X());
  IrlsFit f = irls(*K, c.loss, zeta, c.t, {}, lambda, compute::Want::inverse);
  const Matrix z = folds.empty() ? leave_one_out(f.fit, Q_diagonal(f.fit)) : leave_fold_out(f.fit, folds);
  if (z_out) *z_out = z;
  if (fit_out) *fit_out = std::move(f);
  return smooth(z, nullptr);
}

using testing::difference;

TEST(Irls, GradientMatchesCentralDifferencesForEveryLossAndKernel) {
  for (const Case& c : cases()) {
    if (std::holds_alternative<losses::SquaredHinge>(c.loss))
      continue;  // rows cross its margin: tested by itself below
    for (const int zeros : {0, 4})
      for (const Folds& folds : {Folds{}, k_folds(n, 4, {}, 2)})
        for (const auto& [kernel_name, kernel] : testing::all_kernels(3)) {
          SCOPED_TRACE(c.name + ", " + kernel_name + (folds.empty() ? ", loo" : ", folds"));
          const double lambda = 0.7;
          const Vector zeta = testing::random_weights(n, 45, zeros);
          Matrix z, d;
          IrlsFit f;
          const double value = held_out_value(c, kernel, lambda, zeta, folds, &z, &f);
          smooth(z, &d);
          const auto K = testing::backend().gram(kernel, X());
          const compute::CriterionGradient g = criterion_gradient(*K, f.fit, folds, d);
          double largest = std::max(std::abs(value), std::abs(g.d_log_lambda));
          if (g.d_log_kernel.size() > 0) largest = std::max(largest, g.d_log_kernel.cwiseAbs().maxCoeff());
          EXPECT_NEAR(g.d_log_lambda, difference([&, &kernel = kernel](double step) {
                        return held_out_value(c, kernel, lambda * std::exp(step), zeta, folds);
                      }),
                      1e-5 * largest);
          const std::vector<double> p = kernel_parameters(kernel);
          for (std::size_t k = 0; k < p.size(); ++k) {
            const double fd = difference([&, &kernel = kernel](double step) {
              std::vector<double> q = p;
              q[k] *= std::exp(step);
              return held_out_value(c, with_parameters(kernel, q), lambda, zeta, folds);
            });
            EXPECT_NEAR(g.d_log_kernel[Index(k)], fd, 1e-5 * largest) << "parameter " << k;
          }
        }
  }
}

TEST(Irls, SquaredHingeLeavesRowsBeyondTheMarginOut) {
  const Case c = cases()[6];
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.3}, X());
  const IrlsFit f = irls(*K, c.loss, Vector::Ones(n), c.t, {}, 0.01, compute::Want::inverse);
  ASSERT_EQ(f.stop, Stop::converged);
  int out = 0;
  for (Index i = 0; i < n; ++i) {
    const bool beyond = c.t[i] * f.fit.z(i, 0) >= 1.0;
    out += beyond;
    EXPECT_EQ(f.fit.alpha(i, 0) == 0.0, beyond);
  }
  EXPECT_GT(out, 0);
}

TEST(Irls, SurvivesSeparableDataAndTinyLambda) {
  RowMatrix rows(20, 1);
  Vector t(20);
  for (Index i = 0; i < 20; ++i) {
    rows(i, 0) = double(i) - 9.5;
    t[i] = i >= 10;
  }
  for (const double lambda : {1e-2, 1e-6, 1e-10}) {
    const auto K = testing::backend().gram(kernels::Linear{}, rows);
    const IrlsFit f = irls(*K, losses::Logistic{}, Vector::Ones(20), t, {}, lambda, compute::Want::inverse);
    ASSERT_EQ(f.stop, Stop::converged) << lambda;
    EXPECT_TRUE(f.fit.z.allFinite());
    EXPECT_TRUE(leave_one_out(f.fit, Q_diagonal(f.fit)).allFinite());
  }
}

TEST(Irls, NeedsFewFactorisationsColdAndFewerWarm) {
  const Case c = cases()[1];
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.3}, X());
  const IrlsFit cold = irls(*K, c.loss, Vector::Ones(n), c.t, {}, 0.1, compute::Want::inverse);
  const WarmStart near = cold.fit.z.col(0);
  const IrlsFit warm = irls(*K, c.loss, Vector::Ones(n), c.t, {}, 0.11, compute::Want::inverse, near);
  EXPECT_LE(cold.factorisations, 8);
  EXPECT_LE(warm.factorisations, 5);
  EXPECT_LT(warm.factorisations, cold.factorisations);
}

}  // namespace irls_test
}  // namespace lacuna

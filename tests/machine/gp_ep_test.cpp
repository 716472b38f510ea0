// Expectation propagation against numerical integration, and against the textbook's sequential updates.
#include "lacuna/machine/gp_ep.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/loo/gp_held_out.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/latent_integral.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace gp_ep_test {

Matrix pair_covariance(double variance, double correlation) {
  Matrix C(2, 2);
  C << variance, correlation * variance, correlation * variance, variance;
  return C;
}

TEST(GpEp, OneRowIsExact) {
  for (const double variance : {1e-3, 1.0, 50.0})
    for (const double mean : {-3.0, 0.0, 1.0})
      for (const double t : {0.0, 1.0}) {
        const auto K = testing::given(Matrix(Matrix::Constant(1, 1, variance)));
        const GpFit fit = gp_ep(*K, losses::Probit{}, Vector::Constant(1, t), mean, 1.0);
        const double truth = (t > 0.5 ? 1.0 : -1.0) * mean / std::sqrt(1.0 + variance);
        EXPECT_NEAR(fit.log_evidence, -losses::Probit{}.at(truth, 1.0).c, 1e-10);
        const LatentMoments prior = held_out_latent(*K, fit);  // nothing else is known
        EXPECT_NEAR(prior.mean[0], mean, 1e-8);
        EXPECT_NEAR(prior.variance[0], variance, 1e-8 * variance);
      }
}

// EP is not exact for two rows, but close where the prior is not too wide for them.
TEST(GpEp, EvidenceAndLeaveOneOutOfTwoRowsAreCloseToTheIntegral) {
  for (const double variance : {0.2, 1.0, 4.0})
    for (const double correlation : {-0.5, 0.3, 0.9})
      for (const double t1 : {0.0, 1.0}) {
        SCOPED_TRACE(std::to_string(variance) + " " + std::to_string(correlation) + " " + std::to_string(t1));
        const double mean = 0.3;
        const Matrix C = pair_covariance(variance, correlation);
        const Vector t = (Vector(2) << 1.0, t1).finished(), last = t.tail(1);
        const double joint = testing::log_evidence(losses::Probit{}, t, mean, C);
        const double alone = testing::log_evidence(losses::Probit{}, last, mean, C.bottomRightCorner(1, 1));
        const auto K = testing::given(C);
        const GpFit fit = gp_ep(*K, losses::Probit{}, t, mean, 1.0);
        EXPECT_NEAR(fit.log_evidence, joint, 2e-3 * std::max(1.0, variance * variance / 2.0));
        const Vector p = averaged_probability(fit.likelihood, held_out_latent(*K, fit));
        EXPECT_NEAR(p[0], std::exp(joint - alone), 4e-3 * std::max(1.0, variance * variance / 2.0));
      }
}

TEST(GpEp, UncorrelatedRowsAreExact) {
  const auto K = testing::given(Matrix(pair_covariance(2.0, 0.0)));
  const Vector t = (Vector(2) << 1.0, 0.0).finished();
  EXPECT_NEAR(gp_ep(*K, losses::Probit{}, t, 0.3, 1.0).log_evidence,
              testing::log_evidence(losses::Probit{}, t, 0.3, pair_covariance(2.0, 0.0)), 1e-10);
}

// One site after the other with rank-one updates (algorithm 3.5), evidence as printed (3.65).
double textbook(const Matrix& C, const Vector& y) {
  const Index n = C.rows();
  Vector tau = Vector::Zero(n), nu = Vector::Zero(n), mu = Vector::Zero(n);
  Matrix S = C;
  const auto cavity = [&](Index i) {
    const double precision = 1.0 / S(i, i) - tau[i];
    return std::pair{(mu[i] / S(i, i) - nu[i]) / precision, 1.0 / precision};
  };
  for (int sweep = 0; sweep < 200; ++sweep) {
    for (Index i = 0; i < n; ++i) {
      const auto [m, v] = cavity(i);
      const double x = y[i] * m / std::sqrt(1.0 + v);
      const double r = std::exp(-0.5 * x * x) / std::sqrt(2.0 * M_PI) / (0.5 * std::erfc(-x / M_SQRT2));
      const double m_new = m + y[i] * v * r / std::sqrt(1.0 + v), v_new = v - v * v * r * (x + r) / (1.0 + v);
      const double d_tau = 1.0 / v_new - 1.0 / v - tau[i];
      tau[i] += d_tau;
      nu[i] = m_new / v_new - m / v;
      const Vector s = S.col(i);
      S -= s * s.transpose() * (d_tau / (1.0 + d_tau * s[i]));
      mu = S * nu;
    }
    S = (C.inverse() + Matrix(tau.asDiagonal())).inverse();
    mu = S * nu;
  }
  const Matrix noisy = C + Matrix(tau.cwiseInverse().asDiagonal());
  const Vector site = nu.cwiseQuotient(tau);
  double out = -0.5 * std::log(noisy.determinant()) - 0.5 * site.dot(noisy.ldlt().solve(site));
  for (Index i = 0; i < n; ++i) {
    const auto [m, v] = cavity(i);
    out += std::log(0.5 * std::erfc(-y[i] * m / std::sqrt(1.0 + v) / M_SQRT2)) + 0.5 * std::log(v + 1.0 / tau[i]) +
           (m - site[i]) * (m - site[i]) / (2.0 * (v + 1.0 / tau[i]));
  }
  return out;
}

TEST(GpEp, EvidenceEqualsThatOfSequentialUpdates) {
  const RowMatrix X = testing::random_rows(20, 2, 1);
  const Vector y = testing::random_signs(X, 2).col(0), t = (y.array() + 1.0) / 2.0;
  for (const double lambda : {1.0, 0.02}) {
    const kernels::Rbf kernel{.theta = 1.0};
    const GpFit fit = gp_ep(*testing::backend().gram(kernel, X), losses::Probit{}, t, 0.0, lambda);
    EXPECT_EQ(fit.stop, Stop::converged);
    EXPECT_NEAR(fit.log_evidence, textbook(compute::cpu::kernel_matrix(kernel, X, X) / lambda, y), 1e-8);
  }
}

// All sites at once without damping oscillate for ever at these; here every one settles.
TEST(GpEp, SettlesWhereParallelUpdatesOscillate) {
  const RowMatrix X = testing::random_rows(80, 2, 7);
  const Vector t = (testing::random_signs(X, 2).col(0).array() + 1.0) / 2.0;
  for (const double theta : {0.1, 1.0, 10.0})
    for (const double lambda : {1e-2, 1e-4, 1e-7})
      for (const double u : {-2.0, 0.0, 3.0}) {
        const auto K = testing::backend().gram(kernels::Rbf{.theta = theta}, X);
        const GpFit fit = gp_ep(*K, losses::Probit{}, t, u / std::sqrt(lambda), lambda);
        EXPECT_EQ(fit.stop, Stop::converged) << theta << ' ' << lambda << ' ' << u;
        EXPECT_LT(fit.stationarity, 1e-6);
        EXPECT_LE(fit.factorisations, 120);
      }
}

}  // namespace gp_ep_test
}  // namespace lacuna

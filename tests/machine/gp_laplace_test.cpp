// Laplace's approximation against its definition in one and two dimensions, and against numerical integration.
#include "lacuna/machine/gp_laplace.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/loo/gp_held_out.hpp"
#include "lacuna/machine/irls.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/latent_integral.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace gp_laplace_test {

const std::vector<Loss> likelihoods = {losses::Logistic{}, losses::Probit{}};

// -J(z) - log det(C W + I)/2 at the mode, found by bisection on the derivative.
double by_definition(const Loss& likelihood, double t, double m, double variance) {
  double low = m - 50.0 * (1.0 + variance), high = m + 50.0 * (1.0 + variance);
  for (int k = 0; k < 200; ++k) {
    const double z = 0.5 * (low + high);
    ((z - m) / variance + at(likelihood, z, t).c1 > 0.0 ? high : low) = z;
  }
  const double z = 0.5 * (low + high);
  const losses::LossAt a = at(likelihood, z, t);
  return -a.c - 0.5 * (z - m) * (z - m) / variance - 0.5 * std::log1p(variance * a.c2);
}

TEST(GpLaplace, EvidenceOfOneRowIsItsDefinition) {
  for (const Loss& likelihood : likelihoods)
    for (const double variance : {1e-3, 1.0, 50.0})
      for (const double mean : {-3.0, 0.0, 1.0}) {
        const auto K = testing::given(Matrix(Matrix::Constant(1, 1, 2.0 * variance)));
        const GpFit fit = gp_laplace(*K, likelihood, Vector::Ones(1), mean, 2.0);  // C = K/lambda
        EXPECT_EQ(fit.stop, Stop::converged);
        EXPECT_NEAR(fit.log_evidence, by_definition(likelihood, 1.0, mean, variance), 1e-10);
        const LatentMoments prior = held_out_latent(*K, fit);  // nothing else is known
        EXPECT_NEAR(prior.mean[0], mean, 1e-7);
        EXPECT_NEAR(prior.variance[0], variance, 1e-8 * variance);
      }
}

// The approximation is exact in the limit of a narrow prior: a tenth of the variance has less than a twentieth of the
// error.
TEST(GpLaplace, EvidenceAndLeaveOneOutOfTwoRowsApproachTheIntegralAsThePriorNarrows) {
  for (const Loss& likelihood : likelihoods) {
    double last = INFINITY;
    for (const double variance : {1.0, 0.1, 0.01}) {
      Matrix C(2, 2);
      C << 1.0, 0.6, 0.6, 1.0;
      const Vector t = (Vector(2) << 1.0, 0.0).finished(), second = t.tail(1);
      const double joint = testing::log_evidence(likelihood, t, 0.3, variance * C);
      const double alone = testing::log_evidence(likelihood, second, 0.3, variance * C.bottomRightCorner(1, 1));
      const auto K = testing::given(C);
      const GpFit fit = gp_laplace(*K, likelihood, t, 0.3, 1.0 / variance);
      const double error = std::abs(fit.log_evidence - joint);
      EXPECT_LE(error, 0.05 * last);
      EXPECT_LE(error, 0.03 * variance * variance);
      last = error;
      const Vector p = averaged_probability(likelihood, held_out_latent(*K, fit));
      EXPECT_NEAR(p[0], std::exp(joint - alone), 0.02 * variance);
    }
  }
}

// Without the mean's help the mode is that of the kernel machine with the same loss, when the bias of the latter is a
// constant added to the kernel.
TEST(GpLaplace, ModeIsTheKernelMachineWithABiasInTheKernel) {
  const RowMatrix X = testing::random_rows(40, 2, 1);
  const Vector t = (testing::random_signs(X, 2).col(0).array() + 1.0) / 2.0;
  const Matrix K = compute::cpu::kernel_matrix(kernels::Rbf{.theta = 0.5}, X, X);
  const double lambda = 0.3, wide = 1e7;  // variance of the bias: what is left of its prior is about 1e-7
  for (const Loss& likelihood : likelihoods) {
    const GpFit fit = gp_laplace(*testing::given(Matrix((K.array() + wide).matrix())), likelihood, t, 0.0, lambda);
    const IrlsFit machine = irls(*testing::given(K), likelihood, Vector::Ones(40), t, {}, lambda, compute::Want::solve);
    ASSERT_EQ(fit.stop, Stop::converged);
    EXPECT_LE((fit.z - machine.fit.z.col(0)).cwiseAbs().maxCoeff(), 1e-5);
  }
}

// Every row twice, with both labels: the mode is the mean of the prior, from which no step lowers the objective, and
// coefficients that K does not see carry the pulls.
TEST(GpLaplace, RowsThatContradictOneAnotherHaveTheirModeAtZero) {
  const RowMatrix half = testing::random_rows(12, 2, 41);
  RowMatrix X(24, 2);
  X << half, half;
  const Vector t = (Vector(24) << Vector::Ones(12), Vector::Zero(12)).finished();
  for (const Loss& likelihood : {Loss(losses::Logistic{}), Loss(losses::Probit{})})
    for (const double lambda : {1e-4, 1.0, 1e4})
      for (const double theta : {0.01, 0.3, 10.0}) {
        const GpFit fit =
            gp_laplace(*testing::backend().gram(kernels::Rbf{.theta = theta}, X), likelihood, t, 0.0, lambda);
        ASSERT_EQ(fit.stop, Stop::converged) << lambda << ' ' << theta;
        EXPECT_LE(fit.z.cwiseAbs().maxCoeff(), 1e-8);
        EXPECT_NEAR(fit.lambda * fit.alpha[0], -at(likelihood, 0.0, 1.0).c1, 1e-8);
      }
}

// Classes that overlap, under a prior so wide that the mode separates them all but for a few: Newton's method takes a
// hundred steps and more.
TEST(GpLaplace, ModesAreFoundUnderVeryWidePriors) {
  const Index l = 150;
  const RowMatrix X = testing::random_rows(l, 2, 6);
  Random random(7);
  Vector t(l);
  for (Index i = 0; i < l; ++i) t[i] = X(i, 0) + X(i, 1) * X(i, 1) + 0.7 * random.normal() > 0.5;
  const Kernel kernel = kernels::Rbf{.theta = 1.0};
  const auto K = testing::backend().gram(kernel, X);
  for (const Loss& likelihood : likelihoods)
    for (const double lambda : {1e-6, 1e-8, 1e-10}) {
      const GpFit fit = gp_laplace(*K, likelihood, t, 0.0, lambda);
      ASSERT_EQ(fit.stop, Stop::converged) << name_of(likelihood) << ' ' << lambda;
      double off = 0.0;  // coefficients are of the order of 1/lambda, and K alpha is rounded accordingly
      for (Index i = 0; i < l; ++i)
        off = std::max(off, std::abs(fit.lambda * fit.alpha[i] + at(likelihood, fit.z[i], t[i]).c1));
      EXPECT_LE(off, 1e-6) << name_of(likelihood) << ' ' << lambda;
      EXPECT_TRUE(std::isfinite(fit.log_evidence));
    }
}

TEST(GpLaplace, RejectsOtherLikelihoods) {
  const auto K = testing::given(Matrix(Matrix::Identity(2, 2)));
  EXPECT_THROW(gp_laplace(*K, losses::Squared{}, Vector::Ones(2), 0.0, 1.0), Error);
}

}  // namespace gp_laplace_test
}  // namespace lacuna

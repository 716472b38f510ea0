// What both approximations share, on both of them: gradients against central differences, latent moments and
// leave-one-out against dense linear algebra, extreme hyper-parameters, warm starts.
#include "lacuna/machine/gp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/loo/gp_held_out.hpp"
#include "lacuna/machine/gp_classifier.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace gp_test {

struct Named {
  std::string name;
  GpClassifier classifier;
};
const std::vector<Named> classifiers = {{"laplace logistic", {Inference::laplace, losses::Logistic{}}},
                                        {"laplace probit", {Inference::laplace, losses::Probit{}}},
                                        {"laplace probit, s = 2", {Inference::laplace, losses::Probit{.s = 2.0}}},
                                        {"ep probit", {Inference::ep, losses::Probit{}}},
                                        {"ep probit, s = 2", {Inference::ep, losses::Probit{.s = 2.0}}}};

Vector labels(const RowMatrix& X) { return (testing::random_signs(X, 3).col(0).array() + 1.0) / 2.0; }

// Gradients of kernels with many parameters, at a mean that is not zero.
TEST(Gp, GradientOfTheEvidenceMatchesCentralDifferences) {
  const RowMatrix X = testing::random_rows(30, 3, 1);
  const Vector t = labels(X);
  const double lambda = 0.15, mean = 0.4;
  for (const Kernel& kernel :
       {Kernel(kernels::Ard{{0.1, 0.3, 0.05}}), Kernel(kernels::Sum{{kernels::Rbf{.theta = 0.3}, kernels::Linear{}}})})
    for (const auto& [name, classifier] : classifiers) {
      SCOPED_TRACE(name);
      const auto evidence = [&, &classifier = classifier](const Kernel& k, double l, double m) {
        return fit_gp(classifier, *testing::backend().gram(k, X), t, m, l, 1e-12).log_evidence;
      };
      const auto K = testing::backend().gram(kernel, X);
      const GpFit fit = fit_gp(classifier, *K, t, mean, lambda, 1e-12);
      ASSERT_EQ(fit.stop, Stop::converged);
      const compute::CriterionGradient g = evidence_gradient(fit);
      constexpr double tolerance = 1e-7;
      EXPECT_NEAR(g.d_log_lambda,
                  testing::difference([&](double h) { return evidence(kernel, lambda * std::exp(h), mean); }),
                  tolerance);
      EXPECT_NEAR(g.d_mean, testing::difference([&](double h) { return evidence(kernel, lambda, mean + h); }),
                  tolerance);
      const std::vector<double> theta = kernel_parameters(kernel);
      for (std::size_t p = 0; p < theta.size(); ++p)
        EXPECT_NEAR(g.d_log_kernel[Index(p)], testing::difference([&](double h) {
                      std::vector<double> moved = theta;
                      moved[p] *= std::exp(h);
                      return evidence(with_parameters(kernel, moved), lambda, mean);
                    }),
                    tolerance);
    }
}

// The posterior is that of regression with noise 1/beta: C = K/lambda, cov = C - C (C + diag(1/beta))^-1 C.
TEST(Gp, LatentMomentsEqualThoseOfTheGaussianPosterior) {
  const RowMatrix X = testing::random_rows(25, 2, 1), X_new = testing::random_rows(7, 2, 2);
  const kernels::Rbf kernel{.theta = 0.4};
  const double lambda = 0.1, mean = -0.3;
  for (const auto& [name, classifier] : classifiers) {
    SCOPED_TRACE(name);
    const auto K = testing::backend().gram(kernel, X);
    const GpFit fit = fit_gp(classifier, *K, labels(X), mean, lambda);
    const Matrix C = compute::cpu::kernel_matrix(kernel, X, X) / lambda,
                 c = compute::cpu::kernel_matrix(kernel, X_new, X) / lambda;
    const Matrix noisy = C + Matrix(fit.beta.cwiseInverse().asDiagonal());
    const Vector eta = fit.z + lambda * fit.alpha.cwiseQuotient(fit.beta);
    const Eigen::LDLT<Matrix> solver(noisy);
    const LatentMoments at = latent(fit, testing::backend(), kernel, X_new, X);
    const Vector mean_expected = (c * solver.solve((eta.array() - mean).matrix())).array() + mean;
    EXPECT_LE((at.mean - mean_expected).cwiseAbs().maxCoeff(), 1e-9);
    const Vector variance = (Matrix::Identity(7, 7) / lambda - c * solver.solve(c.transpose())).diagonal();
    EXPECT_LE((at.variance - variance).cwiseAbs().maxCoeff(), 1e-10);

    const LatentMoments held_out = held_out_latent(*K, fit);
    for (Index i = 0; i < 25; ++i) {  // regression on the other rows
      Matrix others = noisy;
      others.row(i).setZero();
      others.col(i).setZero();
      others(i, i) = 1.0;
      Vector k = C.col(i), target = eta.array() - mean;
      k[i] = target[i] = 0.0;
      const Vector weights = others.ldlt().solve(k);
      EXPECT_NEAR(held_out.mean[i], mean + weights.dot(target), 1e-8);
      EXPECT_NEAR(held_out.variance[i], C(i, i) - weights.dot(k), 1e-8);
    }
  }
}

// Rows far on their right side have next to no weight: 1 - (A^-1)_ii is rounding there, the variance is not.
TEST(Gp, HeldOutVarianceOfARowWithoutWeightIsThatOfTheOthers) {
  RowMatrix X(4, 1);
  X << -40.0, -3.0, 3.0, 40.0;
  Vector t(4);
  t << 0.0, 0.0, 1.0, 1.0;
  const auto K = testing::backend().gram(kernels::Sum{{kernels::Linear{}, kernels::Rbf{.theta = 2.0}}}, X);
  const GpFit fit = fit_gp({Inference::laplace, losses::Probit{}}, *K, t, 0.0, 1e-3);
  ASSERT_TRUE(fit.usable());
  EXPECT_LT(fit.beta.minCoeff(), 1e-9);
  const LatentMoments held_out = held_out_latent(*K, fit);
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Long C = testing::dense(*K).cast<long double>() / fit.lambda;
  for (Index i = 0; i < 4; ++i) {  // C_ii - c'D (I + D C D)^-1 D c over the others
    Long d = fit.beta.cast<long double>().cwiseSqrt();
    d(i, 0) = 0.0L;
    const Long DCD = d.asDiagonal() * C * d.asDiagonal(), Dc = d.cwiseProduct(C.col(i));
    const Long left = (Long::Identity(4, 4) + DCD).ldlt().solve(Dc);
    const auto expected = double(C(i, i) - (Dc.transpose() * left)(0, 0));
    EXPECT_NEAR(held_out.variance[i], expected, 1e-6 * expected);
  }
}

// Leaving a row out in closed form keeps the other rows' sites; a refit renews them.
TEST(Gp, LeaveOneOutProbabilitiesAreCloseToThoseOfRefits) {
  constexpr Index l = 40;
  const RowMatrix X = testing::random_rows(l, 2, 8);
  const Vector t = labels(X);
  const kernels::Rbf kernel{.theta = 0.5};
  for (const auto& [name, classifier] : classifiers) {
    SCOPED_TRACE(name);
    const auto K = testing::backend().gram(kernel, X);
    const Vector p =
        averaged_probability(classifier.likelihood, held_out_latent(*K, fit_gp(classifier, *K, t, 0.2, 0.2)));
    double mean_difference = 0.0;
    for (Index i = 0; i < l; ++i) {
      RowMatrix others(l - 1, 2);
      Vector t_others(l - 1);
      others << X.topRows(i), X.bottomRows(l - 1 - i);
      t_others << t.head(i), t.tail(l - 1 - i);
      const GpFit refit = fit_gp(classifier, *testing::backend().gram(kernel, others), t_others, 0.2, 0.2);
      const RowMatrix row = X.row(i);
      const Vector truth =
          averaged_probability(classifier.likelihood, latent(refit, testing::backend(), kernel, row, others));
      mean_difference += std::abs(p[i] - truth[0]) / double(l);
    }
    EXPECT_LE(mean_difference,
              classifier.inference == Inference::ep ? 0.02 : 0.03);  // EP: 0.006 and, with s = 2, 0.012
  }
}

TEST(Gp, ExtremeHyperParametersGiveNumbersOrSayWhyNot) {
  const RowMatrix X = testing::random_rows(40, 2, 4);
  const Vector mixed = labels(X), one_class = Vector::Ones(40);
  int unusable = 0, tried = 0;
  for (const Vector& t : {mixed, one_class})
    for (const double theta : {1e-12, 1e-5, 0.5, 1e5})
      for (const double lambda : {1e-12, 1e-6, 1.0, 1e12})
        for (const double mean : {-30.0, 0.0, 2.0, 1e4})
          for (const auto& [name, classifier] : classifiers) {
            SCOPED_TRACE(name + ", theta " + std::to_string(theta) + ", log10 lambda " +
                         std::to_string(std::log10(lambda)) + ", mean " + std::to_string(mean));
            const auto K = testing::backend().gram(kernels::Rbf{.theta = theta}, X);
            const GpFit fit = fit_gp(classifier, *K, t, mean, lambda);
            ++tried;
            EXPECT_FALSE(std::isnan(fit.log_evidence));
            EXPECT_LE(fit.log_evidence, 1e-6);  // labels are discrete: their probability is at most 1
            if (!fit.usable()) {
              EXPECT_NE(fit.stop, Stop::converged);
              ++unusable;
              continue;
            }
            const compute::CriterionGradient g = evidence_gradient(fit);
            EXPECT_TRUE(g.d_log_kernel.allFinite() && std::isfinite(g.d_log_lambda) && std::isfinite(g.d_mean));
            const LatentMoments held_out = held_out_latent(*K, fit),
                                at = latent(fit, testing::backend(), kernels::Rbf{theta}, X, X);
            EXPECT_TRUE(held_out.mean.allFinite() && at.mean.allFinite());
            EXPECT_GE(std::min(held_out.variance.minCoeff(), at.variance.minCoeff()), 0.0);
            const Vector p = averaged_probability(fit.likelihood, held_out);
            EXPECT_TRUE((p.array() >= 0.0 && p.array() <= 1.0).all());
          }
  EXPECT_LE(unusable,
            tried / 20);  // a variance of 1e12 in one direction is beyond double precision for Newton's method
}

TEST(Gp, StartAtANeighbourLeadsToTheSameFitSooner) {
  const RowMatrix X = testing::random_rows(60, 2, 5);
  const Vector t = labels(X);
  for (const auto& [name, classifier] : classifiers) {
    SCOPED_TRACE(name);
    const auto near = testing::backend().gram(kernels::Rbf{.theta = 0.5}, X),
               K = testing::backend().gram(kernels::Rbf{.theta = 0.52}, X);
    const WarmStart start = start_from(fit_gp(classifier, *near, t, 0.2, 0.1));
    const GpFit cold = fit_gp(classifier, *K, t, 0.25, 0.09), warm = fit_gp(classifier, *K, t, 0.25, 0.09, {}, start);
    EXPECT_NEAR(warm.log_evidence, cold.log_evidence, 1e-9);
    EXPECT_LE((warm.z - cold.z).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LE(warm.factorisations, cold.factorisations);
  }
}

TEST(Gp, BackEndsAgree) {
  const RowMatrix X = testing::random_rows(25, 2, 6);
  for (const auto& [name, classifier] : classifiers) {
    SCOPED_TRACE(name);
    const kernels::Rbf kernel{.theta = 0.5};
    const GpFit a = fit_gp(classifier, *testing::backend().gram(kernel, X), labels(X), 0.1, 0.2),
                b = fit_gp(classifier, *reference_backend().gram(kernel, X), labels(X), 0.1, 0.2);
    EXPECT_NEAR(a.log_evidence, b.log_evidence, 1e-10);
    EXPECT_NEAR(evidence_gradient(a).d_log_kernel[0], evidence_gradient(b).d_log_kernel[0], 1e-7);
  }
}

TEST(Gp, RejectsWhatCannotBe) {
  const RowMatrix X = testing::random_rows(5, 2, 6);
  const auto K = testing::backend().gram(kernels::Rbf{}, X);
  EXPECT_THROW(fit_gp({Inference::ep, losses::Logistic{}}, *K, labels(X), 0.0, 1.0), Error);
  EXPECT_THROW(fit_gp({Inference::laplace, losses::Poisson{}}, *K, labels(X), 0.0, 1.0), Error);
  const GpFit fit = fit_gp({}, *K, labels(X), 0.0, 1.0);
  const RowMatrix square = RowMatrix::Identity(5, 5);
  EXPECT_THROW(latent(fit, testing::backend(), kernels::Precomputed{}, square, square), Error);
}

}  // namespace gp_test
}  // namespace lacuna

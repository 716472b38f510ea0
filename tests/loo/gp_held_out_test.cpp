// Held-out rows of Gaussian processes: folds in closed form against the Gaussian that the other rows' sites make, and
// refits against fits of the other rows alone.
#include "lacuna/loo/gp_held_out.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/loo/leave_pair_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace gp_held_out_test {

const std::vector<GpClassifier> classifiers = {{Inference::laplace, losses::Logistic{}},
                                               {Inference::laplace, losses::Probit{.s = 2.0}},
                                               {Inference::ep, losses::Probit{}}};

Matrix labels(const RowMatrix& X, std::uint64_t seed) { return (testing::random_signs(X, seed).array() + 1.0) / 2.0; }

const Folds folds{{0, 7, 3}, {1}, {2, 4, 5, 6, 8, 9, 10, 11}, {12, 13, 14, 15, 16, 17, 18, 19}};

Matrix take(const Matrix& A, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  return A(rows, columns);
}

std::vector<Index> others(const std::vector<Index>& fold, Index l) {
  std::vector<Index> out;
  for (Index i = 0; i < l; ++i)
    if (std::find(fold.begin(), fold.end(), i) == fold.end()) out.push_back(i);
  return out;
}

TEST(GpHeldOut, FoldsAreWhatTheSitesOfTheOtherRowsSay) {
  const RowMatrix X = testing::random_rows(20, 2, 1);
  const Vector t = labels(X, 2).col(0);
  const double mean = 0.3;
  for (const double lambda : {1e-4, 0.1, 10.0})
    for (const GpClassifier& classifier : classifiers) {
      const Kernel kernel = kernels::Rbf{.theta = 0.4};
      const auto K = testing::backend().gram(kernel, X);
      const GpFit fit = fit_gp(classifier, *K, t, mean, lambda);
      const LatentMoments at = held_out_latent(*K, fit, folds);
      const Matrix C = compute::cpu::kernel_matrix(kernel, X, X) / lambda;
      const Vector eta = (fit.z.array() - mean) + lambda * fit.alpha.array() / fit.beta.array();
      for (const auto& fold : folds) {
        const std::vector<Index> rest = others(fold, 20);
        Matrix M = take(C, rest, rest);
        M.diagonal() += fit.beta(rest).cwiseInverse();
        const Matrix cross = take(C, fold, rest), solved = M.llt().solve(cross.transpose());
        const Vector m = (solved.transpose() * eta(rest)).array() + mean;
        const Vector v = (take(C, fold, fold) - cross * solved).diagonal();
        for (std::size_t k = 0; k < fold.size(); ++k) {
          // Prior variances are up to 1e4; the difference of two such numbers keeps a part of it.
          EXPECT_NEAR(at.mean[fold[k]], m[Index(k)], 1e-9 / lambda);
          EXPECT_NEAR(at.variance[fold[k]], v[Index(k)], 1e-9 / lambda);
        }
      }
    }
}

TEST(GpHeldOut, FoldsOfOneRowAreLeaveOneOut) {
  const RowMatrix X = testing::random_rows(15, 3, 3);
  Folds single;
  for (Index i = 0; i < 15; ++i) single.push_back({i});
  for (const GpClassifier& classifier : classifiers) {
    const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.2}, X);
    const GpFit fit = fit_gp(classifier, *K, labels(X, 4).col(0), 0.0, 0.2);
    const LatentMoments one = held_out_latent(*K, fit, Folds{}), same = held_out_latent(*K, fit, single);
    EXPECT_LE((one.mean - same.mean).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_LE((one.variance - same.variance).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(GpHeldOut, PairsAreFoldsOfTwo) {
  const RowMatrix X = testing::random_rows(20, 2, 10);
  const Vector t = labels(X, 11).col(0);
  Vector weights = Vector::LinSpaced(20, 0.5, 2.0);
  weights[4] = 0.0;
  std::vector<bool> positive;
  for (const double one : t) positive.push_back(one > 0.5);
  for (const GpClassifier& classifier : classifiers) {
    const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.4}, X);
    const GpFit fit = fit_gp(classifier, *K, t, 0.2, 0.1);
    double won = 0.0, total = 0.0;
    for (Index i = 0; i < 20; ++i)
      for (Index j = 0; j < 20; ++j) {
        if (!positive[std::size_t(i)] || positive[std::size_t(j)]) continue;
        Folds pair{{i, j}, {}};
        pair[1] = others(pair[0], 20);
        const LatentMoments at = held_out_latent(*K, fit, pair);
        const Vector z = averaged_probability(classifier.likelihood, at);
        won += weights[i] * weights[j] * (z[i] > z[j] ? 1.0 : 0.0);
        total += weights[i] * weights[j];
      }
    // Of 20 rows no logistic pair is so close that the approximate rank would differ.
    const Vector side = weights.cwiseProduct((2.0 * t.array() - 1.0).matrix());
    EXPECT_NEAR(leave_pair_out_auc(*K, fit, side)[0], won / total, 1e-12);
  }
}

// Equal rows, as many of either kind: nothing sets them apart, and every output is as good as 0.
TEST(GpHeldOut, PairsOfRowsThatAreAllAlikeAreTies) {
  const RowMatrix X = RowMatrix::Ones(20, 2);
  Vector side(20);
  for (Index i = 0; i < 20; ++i) side[i] = i % 2 == 0 ? 1.0 : -1.0;
  for (const GpClassifier& classifier : classifiers) {
    const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.4}, X);
    const GpFit fit = fit_gp(classifier, *K, side.cwiseMax(0.0), 0.0, 0.1);
    EXPECT_EQ(leave_pair_out_auc(*K, fit, side)[0], 0.5);
  }
}

TEST(GpHeldOut, RefitsAreFitsOfTheOtherRows) {
  const RowMatrix X = testing::random_rows(20, 2, 5);
  Matrix t(20, 2);
  t << labels(X, 6), labels(X, 7);
  const Kernel kernel = kernels::Rbf{.theta = 0.5};
  for (const GpClassifier& classifier : classifiers) {
    const auto K = testing::backend().gram(kernel, X);
    WarmStarts full;
    for (Index c = 0; c < 2; ++c) full.push_back(start_from(fit_gp(classifier, *K, t.col(c), 0.1, 0.3)));
    for (const WarmStarts& starts : {WarmStarts{}, full}) {
      const Supervision learn{.loss = classifier.likelihood, .zeta = Vector::Ones(20), .t = t};
      const Refits refits = refit_held_out(classifier.inference, *K, learn, {0.3, 0.1}, folds, starts);
      ASSERT_EQ(refits.stop, Stop::converged);
      for (const auto& fold : folds) {
        const std::vector<Index> rest = others(fold, 20);
        const RowMatrix X_rest = X(rest, Eigen::all), X_fold = X(fold, Eigen::all);
        for (Index c = 0; c < 2; ++c) {
          const auto K_rest = testing::backend().gram(kernel, X_rest);
          const GpFit fit = fit_gp(classifier, *K_rest, t.col(c)(rest), 0.1, 0.3);
          const LatentMoments at = latent(fit, testing::backend(), kernel, X_fold, X_rest);
          for (std::size_t k = 0; k < fold.size(); ++k) {
            EXPECT_NEAR(refits.mean(fold[k], c), at.mean[Index(k)], 1e-7);
            EXPECT_NEAR(refits.variance(fold[k], c), at.variance[Index(k)], 1e-7);
            EXPECT_NEAR(refits.z(fold[k], c), moderated(classifier.likelihood, at)[Index(k)], 1e-7);
          }
        }
      }
    }
  }
}

TEST(GpHeldOut, RefitsStopWhenAskedTo) {
  const RowMatrix X = testing::random_rows(20, 2, 8);
  const auto K = testing::backend().gram(kernels::Rbf{}, X);
  int asked = 0;
  const Observer observer = [&](const Progress&) { return ++asked < 3; };
  const Supervision learn{.loss = losses::Logistic{}, .zeta = Vector::Ones(20), .t = labels(X, 9)};
  const Refits refits = refit_held_out(Inference::laplace, *K, learn, 1.0, folds, {}, observer);
  EXPECT_EQ(refits.stop, Stop::interrupted);
  EXPECT_EQ(asked, 3);
}

}  // namespace gp_held_out_test
}  // namespace lacuna

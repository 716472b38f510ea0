// A row of weight k is k copies of it, to both approximations: posterior, evidence, held-out rows, new ones.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/loo/gp_held_out.hpp"
#include "lacuna/machine/gp_classifier.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace gp_weights_test {

const std::vector<GpClassifier> classifiers = {{Inference::laplace, losses::Logistic{}},
                                               {Inference::laplace, losses::Probit{.s = 2.0}},
                                               {Inference::ep, losses::Probit{}}};

Vector labels(const RowMatrix& X) { return (testing::random_signs(X, 3).col(0).array() + 1.0) / 2.0; }

TEST(GpWeights, CountCopies) {
  constexpr Index n = 20;
  const RowMatrix X = testing::random_rows(n, 2, 1), fresh = testing::random_rows(6, 2, 2);
  const Vector t = labels(X);
  Vector zeta(n);
  std::vector<Index> copy_of;
  for (Index i = 0; i < n; ++i) {
    zeta[i] = double(1 + i % 3);
    for (Index k = 0; k <= i % 3; ++k) copy_of.push_back(i);
  }
  const RowMatrix copies = X(copy_of, Eigen::all);
  Folds folds(static_cast<std::size_t>(n));
  for (std::size_t j = 0; j < copy_of.size(); ++j) folds[std::size_t(copy_of[j])].push_back(Index(j));
  const kernels::Rbf kernel{.theta = 0.4};
  const auto K = testing::backend().gram(kernel, X), K_copies = testing::backend().gram(kernel, copies);
  for (const GpClassifier& classifier : classifiers)
    for (const double lambda : {0.01, 0.5}) {
      const GpFit weighted = fit_gp(classifier, *K, t, 0.2, lambda, 1e-11, {}, zeta);
      const GpFit one_by_one = fit_gp(classifier, *K_copies, t(copy_of), 0.2, lambda, 1e-11);
      ASSERT_TRUE(weighted.usable() && one_by_one.usable());
      // Sites settle to about 1e-9 of a posterior deviation, which is up to ten here.
      constexpr double tolerance = 1e-7;
      EXPECT_NEAR(weighted.log_evidence, one_by_one.log_evidence, tolerance);
      const LatentMoments a = latent(weighted, testing::backend(), kernel, fresh, X);
      const LatentMoments b = latent(one_by_one, testing::backend(), kernel, fresh, copies);
      EXPECT_LT((a.mean - b.mean).cwiseAbs().maxCoeff(), tolerance);
      EXPECT_LT((a.variance - b.variance).cwiseAbs().maxCoeff(), tolerance);
      const LatentMoments without = held_out_latent(*K, weighted),
                          without_copies = held_out_latent(*K_copies, one_by_one, folds);
      for (Index i = 0; i < n; ++i) {
        const Index first = folds[std::size_t(i)].front();
        EXPECT_NEAR(without.mean[i], without_copies.mean[first], 10.0 * tolerance);
        EXPECT_NEAR(without.variance[i], without_copies.variance[first], 10.0 * tolerance);
      }
    }
}

TEST(GpWeights, OfZeroTakeARowAway) {
  constexpr Index n = 20;
  const RowMatrix X = testing::random_rows(n, 2, 4), fresh = testing::random_rows(6, 2, 5);
  const Vector t = labels(X);
  Vector zeta = Vector::Ones(n);
  std::vector<Index> kept;
  for (Index i = 0; i < n; ++i)
    if (i % 4 == 1)
      zeta[i] = 0.0;
    else
      kept.push_back(i);
  const kernels::Rbf kernel{.theta = 0.4};
  const RowMatrix some = X(kept, Eigen::all);
  const GpFit a = fit_gp({}, *testing::backend().gram(kernel, X), t, 0.2, 0.1, {}, {}, zeta);
  const GpFit b = fit_gp({}, *testing::backend().gram(kernel, some), t(kept), 0.2, 0.1);
  EXPECT_LT(
      (latent(a, testing::backend(), kernel, fresh, X).mean - latent(b, testing::backend(), kernel, fresh, some).mean)
          .cwiseAbs()
          .maxCoeff(),
      1e-9);
  EXPECT_LT((latent(a, testing::backend(), kernel, fresh, X).variance -
             latent(b, testing::backend(), kernel, fresh, some).variance)
                .cwiseAbs()
                .maxCoeff(),
            1e-9);
}

}  // namespace gp_weights_test
}  // namespace lacuna

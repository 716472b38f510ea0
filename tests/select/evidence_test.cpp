// Selection by evidence: the search's gradient, its optimum against a grid, what may be fixed, several classes.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/select/detail/parameters.hpp"
#include "lacuna/select/select.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace evidence_test {

const std::vector<GpClassifier> classifiers = {{Inference::laplace, losses::Logistic{}},
                                               {Inference::ep, losses::Probit{}}};

Problem problem(const RowMatrix& X, const GpClassifier& classifier) {
  Problem out;
  out.X = RowsView(X);
  out.learn = {.loss = classifier.likelihood,
               .zeta = Vector::Ones(X.rows()),
               .t = (testing::random_signs(X, 2).array() + 1.0) / 2.0};
  out.inference = classifier.inference;
  out.criterion = Criterion::evidence;
  out.partitions = {Folds{}};
  return out;
}

Selection select_with(Problem p, const KernelSpec& kernel, std::optional<double> lambda, std::optional<double> mean,
                      const SearchPlan& options = {}) {
  p.mean = mean;
  return select(p, kernel, lambda, options);
}

TEST(Evidence, SearchEndsAtTheBestOfAGrid) {
  const RowMatrix X = testing::random_rows(70, 2, 1);
  for (const GpClassifier& classifier : classifiers) {
    const Problem p = problem(X, classifier);
    const Selection s = select_with(p, bind_kernel(rbf(), 2), {}, 0.0);
    EXPECT_EQ(s.search.stop, Stop::converged);
    EXPECT_EQ(s.values.back(), 0.0);
    double best = INFINITY;
    for (double theta = 1e-3; theta < 30.0; theta *= 1.5)
      for (double lambda = 1e-4; lambda < 30.0; lambda *= 2.0)
        best = std::min(best, criterion_at(p, kernels::Rbf{.theta = theta}, {lambda, 0.0}, false).value);
    EXPECT_LE(s.criterion, best + 1e-3);
    const CriterionAt at = criterion_at(p, s.kernel, {s.lambda, 0.0}, true);
    EXPECT_NEAR(at.value, s.criterion, 1e-5);
    EXPECT_LE(std::abs(at.d_log_lambda), 0.05);
    EXPECT_LE(std::abs(at.d_log_kernel[0]), 0.05);
  }
}

// Two thirds of the rows are positive however far one goes: a mean explains that, a zero-mean prior has to bend.
TEST(Evidence, ChosenMeanHasMoreEvidence) {
  const RowMatrix X = 2.0 * testing::random_rows(80, 3, 3);
  for (const GpClassifier& classifier : classifiers) {
    Problem p = problem(X, classifier);
    for (Index i = 0; i < 80; ++i) p.learn.t(i, 0) = X.row(i).squaredNorm() > 6.0 ? 1.0 : 0.0;
    const Selection zero = select_with(p, bind_kernel(rbf(), 3), {}, 0.0),
                    chosen = select_with(p, bind_kernel(rbf(), 3), {}, {});
    EXPECT_LT(chosen.criterion, zero.criterion - 1.0);
    EXPECT_GT(chosen.values.back(), 0.0);
    ASSERT_EQ(chosen.names, (std::vector<std::string>{"lambda", "theta", "mean"}));
    EXPECT_EQ(chosen.optima.at(0).back(), chosen.values.back());
  }
}

// Labels that have nothing to do with the rows: a prior of next to no variance, whose mean is the share of the classes.
TEST(Evidence, OnNoiseTheMeanIsTheShareOfTheClasses) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const GpClassifier& classifier : classifiers) {
      const RowMatrix X = testing::random_rows(120, 3, seed);
      Problem p = problem(X, classifier);
      Random random(seed);
      for (Index i = 0; i < 120; ++i) p.learn.t(i, 0) = random.uniform() < 0.15;
      const double share = p.learn.t.mean();
      const double constant = -120.0 * (share * std::log(share) + (1.0 - share) * std::log(1.0 - share));
      const Selection s = select_with(p, bind_kernel(rbf(), 3), {}, {});
      EXPECT_LE(s.criterion, constant + 1e-2) << "seed " << seed;  // the least variance there is, 1e-4, costs 0.002
    }
}

// The gradient that the search sees is that of what it sees: all coordinates, the mean's among them.
TEST(Evidence, PointsAndValuesOfTheSearchBelongTogether) {
  const RowMatrix X = testing::random_rows(40, 2, 5);
  for (const GpClassifier& classifier : classifiers) {
    const Problem p = problem(X, classifier);
    const detail::Parameters parameters(bind_kernel(rbf(), 2), {}, {}, 1.0);
    const Vector x{{std::log(0.3), std::log(0.7), -0.4}};
    EXPECT_LT((parameters.point(parameters.values(x)) - x).norm(), 1e-12);
    const auto at = [&](const Vector& where, bool gradient) {
      const std::vector<double> v = parameters.values(where);
      return criterion_at(p, parameters.kernel(v), {v.front(), v.back()}, gradient);
    };
    const Vector ours = parameters.gradient(at(x, true), parameters.values(x));
    for (Index k = 0; k < 3; ++k) {
      Vector up = x, down = x;
      const double h = 1e-4;
      up[k] += h, down[k] -= h;
      const double difference = (at(up, true).value - at(down, true).value) / (2.0 * h);
      EXPECT_NEAR(ours[k], difference, 1e-4 * (1.0 + std::abs(difference))) << k;
    }
  }
}

// The mean is searched in units of the prior's deviation, so that lambda moves it too: all coordinates, seen from
// outside.
TEST(Evidence, EveryFixedParameterStaysAndTheOthersImprove) {
  const RowMatrix X = testing::random_rows(50, 2, 4);
  const Problem p = problem(X, classifiers[0]);
  const Selection all = select_with(p, bind_kernel(rbf(), 2), {}, {});
  const Selection theta = select_with(p, bind_kernel(rbf(0.7), 2), {}, {});
  EXPECT_EQ(kernel_parameters(theta.kernel)[0], 0.7);
  const Selection lambda = select_with(p, bind_kernel(rbf(), 2), 0.3, {});
  EXPECT_EQ(lambda.lambda, 0.3);
  const Selection only_mean = select_with(p, bind_kernel(rbf(0.7), 2), 0.3, {});
  const Selection nothing = select_with(p, bind_kernel(rbf(0.7), 2), 0.3, 0.0);
  EXPECT_EQ(nothing.search.evaluations, 0);
  EXPECT_LE(all.criterion, theta.criterion + 1e-3);
  EXPECT_LE(all.criterion, lambda.criterion + 1e-3);
  EXPECT_LE(theta.criterion, only_mean.criterion + 1e-3);
  EXPECT_LE(only_mean.criterion, nothing.criterion + 1e-3);
  // At its optimum the evidence does not change with the mean.
  const auto at = [&](double h) {
    return criterion_at(p, only_mean.kernel, {0.3, only_mean.values.back() + h}, true).value;
  };
  EXPECT_NEAR(testing::difference(at), 0.0, 0.01);
}

TEST(Evidence, SeveralColumnsAddUp) {
  const RowMatrix X = testing::random_rows(40, 2, 5);
  for (const GpClassifier& classifier : classifiers) {
    Problem both = problem(X, classifier), first = both, second = both;
    second.learn.t = testing::random_signs(X, 9).cwiseMax(0.0);
    both.learn.t.conservativeResize(40, 2);
    both.learn.t.col(1) = second.learn.t;
    const auto at = [](const Problem& p) { return criterion_at(p, kernels::Rbf{.theta = 0.4}, {0.2, 0.1}, true); };
    EXPECT_NEAR(at(both).value, at(first).value + at(second).value, 1e-9);
    EXPECT_NEAR(at(both).d_mean, at(first).d_mean + at(second).d_mean, 1e-6);
  }
}

TEST(Evidence, EveryRelevanceOfAnArdKernelIsSelected) {
  const RowMatrix X = testing::random_rows(60, 3, 6);
  Problem p = problem(X, classifiers[0]);
  for (Index i = 0; i < 60; ++i)
    p.learn.t(i, 0) = std::abs(X(i, 0)) > 0.7 ? 1.0 : 0.0;  // the other features have no part in it
  const Selection s = select_with(p, bind_kernel(ard(), 3), {}, 0.0);
  const std::vector<double> theta = kernel_parameters(s.kernel);
  EXPECT_GT(theta[0], 10.0 * theta[1]);
  EXPECT_GT(theta[0], 10.0 * theta[2]);
}

TEST(Evidence, SaysWhatIsMissingWhenNothingIsToBeSearched) {
  const RowMatrix X = testing::random_rows(10, 2, 5);
  SearchPlan options;
  options.method = SearchMethod::none;
  try {
    select_with(problem(X, classifiers[0]), bind_kernel(rbf(), 2), {}, 0.0, options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("lambda, theta"), std::string::npos) << e.what();
  }
}

}  // namespace evidence_test
}  // namespace lacuna

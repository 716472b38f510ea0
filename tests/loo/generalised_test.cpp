// Machines of any loss through the whole chain: refits equal fits of the rows that are left, and gradients through
// several outputs match central differences.
#include <gtest/gtest.h>

#include "lacuna/loo/refit.hpp"
#include "lacuna/select/select.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace generalised_test {

using testing::difference;

constexpr Index n = 40;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(n, 3, 71);
  return rows;
}

Matrix block(const compute::Gram& K, const std::vector<Index>& rows, const std::vector<Index>& cols) {
  return testing::dense(K)(rows, cols);
}

Supervision logistic(int zeros) {
  const Matrix y = testing::random_signs(X(), 72);
  return {losses::Logistic{}, testing::random_weights(n, 73, zeros), (0.5 * (y.array() + 1.0)).matrix(), {}};
}
Supervision poisson(int zeros) {
  Random random(74);
  Matrix t(n, 1);
  Vector offset(n);
  for (Index i = 0; i < n; ++i) {
    offset[i] = 0.4 * random.normal();
    t(i, 0) = double(random.poisson(std::exp(0.5 * X()(i, 0) + offset[i])));
  }
  return {losses::Poisson{}, testing::random_weights(n, 73, zeros), t, offset};
}
Supervision three_classes(const Loss& loss, double negative) {
  Matrix t = Matrix::Constant(n, 3, negative);
  for (Index i = 0; i < n; ++i) t(i, X()(i, 0) > 0.4 ? 2 : X()(i, 1) > 0.0 ? 1 : 0) = 1.0;
  return {loss, testing::random_weights(n, 73), t, {}};
}

std::vector<Index> without(Index i) {
  std::vector<Index> rows;
  for (Index j = 0; j < n; ++j)
    if (j != i) rows.push_back(j);
  return rows;
}

TEST(GeneralisedRefit, EqualsAFitOfTheOtherRowsFromColdAndWarm) {
  for (const Supervision& learn : {logistic(0), logistic(5), poisson(4), three_classes(losses::Probit{}, 0.0)}) {
    const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.3}, X());
    const double lambda = 0.2;
    WarmStarts full;
    for_each_part(*K, learn, lambda, compute::Want::solve, &full, [](const DualFit&, Index) { return true; });
    ASSERT_EQ(Index(full.size()), learn.columns());
    const Folds some{{3}, {17}, {30}};
    const Refits cold = refit_held_out(*K, learn, lambda, some);
    const Refits warm = refit_held_out(*K, learn, lambda, some, full);
    EXPECT_LT(warm.factorisations, cold.factorisations);
    for (const auto& fold : some) {
      const std::vector<Index> rest = without(fold[0]);
      const Supervision left = take_rows(learn, rest);
      const auto K_rest = testing::given(block(*K, rest, rest));
      for (Index c = 0; c < learn.columns(); ++c) {
        const IrlsFit fit =
            irls(*K_rest, left.loss, left.zeta, left.t.col(c), left.offset, lambda, compute::Want::solve);
        const double z = (block(*K, fold, rest) * fit.fit.alpha)(0, 0) + fit.fit.b[0];
        EXPECT_NEAR(cold.z(fold[0], c), z, 1e-8);
        EXPECT_NEAR(warm.z(fold[0], c), z, 1e-8);
      }
    }
    EXPECT_TRUE(std::isnan(cold.z(0, 0))) << "rows of no fold have no held-out output";
  }
}

void expect_gradient(const Problem& problem, const Kernel& kernel, double lambda) {
  const CriterionAt at = criterion_at(problem, kernel, lambda, true);
  ASSERT_TRUE(std::isfinite(at.value));
  const std::vector<double> p0 = kernel_parameters(kernel);
  const auto value = [&](const Kernel& k, double l) { return criterion_at(problem, k, l, true).value; };
  double largest = std::max(std::abs(at.value), std::abs(at.d_log_lambda));
  for (const double g : at.d_log_kernel) largest = std::max(largest, std::abs(g));
  EXPECT_NEAR(at.d_log_lambda, difference([&](double h) { return value(kernel, lambda * std::exp(h)); }),
              1e-5 * largest);
  for (std::size_t p = 0; p < p0.size(); ++p) {
    const double fd = difference([&](double h) {
      std::vector<double> q = p0;
      q[p] *= std::exp(h);
      return value(with_parameters(kernel, q), lambda);
    });
    EXPECT_NEAR(at.d_log_kernel[Index(p)], fd, 1e-5 * largest);
  }
}

TEST(GeneralisedGradient, OfOwnLossThroughEveryKernelAndSeveralOutputs) {
  const std::vector<std::pair<std::string, Supervision>> all{{"logistic", logistic(4)},
                                                             {"poisson", poisson(4)},
                                                             {"three logistic", three_classes(losses::Logistic{}, 0.0)},
                                                             {"three probit", three_classes(losses::Probit{}, 0.0)}};
  for (const auto& [loss_name, learn] : all)
    for (const auto& folds :
         {std::vector<Folds>{Folds{}}, std::vector<Folds>{k_folds(n, 5, {}, 1), k_folds(n, 4, {}, 2)}})
      for (const auto& [kernel_name, kernel] : testing::all_kernels(3)) {
        SCOPED_TRACE(loss_name + ", " + kernel_name + (folds.size() == 1 ? ", loo" : ", folds"));
        Problem problem;
        problem.X = X();
        problem.learn = learn;
        problem.truth = {learn.t, {}, 0, testing::random_weights(n, 75, 3), learn.loss, learn.t, learn.offset};
        problem.criterion = Criterion::xent;
        problem.partitions = folds;
        problem.tolerance = 1e-11;  // differences see what a search may ignore
        expect_gradient(problem, kernel, 0.3);
      }
}

TEST(Parts, StopWhereTheVisitorSaysSo) {
  const Supervision learn = three_classes(losses::Logistic{}, 0.0);
  const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.3}, X());
  int seen = 0;
  const PartsResult r =
      for_each_part(*K, learn, 0.1, compute::Want::solve, nullptr, [&](const DualFit&, Index) { return ++seen < 2; });
  EXPECT_EQ(r.stop, Stop::interrupted);
  EXPECT_EQ(seen, 2);
}

}  // namespace generalised_test
}  // namespace lacuna

// Machines of any loss through the whole chain: refits equal fits of the rows that are left, the second step is the chord
// step it claims to be and points towards the refit, and gradients through several outputs match central differences.
#include <gtest/gtest.h>

#include <numeric>

#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/line_search_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/loo/second_step.hpp"
#include "lacuna/select/select.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

using testing::difference;

constexpr Index n = 40;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(n, 3, 71);
  return rows;
}

Matrix block(const Gram& K, const std::vector<Index>& rows, const std::vector<Index>& cols) {
  return K.block(rows, cols);
}

Supervision logistic(int zeros) {
  const Matrix y = testing::random_signs(X(), 72);
  return {Logistic{}, testing::random_weights(n, 73, zeros), (0.5 * (y.array() + 1.0)).matrix(), {}};
}
Supervision poisson(int zeros) {
  Random random(74);
  Matrix t(n, 1);
  Vector offset(n);
  for (Index i = 0; i < n; ++i) {
    offset[i] = 0.4 * random.normal();
    t(i, 0) = double(random.poisson(std::exp(0.5 * X()(i, 0) + offset[i])));
  }
  return {Poisson{}, testing::random_weights(n, 73, zeros), t, offset};
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
  for (const Supervision& learn : {logistic(0), logistic(5), poisson(4), three_classes(Probit{}, 0.0)}) {
    const auto K = cpu_backend().gram(Rbf{.theta = 0.3}, X());
    const double lambda = 0.2;
    WarmStarts full;
    for_each_part(*K, learn, lambda, Want::solve, &full, [](const DualFit&, Index) { return true; });
    ASSERT_EQ(Index(full.size()), learn.columns());
    const Folds some{{3}, {17}, {30}};
    const Refits cold = refit_held_out(cpu_backend(), *K, learn, lambda, some);
    const Refits warm = refit_held_out(cpu_backend(), *K, learn, lambda, some, full);
    EXPECT_LT(warm.factorisations, cold.factorisations);
    for (const auto& fold : some) {
      const std::vector<Index> rest = without(fold[0]);
      const Supervision left = take_rows(learn, rest);
      const auto K_rest = cpu_backend().gram(block(*K, rest, rest));
      for (Index c = 0; c < learn.columns(); ++c) {
        const IrlsFit fit = irls(*K_rest, left.loss, left.zeta, left.t.col(c), left.offset, lambda, Want::solve);
        const double z = (block(*K, fold, rest) * fit.fit.alpha)(0, 0) + fit.fit.b[0];
        EXPECT_NEAR(cold.z(fold[0], c), z, 1e-8);
        EXPECT_NEAR(warm.z(fold[0], c), z, 1e-8);
      }
    }
    EXPECT_TRUE(std::isnan(cold.z(0, 0))) << "rows of no fold have no held-out output";
  }
}

TEST(SecondStep, IsTheChordStepOfTheRowsThatAreLeft) {
  for (const Supervision& learn : {logistic(0), logistic(5), poisson(4)}) {
    const double lambda = 0.05;
    const auto K = cpu_backend().gram(Rbf{.theta = 0.5}, X());
    const IrlsFit f = irls(*K, learn.loss, learn.zeta, learn.t.col(0), learn.offset, lambda, Want::inverse);
    ASSERT_EQ(f.stop, Stop::converged);
    const Vector dz = second_step(f.fit, learn, 0);
    for (Index i = 0; i < n; ++i) {
      if (!f.fit.in_system(i)) {
        EXPECT_EQ(dz[i], 0.0);
        continue;
      }
      // First step: the last least-squares problem without row i. Second: the same matrix, working targets moved by what is
      // left of stationarity.
      Vector beta = f.fit.beta;
      beta[i] = 0.0;
      const DualFit first = solve_dual(*K, beta, f.fit.eta, lambda, Want::solve);
      Matrix eta = f.fit.eta;
      for (Index j = 0; j < n; ++j) {
        if (!(beta[j] > 0.0)) continue;
        const double z = first.z(j, 0);
        const double rho =
            lambda * first.alpha(j, 0) + learn.zeta[j] * at(learn.loss, z + learn.offset_of(j), learn.t(j, 0)).c1;
        eta(j, 0) -= rho / beta[j];
      }
      const DualFit second = solve_dual(*K, beta, eta, lambda, Want::solve);
      EXPECT_NEAR(dz[i], second.z(i, 0) - first.z(i, 0), 1e-7 * std::max(1.0, std::abs(dz[i])));
    }
  }
}

TEST(SecondStep, PointsTowardsTheRefit) {
  const Supervision learn = logistic(0);
  const double lambda = 0.2;
  const auto K = cpu_backend().gram(Rbf{.theta = 0.5}, X());
  const IrlsFit f = irls(*K, learn.loss, learn.zeta, learn.t.col(0), {}, lambda, Want::inverse);
  const Vector one = leave_one_out(f.fit, Q_diagonal(f.fit)).col(0), dz = second_step(f.fit, learn, 0);
  const Vector truth = refit_held_out(cpu_backend(), *K, learn, lambda, {}).z.col(0);
  EXPECT_GT((one - truth).cwiseAbs().maxCoeff(), 0.02);  // or there would be nothing to correct
  EXPECT_LT((one + dz - truth).norm(), 0.5 * (one - truth).norm());
  // The largest doubts are where the largest errors are.
  Index worst = 0;
  (one - truth).cwiseAbs().maxCoeff(&worst);
  EXPECT_GT(std::abs(dz[worst]), 0.5 * dz.cwiseAbs().maxCoeff());
}

TEST(SecondStep, IsNothingForTheSquaredLoss) {
  Supervision learn = logistic(0);
  learn.loss = Squared{};
  const auto K = cpu_backend().gram(Rbf{.theta = 0.5}, X());
  const DualFit fit = solve_dual(*K, learn.zeta, learn.t, 0.1, Want::inverse);
  EXPECT_LE(second_step(fit, learn, 0).cwiseAbs().maxCoeff(), 1e-12);
}

// Rare events: one step leaves an event that is held out predicting itself; along the line it comes near the refit.
TEST(AlongALine, HeldOutRatesOfRareEventsComeNearTheRefits) {
  Random random(76);
  Supervision learn{Poisson{}, Vector::Ones(n), Matrix::Zero(n, 1), {}};
  for (const Index i : {3, 11, 20, 33}) learn.t(i, 0) = 1.0;
  const auto K = cpu_backend().gram(Rbf{.theta = 0.5}, X());
  for (const double lambda : {0.1, 1.0}) {
    const IrlsFit f = irls(*K, learn.loss, learn.zeta, learn.t.col(0), {}, lambda, Want::inverse);
    ASSERT_EQ(f.stop, Stop::converged);
    const Vector one = leave_one_out(f.fit, Q_diagonal(f.fit)).col(0), line = leave_one_out_along_line(f.fit, learn, 0);
    const Vector truth = refit_held_out(cpu_backend(), *K, learn, lambda, {}).z.col(0);
    EXPECT_LT((line - truth).norm(), 0.5 * (one - truth).norm()) << lambda;
    for (const Index i : {3, 11, 20, 33}) EXPECT_LT(line[i], one[i]) << lambda;
  }
}

// The point of the line is where the objective of the rows that are left, written out, is least.
TEST(AlongALine, EndsWhereTheHeldOutObjectiveIsLeast) {
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index(0));
  for (const Supervision& learn : {logistic(0), logistic(5), poisson(4)}) {
    const double lambda = 0.05;
    const auto gram = cpu_backend().gram(Rbf{.theta = 0.5}, X());
    const Matrix K = block(*gram, all, all);
    const IrlsFit f = irls(*gram, learn.loss, learn.zeta, learn.t.col(0), learn.offset, lambda, Want::inverse);
    const Vector line = leave_one_out_along_line(f.fit, learn, 0), z = f.fit.z.col(0), alpha = f.fit.alpha.col(0);
    int off_one = 0;
    for (Index i = 0; i < n; ++i) {
      if (!f.fit.in_system(i)) {
        EXPECT_EQ(line[i], z[i]);
        continue;
      }
      Vector beta = f.fit.beta;
      beta[i] = 0.0;
      const DualFit step = solve_dual(*gram, beta, f.fit.eta, lambda, Want::solve);
      const Vector to = step.alpha.col(0) - alpha;
      const double b = f.fit.b[0], to_b = step.b[0] - b;
      const auto objective = [&](double s) {
        const Vector a = alpha + s * to, out = (K * a).array() + (b + s * to_b);
        double sum = 0.5 * lambda * a.dot(K * a);
        for (Index j = 0; j < n; ++j)
          if (j != i) sum += learn.zeta[j] * at(learn.loss, out[j] + learn.offset_of(j), learn.t(j, 0)).c;
        return sum;
      };
      const double s = (line[i] - z[i]) / (step.z(i, 0) - z[i]);
      off_one += std::abs(s - 1.0) > 0.01;
      const double least = objective(s), rounding = 1e-12 * std::abs(least);
      EXPECT_LE(least, objective(0.98 * s) + rounding) << i;
      EXPECT_LE(least, objective(1.02 * s) + rounding) << i;
    }
    EXPECT_GT(off_one, 0);  // or the test would not tell it from one step
  }
}

TEST(AlongALine, IsOneStepForTheSquaredLossAndNearerForProbabilities) {
  Supervision learn = logistic(4);
  const auto K = cpu_backend().gram(Rbf{.theta = 0.5}, X());
  const IrlsFit f = irls(*K, learn.loss, learn.zeta, learn.t.col(0), {}, 0.1, Want::inverse);
  const Vector one = leave_one_out(f.fit, Q_diagonal(f.fit)).col(0), line = leave_one_out_along_line(f.fit, learn, 0);
  const Vector truth = refit_held_out(cpu_backend(), *K, learn, 0.1, {}).z.col(0);
  EXPECT_LT((line - truth).norm(), (one - truth).norm());
  learn.loss = Squared{};
  const DualFit fit = solve_dual(*K, learn.zeta, learn.t, 0.1, Want::inverse);
  EXPECT_LE(
      (leave_one_out_along_line(fit, learn, 0) - leave_one_out(fit, Q_diagonal(fit)).col(0)).cwiseAbs().maxCoeff(),
      2e-3 * fit.z.cwiseAbs().maxCoeff());
}

void expect_gradient(const Problem& problem, const Kernel& kernel, double lambda) {
  const CriterionAt at = criterion_at(problem, kernel, lambda, true);
  ASSERT_TRUE(std::isfinite(at.value));
  const std::vector<double> p0 = parameters(kernel);
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
                                                             {"three logistic", three_classes(Logistic{}, 0.0)},
                                                             {"three probit", three_classes(Probit{}, 0.0)}};
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
  const Supervision learn = three_classes(Logistic{}, 0.0);
  const auto K = cpu_backend().gram(Rbf{.theta = 0.3}, X());
  int seen = 0;
  const PartsResult r =
      for_each_part(*K, learn, 0.1, Want::solve, nullptr, [&](const DualFit&, Index) { return ++seen < 2; });
  EXPECT_EQ(r.stop, Stop::interrupted);
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace lacuna

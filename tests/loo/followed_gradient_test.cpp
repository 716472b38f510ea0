// The gradient of criteria of held-out fits that were followed to their optimum: the oracle is central differences of
// explicit refits, which share no code with it but the fit itself.
#include <gtest/gtest.h>

#include "lacuna/select/select.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/supervised.hpp"

namespace lacuna {
namespace followed_gradient_test {

using testing::difference;

constexpr Index n = 36;

const RowMatrix& X() {
  static const RowMatrix rows = [] {
    RowMatrix all = testing::random_rows(n, 2, 91);
    all.row(5) = all.row(6);  // twins
    return all;
  }();
  return rows;
}

Supervision learn_with(const Loss& loss, int zeros) { return testing::supervised(loss, X(), 92, zeros); }

Problem problem_with(const Supervision& learn, const Folds& folds) {
  Problem p;
  p.backend = &testing::backend();
  p.X = X();
  p.learn = learn;
  p.truth = {learn.t, {}, 0, testing::random_weights(n, 95, 3), learn.loss, learn.t, learn.offset};
  p.criterion = Criterion::xent;
  p.partitions = {folds};
  p.followed = true;
  p.tolerance = 1e-11;  // differences see what a search may ignore
  return p;
}

// Held-out fits arrive to 1e-6 of their outputs or better where the bound on what is left is not too cautious, and
// differences of refits are good to about that over their step: hence the tolerance, of the largest part.
void expect_gradient_of_refits(Problem problem, const Kernel& kernel, double lambda, double tolerance) {
  const CriterionAt at = criterion_at(problem, kernel, lambda, true);
  ASSERT_TRUE(std::isfinite(at.value));
  problem.by_refit = true;
  const auto value = [&](const Kernel& k, double l) { return criterion_at(problem, k, l, false).value; };
  EXPECT_NEAR(at.value, value(kernel, lambda), tolerance * std::max(1.0, std::abs(at.value)));
  const double d_lambda = difference([&](double h) { return value(kernel, lambda * std::exp(h)); });
  const std::vector<double> p0 = kernel_parameters(kernel);
  Vector d(Index(p0.size()));
  for (std::size_t p = 0; p < p0.size(); ++p)
    d[Index(p)] = difference([&](double h) {
      std::vector<double> q = p0;
      q[p] *= std::exp(h);
      return value(with_parameters(kernel, q), lambda);
    });
  double largest = std::max(std::abs(at.value), std::abs(d_lambda));
  for (const double one : d) largest = std::max(largest, std::abs(one));
  EXPECT_NEAR(at.d_log_lambda, d_lambda, tolerance * largest);
  for (Index p = 0; p < d.size(); ++p) EXPECT_NEAR(at.d_log_kernel[p], d[p], tolerance * largest) << "parameter " << p;
}

const std::vector<Loss> smooth_losses = {losses::Logistic{}, losses::Probit{},
                                         losses::Poisson{},  losses::NegativeBinomial{0.6},
                                         losses::Gamma{},    losses::PseudoHuber{0.5}};

TEST(FollowedGradient, IsThatOfRefitsForEveryLossAndRegulariser) {
  for (const Loss& loss : smooth_losses)
    for (const double lambda : {1e4, 3.0, 0.1, 3e-3})
      for (const Folds& folds : {Folds{}, k_folds(n, 5, {}, 1)})
        for (const int zeros : {0, 4}) {
          SCOPED_TRACE(std::string(name_of(loss)) + " lambda " + std::to_string(lambda) +
                       (folds.empty() ? " loo" : " folds") + " zeros " + std::to_string(zeros));
          expect_gradient_of_refits(problem_with(learn_with(loss, zeros), folds), kernels::Rbf{.theta = 0.4}, lambda,
                                    2e-5);
        }
}

TEST(FollowedGradient, GoesThroughEveryKernel) {
  for (const auto& [kernel_name, kernel] : testing::all_kernels(2)) {
    SCOPED_TRACE(kernel_name);
    expect_gradient_of_refits(problem_with(learn_with(losses::Logistic{}, 0), {}), kernel, 0.3, 2e-5);
  }
}

// Kinks: differences see a jump in curvature only where a row crosses the margin within the step, which none does here.
TEST(FollowedGradient, OfTheSquaredHingeBetweenItsKinks) {
  for (const double lambda : {1.0, 0.1})
    expect_gradient_of_refits(problem_with(learn_with(losses::SquaredHinge{}, 0), {}), kernels::Rbf{.theta = 0.4},
                              lambda, 1e-4);
}

TEST(FollowedGradient, OfAClassOfTwoRows) {
  Supervision learn = learn_with(losses::Logistic{}, 0);
  learn.t.setZero();
  learn.t(3, 0) = learn.t(20, 0) = 1.0;
  for (const double lambda : {1.0, 0.05})
    expect_gradient_of_refits(problem_with(learn, {}), kernels::Rbf{.theta = 0.4}, lambda, 2e-5);
}

TEST(FollowedGradient, OnABasis) {
  for (const Loss& loss : smooth_losses)
    for (const Folds& folds : {Folds{}, k_folds(n, 5, {}, 1)})
      for (const int zeros : {0, 4}) {
        SCOPED_TRACE(std::string(name_of(loss)) + (folds.empty() ? " loo" : " folds") + " zeros " +
                     std::to_string(zeros));
        Problem problem = problem_with(learn_with(loss, zeros), folds);
        problem.basis = Rows(RowMatrix(X().topRows(9)));
        expect_gradient_of_refits(problem, kernels::Rbf{.theta = 0.4}, 0.1, 2e-5);
      }
}

// Rows that a second step would hardly move stay where one step leads, and the two kinds of rows share the gradient: as
// a search sees it, the value is that of refits to a thousandth or less, and the gradient its own to as much.
TEST(FollowedGradient, InASearchRowsThatOneStepServesAreNotFollowed) {
  for (const Loss& loss : smooth_losses)
    for (const double lambda : {30.0, 0.5}) {
      SCOPED_TRACE(std::string(name_of(loss)) + " lambda " + std::to_string(lambda));
      Problem problem = problem_with(learn_with(loss, 0), {});
      problem.tolerance = {};
      const Kernel kernel = kernels::Rbf{.theta = 0.4};
      expect_gradient_of_refits(problem, kernel, lambda, 1e-3);
    }
}

}  // namespace followed_gradient_test
}  // namespace lacuna

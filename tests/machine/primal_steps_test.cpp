// A machine in steps: however the rows are divided and the sums added, it is the machine that sees all rows at once,
// and so are the held-out outputs of its rows; these are refits, for least squares.
#include "lacuna/machine/primal_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/loo/primal_held_out.hpp"
#include "lacuna/machine/parts.hpp"
#include "lacuna/machine/primal_irls.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/losses.hpp"

namespace lacuna {
namespace primal_steps_test {

constexpr Index l = 60;

const RowMatrix& X() {
  static const RowMatrix rows = testing::random_rows(l, 3, 71);
  return rows;
}

std::shared_ptr<const compute::Features> features() {
  return testing::backend().features(kernels::Rbf{.theta = 0.3}, X().topRows(12).eval());
}

struct Part {
  RowMatrix X;
  Supervision learn;
};

// Parts of these sizes, which may be 0, one after the other.
std::vector<Part> divided(const Supervision& all, const std::vector<Index>& sizes) {
  std::vector<Part> parts;
  Index first = 0;
  for (const Index size : sizes) {
    std::vector<Index> rows;
    for (Index k = 0; k < size; ++k) rows.push_back(first + k);
    parts.push_back({X().middleRows(first, size), take_rows(all, rows)});
    first += size;
  }
  return parts;
}

enum class Grouping { from_left, from_right, pairs };

StepSums added(std::vector<StepSums> sums, Grouping grouping) {
  if (grouping == Grouping::from_right) std::reverse(sums.begin(), sums.end());
  while (sums.size() > 1 && grouping == Grouping::pairs) {
    std::vector<StepSums> half;
    for (std::size_t k = 0; k < sums.size(); k += 2) {
      half.push_back(sums[k]);
      if (k + 1 < sums.size()) half.back() += sums[k + 1];
    }
    sums = std::move(half);
  }
  StepSums all;
  for (const StepSums& one : sums) all += one;
  return all;
}

StepWalk walked(const compute::Features& f, const std::vector<Part>& parts, const Loss& loss, double lambda,
                Matrix begin, Grouping grouping) {
  StepWalk walk = walk_from(std::move(begin));
  for (int pass = 0; !walk.done() && pass < 300; ++pass) {
    std::vector<StepSums> sums;
    for (const Part& part : parts) sums.push_back(step_sums(f, part.X, part.learn, 0, walk.next));
    advance(walk, f, loss, lambda, added(std::move(sums), grouping), to_the_last_digit);
  }
  return walk;
}

double gap(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff()); }

TEST(PrimalSteps, EqualTheMachineOfAllRowsForEveryLossAndGrouping) {
  const Vector zeta = testing::random_weights(l, 72, 5), offset = 0.3 * testing::random_matrix(l, 1, 73);
  const auto f = features();
  for (const auto& c : testing::loss_cases(X()))
    for (const double lambda : {1e-3, 1.0}) {
      const Supervision learn{
          .loss = c.loss, .zeta = zeta, .t = c.t, .offset = is_quadratic(c.loss) ? Vector() : offset};
      PrimalFit whole;
      const auto result = for_each_part(
          f, X(), learn, lambda, compute::Want::inverse, nullptr,
          [&](PrimalFit& fit, Index) {
            whole = std::move(fit);
            return true;
          },
          to_the_last_digit);
      ASSERT_TRUE(result.usable());
      const Matrix held_out = leave_one_out(whole);
      for (const auto& sizes : {std::vector<Index>{l}, {20, 1, 0, 30, 9}, {1, 1, 1, 57}, {0, 0, 59, 1}})
        for (const Grouping grouping : {Grouping::from_left, Grouping::from_right, Grouping::pairs}) {
          SCOPED_TRACE(c.name + ", " + std::to_string(lambda) + ", " + std::to_string(sizes.size()) + " parts");
          const auto parts = divided(learn, sizes);
          const Matrix begin = constant_machine(*f, Vector::Constant(1, 0.2));
          const StepWalk walk = walked(*f, parts, c.loss, lambda, begin, grouping);
          ASSERT_EQ(walk.stop, Stop::converged);
          EXPECT_LE(gap(f->coefficients(walk.p), whole.coefficients()), 1e-9);
          Index first = 0;
          for (const Part& part : parts) {
            const Index n = part.X.rows();
            const PrimalFit fit = fit_of_rows(f, walk, part.X, part.learn, 0, lambda);
            if (n > 0) {
              EXPECT_LE(gap(fit.z, whole.z.middleRows(first, n)), 1e-10);
              EXPECT_LE(gap(leave_one_out(fit), held_out.middleRows(first, n)), 1e-10);
              EXPECT_LE(gap(leverage(fit), leverage(whole).segment(first, n)), 1e-10);
            }
            first += n;
          }
        }
    }
}

TEST(PrimalSteps, HeldOutOutputsOfLeastSquaresAreRefits) {
  const Matrix t = testing::random_matrix(l, 2, 74);
  const Vector zeta = testing::random_weights(l, 75);
  const auto f = features();
  const Supervision learn{.loss = losses::Squared{}, .zeta = zeta, .t = t};
  const auto parts = divided(learn, {25, 35});
  const Matrix begin = constant_machine(*f, Vector::Zero(2));
  const StepWalk all = walked(*f, parts, losses::Squared{}, 0.1, begin, Grouping::from_left);
  for (const Index i : {0, 24, 25, 59}) {
    const std::size_t k = i < 25 ? 0 : 1;
    const Index at = i - (k == 0 ? 0 : 25);
    auto without = parts;
    without[k].learn.zeta[at] = 0.0;
    const StepWalk refit = walked(*f, without, losses::Squared{}, 0.1, begin, Grouping::from_left);
    const Matrix z = f->outputs(parts[k].X, refit.p);
    const PrimalFit fit = fit_of_rows(f, all, parts[k].X, parts[k].learn, 0, 0.1);
    EXPECT_LE((leave_one_out(fit).row(at) - z.row(at)).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(PrimalSteps, BeginWhereverAndEndAtTheSameMachine) {
  const auto f = features();
  for (const auto& c : testing::loss_cases(X())) {
    SCOPED_TRACE(c.name);
    const Supervision learn{.loss = c.loss, .zeta = Vector::Ones(l), .t = c.t};
    const auto parts = divided(learn, {30, 30});
    const StepWalk cold = walked(*f, parts, c.loss, 0.01, constant_machine(*f, Vector::Zero(1)), Grouping::from_left);
    const StepWalk far =
        walked(*f, parts, c.loss, 0.01, Matrix(0.7 * testing::random_matrix(f->size(), 1, 76)), Grouping::from_left);
    const StepWalk warm = walked(*f, parts, c.loss, 0.01, cold.p, Grouping::from_left);
    ASSERT_EQ(cold.stop, Stop::converged);
    ASSERT_EQ(far.stop, Stop::converged);
    EXPECT_LE(gap(far.p, cold.p), 1e-8);
    EXPECT_LE(gap(warm.p, cold.p), 1e-8);
    EXPECT_EQ(warm.passes.size(), 1U);
  }
}

TEST(PrimalSteps, ARowThatDeterminesItsOwnOutputHasNoHeldOutOne) {
  const auto f = features();
  Vector zeta = Vector::Ones(l);
  zeta[7] = 1e12;
  const Supervision learn{.loss = losses::Squared{}, .zeta = zeta, .t = testing::random_matrix(l, 1, 77)};
  const auto parts = divided(learn, {l});
  const StepWalk walk =
      walked(*f, parts, losses::Squared{}, 1e-6, constant_machine(*f, Vector::Zero(1)), Grouping::from_left);
  ASSERT_EQ(walk.stop, Stop::converged);
  const Matrix z = leave_one_out(fit_of_rows(f, walk, X(), learn, 0, 1e-6));
  EXPECT_TRUE(std::isnan(z(7, 0)));
  EXPECT_TRUE(std::isfinite(z(8, 0)));
}

TEST(PrimalSteps, OfNoRowsIsNoMachine) {
  const auto f = features();
  StepWalk walk = walk_from(constant_machine(*f, Vector::Zero(1)));
  advance(walk, *f, losses::Logistic{}, 1.0, {});
  EXPECT_TRUE(walk.done());
  EXPECT_EQ(walk.stop, Stop::not_finite);
}

}  // namespace primal_steps_test
}  // namespace lacuna

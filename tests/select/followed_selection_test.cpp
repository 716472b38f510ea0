// A search by held-out fits that are followed to their optimum does not end where refits contradict it, and what it
// reports is what refits say; a search by one Newton step does.
#include <gtest/gtest.h>

#include "lacuna/select/select_checked.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace followed_selection_test {

// Classes that a narrow kernel with next to no regulariser separates: one Newton step is optimistic there.
struct Data {
  RowMatrix X;
  Matrix t;
};
Data ripley(Index n, std::uint64_t seed) {
  const double mean[2][2][2] = {{{-0.7, 0.3}, {0.3, 0.3}}, {{-0.3, 0.7}, {0.4, 0.7}}};
  Random random(seed);
  Data out{RowMatrix(n, 2), Matrix(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const auto& m = mean[i % 2][random.below(2)];
    for (Index j = 0; j < 2; ++j) out.X(i, j) = (m[j] + 0.17 * random.normal()) / 0.4;
    out.t(i, 0) = double(i % 2);
  }
  return out;
}

Problem problem_of(const Data& data) {
  Problem p;
  p.X = data.X;
  p.learn = {losses::Logistic{}, Vector::Ones(data.X.rows()), data.t, {}};
  std::vector<int> label;
  for (const double t : data.t.col(0)) label.push_back(int(t));
  p.truth = {
      (2.0 * data.t.array() - 1.0).matrix(), label, 2, Vector::Ones(data.X.rows()), losses::Logistic{}, data.t, {}};
  p.criterion = Criterion::xent;
  p.partitions = {Folds{}};
  return p;
}

TEST(FollowedSelection, ReportsWhatRefitsSayAndNeverWorseThanOneStepByRefits) {
  int contradicted = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const Data data = ripley(40, seed);
    const Problem problem = problem_of(data);
    Problem refits = problem, followed = problem;
    refits.by_refit = true;
    followed.followed = true;
    const KernelSpec kernel = bind_kernel(rbf(), 2);
    const Selection one = select(problem, kernel, {}, {}), true_to_refits = select(followed, kernel, {}, {});
    ASSERT_TRUE(true_to_refits.search.usable());
    EXPECT_EQ(true_to_refits.method, SearchMethod::lbfgs);
    const double true_one = criterion_at(refits, one.kernel, one.lambda, false).value;
    const double true_followed = criterion_at(refits, true_to_refits.kernel, true_to_refits.lambda, false).value;
    // Outputs are followed to a thousandth in a search.
    EXPECT_NEAR(true_to_refits.criterion, true_followed, 0.01 * true_followed);
    EXPECT_LE(true_followed, true_one * 1.02);
    contradicted += std::abs(true_one - one.criterion) > std::max(0.05 * true_one, 0.005);
  }
  EXPECT_GT(contradicted, 0);  // or nothing was tested
  EXPECT_LT(contradicted, 8);
}

// The squared hinge bends by jumps: fits that a search follows are long on their way, and what it sees is false.
TEST(FollowedSelection, WhatRefitsContradictIsSelectedByRefits) {
  int contradicted = 0;
  for (const std::uint64_t seed : {1, 28}) {  // 28: one of forty whose search refits contradict
    SCOPED_TRACE(seed);
    const Data data = ripley(40, seed);
    Problem problem = problem_of(data);
    problem.learn.loss = problem.truth.loss = losses::SquaredHinge{};
    problem.learn.t = problem.truth.t = problem.truth.targets;
    problem.criterion = Criterion::hinge2;
    problem.followed = true;
    Problem refits = problem;
    refits.by_refit = true;
    const KernelSpec kernel = bind_kernel(rbf(), 2);
    const Selection plain = select(problem, kernel, {}, {}), checked = select_checked(problem, kernel, {}, {});
    const auto truth = [&](const Selection& s) { return criterion_at(refits, s.kernel, s.lambda, false).value; };
    EXPECT_NEAR(checked.criterion, truth(checked), 0.05 * truth(checked));
    EXPECT_LE(truth(checked), truth(plain) * 1.001);
    contradicted += std::abs(plain.criterion - truth(plain)) > 0.05 * truth(plain);
  }
  EXPECT_GT(contradicted, 0);  // or nothing was tested
}

// One row far away squeezes all the others together; a search that begins about the scale of the data alone sees
// nothing there (0.69 nats) and says that it has converged.
TEST(FollowedSelection, AHugeOutlierDoesNotHideTheOthers) {
  Random random(4);
  Data data{RowMatrix(80, 2), Matrix(80, 1)};
  for (Index i = 0; i < 80; ++i) {
    data.X(i, 0) = 1.5 * double(i % 2) + random.normal();
    data.X(i, 1) = random.normal();
    data.t(i, 0) = double(i % 2);
  }
  data.X(5, 0) = 1e4;
  data.X.col(0) = (data.X.col(0).array() - data.X.col(0).mean()) / (1e4 / 9.0);  // about what standardising does
  for (const Loss& loss : {Loss(losses::Logistic{}), Loss(losses::Probit{})}) {
    Problem problem = problem_of(data);
    problem.learn.loss = problem.truth.loss = loss;
    problem.followed = true;
    EXPECT_LT(select(problem, bind_kernel(rbf(), 2), {}, {}).criterion, 0.6) << name_of(loss);
  }
}

}  // namespace followed_selection_test
}  // namespace lacuna

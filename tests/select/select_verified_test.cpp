// A search does not end where refits contradict it, and what it reports is what refits say.
#include "lacuna/select/select_verified.hpp"

#include <gtest/gtest.h>

#include "tests/support/problems.hpp"

namespace lacuna {
namespace {

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
  p.learn = {Logistic{}, Vector::Ones(data.X.rows()), data.t, {}};
  std::vector<int> label;
  for (const double t : data.t.col(0)) label.push_back(int(t));
  p.truth = {(2.0 * data.t.array() - 1.0).matrix(), label, 2, Vector::Ones(data.X.rows()), Logistic{}, data.t, {}};
  p.criterion = Criterion::xent;
  p.partitions = {Folds{}};
  return p;
}

TEST(SelectVerified, ReportsWhatRefitsSayAndNeverWorseThanOneStepByRefits) {
  int contradicted = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const Data data = ripley(40, seed);
    const Problem problem = problem_of(data);
    Problem refits = problem;
    refits.by_refit = true;
    const KernelSpec kernel = bind(rbf(), 2);
    const Selection one = select(problem, kernel, {}, {}), verified = select_verified(problem, kernel, {}, {});
    ASSERT_TRUE(verified.search.usable());
    const double true_one = criterion_at(refits, one.kernel, one.lambda, false).value;
    const double true_verified = criterion_at(refits, verified.kernel, verified.lambda, false).value;
    // Outputs are followed to a thousandth in a search.
    EXPECT_NEAR(verified.criterion, true_verified, 0.01 * true_verified);
    EXPECT_EQ(verified.criterion, verified.search.optima.front().value);
    EXPECT_EQ(verified.values, verified.optima.front());
    EXPECT_LE(true_verified, true_one * 1.02);
    const bool said = !verified.warnings.empty() && verified.warnings[0].code == Warning::Code::one_step_contradicted;
    contradicted += said;
    EXPECT_EQ(said, std::abs(true_one - one.criterion) > std::max(0.05 * true_one, 0.005)) << true_one;
  }
  EXPECT_GT(contradicted, 0);  // or nothing was tested
  EXPECT_LT(contradicted, 8);
}

TEST(SelectVerified, IsSelectWhereHeldOutOutputsAreExact) {
  const Data data = ripley(40, 3);
  Problem problem = problem_of(data);
  problem.learn.loss = Squared{};
  problem.criterion = Criterion::press;
  problem.truth.t = Matrix();
  const KernelSpec kernel = bind(rbf(), 2);
  const Selection one = select(problem, kernel, {}, {}), other = select_verified(problem, kernel, {}, {});
  EXPECT_EQ(one.values, other.values);
  EXPECT_EQ(one.search.evaluations, other.search.evaluations);
}

// One row far away squeezes all the others together; a search that begins about the scale of the data alone sees
// nothing there (0.69 nats) and says that it has converged.
TEST(SelectVerified, AHugeOutlierDoesNotHideTheOthers) {
  Random random(4);
  Data data{RowMatrix(80, 2), Matrix(80, 1)};
  for (Index i = 0; i < 80; ++i) {
    data.X(i, 0) = 1.5 * double(i % 2) + random.normal();
    data.X(i, 1) = random.normal();
    data.t(i, 0) = double(i % 2);
  }
  data.X(5, 0) = 1e4;
  data.X.col(0) = (data.X.col(0).array() - data.X.col(0).mean()) / (1e4 / 9.0);  // about what standardising does
  for (const Loss& loss : {Loss(Logistic{}), Loss(Probit{})}) {
    Problem problem = problem_of(data);
    problem.learn.loss = problem.truth.loss = loss;
    EXPECT_LT(select_verified(problem, bind(rbf(), 2), {}, {}).criterion, 0.6) << name(loss);
  }
}

}  // namespace
}  // namespace lacuna

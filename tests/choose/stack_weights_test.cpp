// Weights of a stack against a solver of our own: projected gradients with tiny steps, for as long as it takes.
#include "lacuna/choose/stack_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/paired.hpp"
#include "lacuna/model/probability.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace stack_weights_test {

struct Case {
  Yardstick judged;
  std::vector<Matrix> z;
};

// Machines that see the truth through noise of their own, the first the worst.
Case some_case(const Loss& loss, std::uint64_t seed) {
  Random random(seed);
  const Index l = 60;
  Case out;
  out.judged.loss = loss;
  out.judged.t.resize(l, 1);
  out.judged.weights = testing::random_weights(l, seed + 1, 5);
  out.z.assign(4, Matrix(l, 1));
  for (Index i = 0; i < l; ++i) {
    const double f = 1.5 * random.normal(), chance = random.uniform();
    const double mean = gives_rates(loss) ? std::exp(f) : 1.0 / (1.0 + std::exp(-f));
    out.judged.t(i, 0) = gives_rates(loss)           ? double(random.poisson(mean))
                         : gives_probabilities(loss) ? double(chance < mean)
                                                     : f + random.normal();
    const double noise[] = {1.2, 0.8, 0.9, 3.0};
    for (std::size_t k = 0; k < 4; ++k) out.z[k](i, 0) = f + noise[k] * random.normal();
  }
  return out;
}

Matrix sum_of(const Case& c, const Vector& v) {
  Matrix out = v[0] * c.z[0];
  for (Index k = 1; k < v.size(); ++k) out += v[k] * c.z[std::size_t(k)];
  return out;
}

std::vector<Index> all_rows(Index l) {
  std::vector<Index> rows(static_cast<std::size_t>(l));
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

// What each machine pays, by the header: slopes at the stack `at_stack`.
Vector prices(const Case& c, const Vector& at_stack) {
  const Matrix z = sum_of(c, at_stack);
  Vector out = Vector::Zero(Index(c.z.size()));
  for (std::size_t k = 1; k < c.z.size(); ++k) {
    Vector slope(z.rows());
    for (Index i = 0; i < z.rows(); ++i)
      slope[i] = at(c.judged.loss, z(i, 0), c.judged.t(i, 0)).c1 * (c.z[k](i, 0) - c.z[0](i, 0));
    out[Index(k)] = paired(slope, c.judged.weights, {}, all_rows(z.rows())).standard_error;
  }
  return out;
}

// The objective of the header, written out.
double objective(const Case& c, const Vector& v, const Vector& price) {
  const Matrix z = sum_of(c, v);
  const Vector& w = c.judged.weights;
  double out = price.dot(v);
  for (Index i = 0; i < z.rows(); ++i) out += w[i] * at(c.judged.loss, z(i, 0), c.judged.t(i, 0)).c / w.sum();
  return out;
}

// Onto v >= 0, sum 1: what is above a common level.
Vector projected(const Vector& v) {
  double low = v.minCoeff() - 1.0, high = v.maxCoeff();
  for (int k = 0; k < 100; ++k) {
    const double level = 0.5 * (low + high);
    ((v.array() - level).max(0.0).sum() > 1.0 ? low : high) = level;
  }
  return (v.array() - high).max(0.0);
}

Vector by_gradients(const Case& c, const Vector& price) {
  Vector v = Vector::Constant(4, 0.25);
  for (int step = 0; step < 4'000; ++step) {
    Vector g(4);
    for (Index k = 0; k < 4; ++k) {
      Vector up = v, down = v;
      up[k] += 1e-6, down[k] -= 1e-6;
      g[k] = (objective(c, up, price) - objective(c, down, price)) / 2e-6;
    }
    const Vector next = projected(v - 0.1 * g);
    if ((next - v).cwiseAbs().maxCoeff() < 1e-9) break;
    v = next;
  }
  return v;
}

TEST(StackWeights, AreThoseOfASlowSolver) {
  for (const Loss& loss : {Loss(losses::Squared{}), Loss(losses::Logistic{}), Loss(losses::Poisson{})})
    for (const double shrink : {0.0, 1.0}) {
      SCOPED_TRACE(std::string(name_of(loss)) + " " + std::to_string(shrink));
      const Case c = some_case(loss, 11);
      const Vector free = by_gradients(c, Vector::Zero(4)), slow = by_gradients(c, shrink * prices(c, free)),
                   fast = stack_weights(c.judged, c.z, shrink, 0.0);
      EXPECT_NEAR(fast.sum(), 1.0, 1e-12);
      EXPECT_GE(fast.minCoeff(), 0.0);
      for (Index k = 0; k < 4; ++k) EXPECT_NEAR(fast[k], slow[k], 1e-4);  // central differences limit the slow one
    }
}

// Residuals of a hundred and unequal, beside a machine that is right to a hundredth.
TEST(StackWeights, LeaveAPlainMachineThatIsFarOff) {
  Case c = some_case(losses::Squared{}, 7);
  Random random(8);
  for (Index i = 0; i < c.z[0].rows(); ++i) {
    c.z[0](i, 0) = c.judged.t(i, 0) + 100.0 * std::pow(random.normal(), 3);
    c.z[1](i, 0) = c.judged.t(i, 0) + 0.01 * random.normal();
  }
  const Vector weights = stack_weights(c.judged, c.z);
  EXPECT_EQ(weights[0], 0.0);
  EXPECT_GT(weights[1], 0.95);
}

TEST(StackWeights, OfTheSameOutputsAreThePlainMachine) {
  const Case c = some_case(losses::Squared{}, 5);
  EXPECT_EQ(stack_weights(c.judged, {c.z[0], c.z[0], c.z[0]}), (Vector{{1.0, 0.0, 0.0}}));
}

TEST(StackWeights, DoNotChangeWithTheZeroOfTheTargetsOrTheirUnit) {
  const Case c = some_case(losses::Squared{}, 7);
  Case moved = c;
  moved.judged.t = 100.0 * c.judged.t.array() + 5000.0;
  for (Matrix& z : moved.z) z = (100.0 * z.array() + 5000.0).matrix();
  EXPECT_LT((stack_weights(c.judged, c.z) - stack_weights(moved.judged, moved.z)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(StackWeights, PreferThePlainMachineMoreWithAHigherPrice) {
  const Case c = some_case(losses::Logistic{}, 3);
  double before = -1.0;
  for (const double shrink : {0.0, 1.0, 2.0, 4.0, 100.0}) {
    const double plain = stack_weights(c.judged, c.z, shrink)[0];
    EXPECT_GE(plain, before - 0.02);  // a weight that is too small to be kept goes to the others
    before = plain;
  }
  EXPECT_EQ(before, 1.0);
}

TEST(Paired, IsTheMeanAndItsStandardError) {
  const Vector d{{1.0, 2.0, 4.0, 9.0}}, ones = Vector::Ones(4);
  const Paired p = paired(d, ones, {}, all_rows(4));
  EXPECT_DOUBLE_EQ(p.mean, 4.0);
  EXPECT_DOUBLE_EQ(p.standard_error, std::sqrt((9.0 + 4.0 + 0.0 + 25.0) / 3.0 / 4.0));
  const Paired same = paired(d, 7.0 * ones, {}, all_rows(4));  // a unit of weight changes nothing
  EXPECT_DOUBLE_EQ(same.standard_error, p.standard_error);
  const Paired without = paired(d, Vector{{1.0, 1.0, 1.0, 0.0}}, {}, all_rows(4));
  EXPECT_DOUBLE_EQ(without.mean, 7.0 / 3.0);
}

TEST(Paired, CountsGroupsAsOne) {
  // Copies in one group say nothing more than one of them.
  const Vector d{{1.0, 1.0, 2.0, 2.0, 6.0, 6.0}}, three{{1.0, 2.0, 6.0}};
  const Paired grouped = paired(d, Vector::Ones(6), {0, 0, 1, 1, 2, 2}, all_rows(6));
  const Paired alone = paired(three, Vector::Ones(3), {}, all_rows(3));
  EXPECT_DOUBLE_EQ(grouped.mean, alone.mean);
  EXPECT_NEAR(grouped.standard_error, alone.standard_error, 1e-12);
}

// Several classes: probabilities of all outputs together, as model/probability.hpp writes them.
TEST(Yardstick, OfSeveralClassesIsTheCrossEntropyOfCoupledProbabilities) {
  Random random(3);
  const Index l = 40, m = 3;
  for (const Loss& link : {Loss(losses::Logistic{}), Loss(losses::Probit{})}) {
    SCOPED_TRACE(name_of(link));
    Yardstick judged{.loss = link, .t = Matrix::Zero(l, m), .weights = Vector::Ones(l)};
    Matrix z(l, m);
    for (Index i = 0; i < l; ++i) {
      judged.label.push_back(int(i % m));
      for (Index c = 0; c < m; ++c) z(i, c) = 2.0 * random.normal();
    }
    const Vector loss = row_losses(judged, z), written = log_loss(link, {}, z, judged.label);
    EXPECT_LT((loss - written).cwiseAbs().maxCoeff(), 1e-12);
    for (Index i = 0; i < l; ++i) {
      const RowLoss a = loss_of_row(judged, i, z.row(i));
      EXPECT_NEAR(a.value, loss[i], 1e-12);
      for (Index c = 0; c < m; ++c) {
        Vector up = z.row(i), down = up;
        up[c] += 1e-6, down[c] -= 1e-6;
        const double by_differences =
            (loss_of_row(judged, i, up).value - loss_of_row(judged, i, down).value) / 2e-6;  // good to 1e-9
        EXPECT_NEAR(a.slope[c], by_differences, 1e-7);
      }
      EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix>(a.curvature).eigenvalues().minCoeff(), -1e-12);
    }
  }
}

// A level common to all outputs of a row shows in no softmax, and next to nothing in these probabilities when it is
// low.
TEST(StackWeights, OfSeveralClassesDoNotSeeACommonLevel) {
  Random random(4);
  const Index l = 90, m = 3;
  Yardstick judged{.loss = losses::Logistic{}, .t = Matrix::Zero(l, m), .weights = Vector::Ones(l)};
  std::vector<Matrix> z(2, Matrix(l, m));
  for (Index i = 0; i < l; ++i) {
    judged.label.push_back(int(i % m));
    for (Index c = 0; c < m; ++c) {
      z[0](i, c) = -20.0 + random.normal();  // knows nothing
      z[1](i, c) = -20.0 + (c == i % m ? 3.0 : 0.0) + random.normal();
    }
  }
  const Vector before = stack_weights(judged, z);
  z[1].array() -= 5.0;
  const Vector after = stack_weights(judged, z);
  EXPECT_GT(before[1], 0.8);
  EXPECT_NEAR(after[1], before[1], 1e-3);
}

}  // namespace stack_weights_test
}  // namespace lacuna

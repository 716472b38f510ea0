// The optimum of every loss, against a minimiser that shares nothing with the library (tests/support/primal.hpp), and
// what happens at the ends of double precision: a correct answer or a reason, never a NaN.
#include <gtest/gtest.h>

#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/machine/irls.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/primal.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace irls_optimum_test {

constexpr Index n = 24;

struct Situation {
  std::string name;
  RowMatrix X;
  Vector sign;  // the class of each row
  Vector zeta, offset;
};

const Vector& ones() {
  static const Vector v = Vector::Ones(n);
  return v;
}
const Vector& zeros() {
  static const Vector v = Vector::Zero(n);
  return v;
}
const RowMatrix& plain_rows() {
  static const RowMatrix X = testing::random_rows(n, 3, 51);
  return X;
}

Situation separable() {
  Situation s{"separable", plain_rows(), Vector(n), ones(), zeros()};
  for (Index i = 0; i < n; ++i) {
    s.sign[i] = s.X(i, 0) > 0.0 ? 1.0 : -1.0;
    s.X(i, 0) += s.sign[i];  // a gap of 2 at least
  }
  return s;
}

std::vector<Situation> situations() {
  const RowMatrix& X = plain_rows();
  const Vector sign = testing::random_signs(X, 52).col(0);
  RowMatrix twice = X;
  twice.bottomRows(n / 2) = X.topRows(n / 2);
  Vector lonely = -ones(), pushed = zeros();
  lonely[5] = 1.0;
  for (Index i = 0; i < 6; ++i) pushed[i] = i % 2 ? 30.0 : -30.0;  // c'' = 1e-13 while c' = 1, on the wrong side
  return {{"equal weights", X, sign, ones(), zeros()},
          {"weights and offsets", X, sign, testing::random_weights(n, 53, 7), 0.5 * testing::random_matrix(n, 1, 54)},
          {"duplicated rows", twice, sign, ones(), zeros()},
          {"a class of one row", X, lonely, ones(), zeros()},
          separable(),
          {"saturated", X, sign, ones(), pushed}};
}

struct Case {
  std::string name;
  Loss loss;
  Vector t;
};

std::vector<Case> cases(const Situation& s) {
  Random random(55);
  const Vector t01 = (0.5 * (s.sign.array() + 1.0)).matrix();
  Vector soft(n), count(n), positive(n), value(n);
  for (Index i = 0; i < n; ++i) {
    soft[i] = s.sign[i] > 0.0 ? random.uniform(0.5, 1.0) : random.uniform(0.0, 0.5);
    count[i] = double(random.poisson(std::exp(0.5 * s.X(i, 0) + 0.5 * s.sign[i])));
    positive[i] = std::exp(0.5 * s.X(i, 1) + 0.3 * random.normal() + 0.3 * s.sign[i]);
    value[i] = std::sin(s.X(i, 0)) + s.sign[i] + (i % 9 == 0 ? 20.0 : 0.1) * random.normal();  // 400 delta away
  }
  return {{"squared", losses::Squared{}, value},
          {"logistic", losses::Logistic{}, t01},
          {"soft logistic", losses::Logistic{}, soft},
          {"probit", losses::Probit{}, t01},
          {"probit of the paper", losses::Probit{.s = std::sqrt(2.0)}, t01},
          {"poisson", losses::Poisson{}, count},
          {"squared hinge", losses::SquaredHinge{}, s.sign},
          {"gamma", losses::Gamma{}, positive},
          {"pseudo-huber", losses::PseudoHuber{.delta = 0.05}, value},
          {"negative binomial", losses::NegativeBinomial{.overdispersion = 0.6}, count}};
}

const std::vector<testing::NamedKernel>& test_kernels() {
  static const std::vector<testing::NamedKernel> list = {{"linear", kernels::Linear{}},
                                                         {"poly2", kernels::Polynomial{.c = 0.7, .degree = 2}},
                                                         {"rbf", kernels::Rbf{.theta = 0.15}},
                                                         {"matern32", kernels::Matern32{.theta = 0.2}}};
  return list;
}

void expect_optimum(const IrlsFit& f, const testing::Primal& p, const testing::Long& K, const testing::Feature& map) {
  ASSERT_EQ(f.stop, Stop::converged);
  const Vector alpha = f.fit.alpha.col(0);
  const double b = f.fit.b[0];

  // lambda alpha = -zeta c' at the outputs of the fit, and sum alpha = 0.
  double largest = 0.0, gap = 0.0;
  for (Index i = 0; i < n; ++i) {
    const auto z = static_cast<long double>(f.fit.z(i, 0)) + static_cast<long double>(p.offset[i]);
    const double c1 = p.zeta[i] * double(testing::textbook(p.loss, z, static_cast<long double>(p.t[i])).c1);
    largest = std::max(largest, std::abs(c1));
    gap = std::max(gap, std::abs(p.lambda * alpha[i] + c1));
  }
  EXPECT_LE(gap, 1e-9 * largest);
  EXPECT_LE(p.lambda * std::abs(alpha.sum()), 1e-9 * largest);

  // Those outputs are K alpha + b, to the rounding of its terms |K_ij alpha_j| <= sqrt(K_ii K_jj) |alpha_j|.
  const Vector root = K.diagonal().cast<double>().cwiseSqrt();
  const Vector K_alpha = (K * alpha.cast<long double>()).cast<double>();
  const double sum = root.dot(alpha.cwiseAbs());
  for (Index i = 0; i < n; ++i)
    EXPECT_NEAR(f.fit.z(i, 0), K_alpha[i] + b, 32.0 * 2.2e-16 * (root[i] * sum + std::abs(b))) << "row " << i;

  // The least objective that first derivatives find, relative to its terms. Where rounding has left K an eigenvalue
  // omega < 0 there is no feature map, and the two problems differ by up to (lambda/2) |omega| ||alpha||^2.
  const testing::PrimalValue mine = testing::value(p, K, alpha, b);
  const testing::Minimum other = testing::minimise(p, map, 1e-18L * mine.size);
  const double no_feature = p.lambda * double(map.below) * alpha.squaredNorm();
  EXPECT_NEAR(double((mine.F - other.value) / mine.size), 0.0, 1e-9 + no_feature / double(mine.size));
}

TEST(IrlsOptimum, EqualsThatOfAnIndependentMinimiser) {
  for (const Situation& s : situations())
    for (const auto& [kernel_name, kernel] : test_kernels()) {
      const auto gram = testing::backend().gram(kernel, s.X);
      const testing::Long K = gram->multiply(Matrix::Identity(n, n)).cast<long double>();
      const testing::Feature map = testing::feature_map(K);
      for (const Case& c : cases(s))
        for (const double lambda : {1e-6, 1e-4, 1e-2, 1.0, 1e3}) {
          SCOPED_TRACE(::testing::Message() << s.name << ", " << kernel_name << ", " << c.name << ", " << lambda);
          const IrlsFit f = irls(*gram, c.loss, s.zeta, c.t, s.offset, lambda, compute::Want::solve);
          expect_optimum(f, {c.loss, s.zeta, c.t, s.offset, lambda}, K, map);
        }
    }
}

// Flat tails make Newton's step overshoot by far; a search that takes any fall crosses the valley to and fro.
TEST(IrlsOptimum, NeedsFewFactorisationsWithOutliersAndSmallLambda) {
  const Situation s = situations()[0];
  const Case c = cases(s)[8];
  const auto K = testing::backend().gram(kernels::Matern32{.theta = 0.2}, s.X);
  const IrlsFit f = irls(*K, c.loss, s.zeta, c.t, {}, 1e-4, compute::Want::solve);
  EXPECT_EQ(f.stop, Stop::converged);
  EXPECT_LE(f.factorisations, 25);
}

IrlsFit fit(const Kernel& kernel, const RowMatrix& X, const Case& c, const Vector& zeta, const Vector& offset,
            double lambda) {
  const auto K = testing::backend().gram(kernel, X);
  IrlsFit f = irls(*K, c.loss, zeta, c.t, offset, lambda, compute::Want::inverse);
  EXPECT_EQ(f.fit.usable(), f.stop == Stop::converged);
  if (f.fit.usable()) {
    EXPECT_TRUE(f.fit.alpha.allFinite() && f.fit.b.allFinite() && f.fit.z.allFinite());
    EXPECT_TRUE(leave_one_out(f.fit, Q_diagonal(f.fit)).allFinite());
    EXPECT_TRUE(std::isfinite(f.objective));
    // 1e-10 is asked for; rounding may have the last word where the outputs are 1e15 times smaller than their terms
    EXPECT_LE(f.stationarity, 1e-7);
  }
  return f;
}

TEST(IrlsOptimum, SeparableDataWithVanishingLambda) {
  const Situation s = separable();
  const std::vector<Case> all = cases(s);
  for (const auto& [name, kernel] : test_kernels())
    for (const double lambda : {1e-8, 1e-10, 1e-12}) {
      SCOPED_TRACE(name + ", " + std::to_string(lambda));
      for (const std::size_t k : {1u, 3u, 4u})  // logistic and both probits: c' and c'' vanish together, no floor binds
        EXPECT_EQ(fit(kernel, s.X, all[k], ones(), {}, lambda).stop, Stop::converged) << all[k].name;
      // 1 - t z = lambda alpha has no digits left at 1e-12: an answer or a refusal
      fit(kernel, s.X, all[6], ones(), {}, lambda);
    }
}

TEST(IrlsOptimum, RefusesAtOnceWhatHasNoOptimum) {
  const Situation s = separable();
  const std::vector<Case> all = cases(s);
  const Vector positive = (0.5 * (s.sign.array() + 1.0)).matrix();
  const Case no_counts{"zero counts", losses::Poisson{}, zeros()};
  for (const auto& [name, kernel] : test_kernels())
    for (const double lambda : {1e-6, 1.0}) {
      SCOPED_TRACE(name);
      for (const Vector& zeta : {positive, Vector(ones() - positive)})  // the other class has no weight
        for (const std::size_t k : {1u, 3u, 4u, 6u}) {
          const IrlsFit f = fit(kernel, s.X, all[k], zeta, {}, lambda);
          EXPECT_EQ(f.stop, Stop::not_finite) << all[k].name;
          EXPECT_EQ(f.factorisations, 0);
        }
      for (const Vector& offset : {Vector(), Vector(s.X.col(1)), Vector(50.0 * s.sign)})
        EXPECT_EQ(fit(kernel, s.X, no_counts, ones(), offset, lambda).stop, Stop::not_finite);
    }
}

TEST(IrlsOptimum, OneCountOfAMillion) {
  const Situation s = situations()[0];
  Case c = cases(s)[5];
  c.t[3] = 1e6;
  for (const auto& [name, kernel] : test_kernels())
    for (const double lambda : {1e-2, 1.0, 1e3}) {
      SCOPED_TRACE(name);
      const IrlsFit f = fit(kernel, s.X, c, ones(), {}, lambda);
      ASSERT_EQ(f.stop, Stop::converged);
      // sum alpha = 0 says that the fitted means add up to the counts
      EXPECT_NEAR(f.fit.z.array().exp().sum() / c.t.sum(), 1.0, 1e-8);
    }
}

TEST(IrlsOptimum, OffsetsOfFifty) {
  const Situation s = situations()[0];
  Vector alternating(n);
  for (Index i = 0; i < n; ++i) alternating[i] = i % 2 ? 50.0 : -50.0;
  for (const Case& c : cases(s))
    for (const auto& [name, kernel] : test_kernels())
      for (const double lambda : {1e-2, 1.0, 1e3}) {
        SCOPED_TRACE(c.name + ", " + name + ", " + std::to_string(lambda));
        EXPECT_EQ(fit(kernel, s.X, c, ones(), alternating, lambda).stop, Stop::converged);
        // An offset common to all rows is only another bias.
        const IrlsFit none = fit(kernel, s.X, c, ones(), {}, lambda);
        for (const double o : {-50.0, 50.0}) {
          const IrlsFit f = fit(kernel, s.X, c, ones(), Vector::Constant(n, o), lambda);
          ASSERT_EQ(f.stop, Stop::converged);
          EXPECT_NEAR(f.objective, none.objective, 1e-9 * (1.0 + std::abs(none.objective)));
          EXPECT_NEAR(f.fit.b[0], none.fit.b[0] - o, 1e-7 * 50.0);  // the bias is flat to first order: half the digits
        }
      }
}

// Every row four times: where the machine can meet all targets, what pulls at the optimum is rounding, and the fit has
// converged all the same.
TEST(IrlsOptimum, ConvergesWhereTargetsAreMetToRounding) {
  RowMatrix X(n, 2);
  Vector value(n), sign(n);
  const double corner[4][2] = {{-1.3, 1}, {-0.4, -1}, {0.4, 1}, {1.3, -1}};
  for (Index i = 0; i < n; ++i) {
    const double* at = corner[i / 6];
    X.row(i) << at[0], at[1];
    value[i] = at[1] > 0 ? 1.0 : 2.0;
    sign[i] = at[1];
  }
  const std::vector<std::pair<Loss, Vector>> losses{{losses::PseudoHuber{0.3}, value},
                                                    {losses::Poisson{}, value},
                                                    {losses::NegativeBinomial{0.5}, value},
                                                    {losses::Gamma{}, value},
                                                    {losses::SquaredHinge{}, sign}};
  for (const double theta : {0.4, 1.0, 4.0, 60.0})
    for (const double lambda : {1e-10, 2e-9, 1e-8}) {
      const auto K = testing::backend().gram(kernels::Rbf{.theta = theta}, X);
      for (const auto& [loss, t] : losses) {
        SCOPED_TRACE(std::string(name_of(loss)) + ", " + std::to_string(theta) + ", " + std::to_string(lambda));
        const IrlsFit f = irls(*K, loss, ones(), t, {}, lambda, compute::Want::inverse);
        ASSERT_EQ(f.stop, Stop::converged);
        const bool logarithm = gives_rates(loss);
        for (Index i = 0; i < n; ++i) EXPECT_NEAR(f.fit.z(i, 0), logarithm ? std::log(t[i]) : t[i], 1e-6);
      }
    }
}

}  // namespace irls_optimum_test
}  // namespace lacuna

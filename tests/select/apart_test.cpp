// Parts of sums and products that could change places begin apart, and a search finds two length scales where there are
// two.
#include "lacuna/select/detail/apart.hpp"

#include <gtest/gtest.h>

#include "lacuna/select/detail/parameters.hpp"
#include "lacuna/select/select.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace apart_test {

const kernels::DataScale scale{.theta = 0.5, .dot = 2.0};

std::vector<double> start_of(const std::string& kernel) {
  const KernelSpec spec = bind_kernel(parse_kernel(kernel), 2);
  std::vector<double> start = start_values(spec.kernel, scale);
  const std::vector<double> apart = detail::places_of_parts(spec).centred;
  for (std::size_t p = 0; p < start.size(); ++p)
    start[p] = spec.given[p].value_or(start[p]) * (apart[p] != 0.0 ? std::pow(10.0, apart[p]) : 1.0);
  return start;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12 * b[k]) << k;
}

const double root = std::sqrt(10.0);

TEST(MovedApart, InterchangeablePartsBeginAPowerOfTenFromOneAnother) {
  expect_near(start_of("sum(rbf,rbf)"), {0.5 / root, 0.5 * root});
  expect_near(start_of("prod(matern12,matern12)"), {0.5 / root, 0.5 * root});
  expect_near(start_of("sum(rbf,sum(rbf,rbf))"), {0.05, 0.5, 5.0});
  expect_near(start_of("sum(ard,ard)"), {0.5 / root, 0.5 / root, 0.5 * root, 0.5 * root});
  expect_near(start_of("sum(poly2,poly2)"), {2.0 / root, 2.0 * root});
  expect_near(start_of("sum(rq,rq)"), {0.5 / root, 1.0, 0.5 * root, 1.0});
  expect_near(start_of("sum(rq:theta=1,rq:theta=1)"), {1.0, 1.0 / root, 1.0, root});
  expect_near(start_of("sum(prod(rbf,linear),matern12,prod(linear,rbf))"), {0.5 / root, 0.5, 0.5 * root});
  expect_near(start_of("sum(prod(rbf,rbf),prod(rbf,rbf))"), {0.05, 0.5, 0.5, 5.0});
}

TEST(MovedApart, EverythingElseKeepsItsStartToTheBit) {
  for (const auto& [name, kernel] : testing::all_kernels(2)) {
    const KernelSpec spec{kernel, std::vector<std::optional<double>>(kernel_parameters(kernel).size())};
    const std::vector<double> none(kernel_parameters(kernel).size(), 0.0);
    EXPECT_EQ(detail::places_of_parts(spec).centred, none) << name;
    EXPECT_EQ(detail::places_of_parts(spec).place, none) << name;
  }
  using V = std::vector<double>;
  EXPECT_EQ(start_of("sum(rbf,matern12)"), (V{0.5, 0.5}));
  EXPECT_EQ(start_of("sum(linear,rbf)"), (V{0.5}));
  EXPECT_EQ(start_of("sum(rbf:theta=3,rbf)"), (V{3.0, 0.5}));
  EXPECT_EQ(start_of("sum(rbf:theta=3,rbf:theta=3)"), (V{3.0, 3.0}));
  EXPECT_EQ(start_of("sum(poly2,poly3)"), (V{2.0, 2.0}));
  EXPECT_EQ(start_of("prod(rbf,sum(rbf,linear))"), (V{0.5, 0.5}));
}

// A slow wave and a fast one. One width sees either the one or the other.
struct Waves {
  RowMatrix X;
  Matrix t;
  Problem problem;
};
void make(Waves& w, Index l, double height, double frequency) {
  Random random(81);
  w.X.resize(l, 1);
  w.t.resize(l, 1);
  for (double& x : w.X.reshaped()) x = random.uniform(-4.0, 4.0);
  for (Index i = 0; i < l; ++i)
    w.t(i, 0) = height * std::sin(0.6 * w.X(i, 0)) + std::sin(frequency * w.X(i, 0)) + 0.05 * random.normal();
  w.problem.X = w.X;
  w.problem.learn = {.zeta = Vector::Ones(l), .t = w.t};
  w.problem.truth = {.targets = w.t, .label = {}, .classes = 0, .weights = Vector::Ones(l), .t = w.t};
  w.problem.partitions = {{}};
}

TEST(MovedApart, SelectionFindsTwoLengthScales) {
  for (const auto& [l, height, frequency] :
       {std::tuple{40, 3.0, 10.0}, {60, 3.0, 15.0}, {80, 4.0, 20.0}, {100, 5.0, 30.0}}) {
    Waves w;
    make(w, l, height, frequency);
    for (const std::string name : {"rbf", "matern12", "matern52"}) {
      SCOPED_TRACE(name + ", " + std::to_string(l));
      const KernelSpec spec = bind_kernel(parse_kernel("sum(" + name + "," + name + ")"), 1);
      const auto at = [&](double a, double b, double lambda) {
        return criterion_at(w.problem, with_parameters(spec.kernel, std::vector{a, b}), lambda, false).value;
      };
      // Over a grid of both widths and lambda.
      double best = std::numeric_limits<double>::infinity(), alike = best;
      for (int a = -5; a <= 11; ++a)
        for (int b = a; b <= 11; ++b)
          for (int k = -14; k <= 2; k += 2) {
            const double value = at(std::exp2(a), std::exp2(b), std::exp2(k));
            best = std::min(best, value);
            if (a == b) alike = std::min(alike, value);
          }
      ASSERT_LE(best, 0.95 * alike);  // the data ask for two
      const Selection found = select(w.problem, spec, {}, {});
      EXPECT_LE(found.criterion, 1.03 * best);
      EXPECT_GE(found.values[2], 10.0 * found.values[1]);
      // In either order it is the same machine.
      EXPECT_NEAR(at(found.values[2], found.values[1], found.lambda), found.criterion, 1e-6 * found.criterion);
    }
  }
}

// One width that resolves the fast wave fits the slow one with it; only starts far narrower than usual see that hollow.
// Without the fast wave PRESS is a hundred times as large; among the ripples of the hollow any will do.
TEST(StartDesign, OneWidthFindsAFastWaveUnderASlowOne) {
  for (const auto& [l, frequency] : {std::pair{100, 10.0}, {150, 15.0}, {300, 20.0}, {300, 30.0}}) {
    SCOPED_TRACE(std::to_string(l) + ", " + std::to_string(frequency));
    Waves w;
    make(w, l, 3.0, frequency);
    const KernelSpec spec = bind_kernel(parse_kernel("rbf"), 1);
    double best = std::numeric_limits<double>::infinity();
    for (int a = -10; a <= 22; ++a)
      for (int k = -28; k <= 4; k += 2)
        best = std::min(best, criterion_at(w.problem, with_parameters(spec.kernel, std::vector{std::exp2(0.5 * a)}),
                                           std::exp2(k), false)
                                  .value);
    EXPECT_LE(select(w.problem, spec, {}, {}).criterion, 1.5 * best);
  }
}

TEST(MovedApart, AnotherSearchAndThreePartsFindThemToo) {
  Waves w;
  make(w, 60, 3.0, 15.0);
  const double two = select(w.problem, bind_kernel(parse_kernel("sum(rbf,rbf)"), 1), {}, {}).criterion;
  SearchPlan scg;
  scg.method = SearchMethod::scg;
  EXPECT_LE(select(w.problem, bind_kernel(parse_kernel("sum(rbf,rbf)"), 1), {}, scg).criterion, 1.05 * two);
  EXPECT_LE(select(w.problem, bind_kernel(parse_kernel("sum(rbf,sum(rbf,rbf))"), 1), {}, {}).criterion, 1.05 * two);
}

}  // namespace apart_test
}  // namespace lacuna

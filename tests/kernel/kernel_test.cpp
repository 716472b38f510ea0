// Kernels: formulas and derivatives, and their specification in code and in text.
#include "lacuna/kernel/kernel.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/specification.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace kernel_test {

const std::vector<double> x{0.3, -1.2, 0.7}, y{1.1, 0.4, -0.2};

TEST(Kernel, ParametersCanBeReadAndReplaced) {
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    SCOPED_TRACE(name);
    std::vector<double> p = kernel_parameters(kernel);
    EXPECT_EQ(parameter_names(kernel).size(), p.size());
    EXPECT_EQ(start_values(kernel, {}).size(), p.size());
    for (double& v : p) v *= 1.5;
    EXPECT_EQ(kernel_parameters(with_parameters(kernel, p)), p);
  }
}

TEST(Kernel, DerivativesMatchCentralDifferences) {
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    SCOPED_TRACE(name);
    const std::vector<double> p = kernel_parameters(kernel), d = pair_d_log(kernel, x, y, 0);
    for (std::size_t k = 0; k < p.size(); ++k) {
      std::vector<double> up = p, down = p;
      up[k] *= std::exp(1e-5);
      down[k] *= std::exp(-1e-5);
      const double fd =
          (pair_value(with_parameters(kernel, up), x, y, 0) - pair_value(with_parameters(kernel, down), x, y, 0)) /
          2e-5;
      EXPECT_NEAR(d[k], fd, 1e-8 * std::max(1.0, std::abs(fd)));
    }
  }
}

TEST(Kernel, HasTheFormulasOfTheHandbook) {
  const double dot = 0.33 - 0.48 - 0.14, sq = 0.64 + 2.56 + 0.81, r = std::sqrt(sq);
  EXPECT_NEAR(pair_value(kernels::Linear{}, x, y, 0), dot, 1e-15);
  EXPECT_NEAR(pair_value(kernels::Polynomial{.c = 2, .degree = 3}, x, y, 0), std::pow(dot + 2, 3), 1e-14);
  EXPECT_NEAR(pair_value(kernels::Boolean{.eta = 0.5}, x, y, 0), std::pow(1.5, dot), 1e-15);
  EXPECT_NEAR(pair_value(kernels::Rbf{.theta = 0.2}, x, y, 0), std::exp(-0.2 * sq), 1e-15);
  EXPECT_NEAR(pair_value(kernels::Matern12{.theta = 4}, x, y, 0), std::exp(-2 * r), 1e-15);
  EXPECT_NEAR(pair_value(kernels::Matern32{.theta = 1}, x, y, 0), (1 + std::sqrt(3) * r) * std::exp(-std::sqrt(3) * r),
              1e-15);
  EXPECT_NEAR(pair_value(kernels::Matern52{.theta = 1}, x, y, 0),
              (1 + std::sqrt(5) * r + 5 * sq / 3) * std::exp(-std::sqrt(5) * r), 1e-15);
  EXPECT_NEAR(pair_value(kernels::RationalQuadratic{.theta = 0.2, .alpha = 1e9}, x, y, 0), std::exp(-0.2 * sq), 1e-8);
}

TEST(Kernel, TextReadsBackToTheSameKernel) {
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    if (name == "custom") continue;
    SCOPED_TRACE(name);
    const KernelSpec back = bind_kernel(parse_kernel(kernel_text(kernel)), 3);
    EXPECT_EQ(kernel_parameters(back.kernel), kernel_parameters(kernel));
    EXPECT_EQ(kernel_text(back.kernel), kernel_text(kernel));
    for (const auto& g : back.given) EXPECT_TRUE(g.has_value());
  }
}

TEST(Kernel, WhatIsNotGivenIsToBeSelected) {
  EXPECT_FALSE(parse_kernel("rbf").given[0]);
  EXPECT_EQ(parse_kernel("rbf:theta=0.5").given[0], 0.5);
  const KernelSpec rq = parse_kernel("rq:alpha=2");
  EXPECT_FALSE(rq.given[0]);
  EXPECT_EQ(rq.given[1], 2.0);
  const KernelSpec nested = parse_kernel("sum(rbf:theta=1,prod(linear,matern52),poly:degree=4,c=2)");
  ASSERT_EQ(nested.given.size(), 3u);
  EXPECT_EQ(nested.given[0], 1.0);
  EXPECT_FALSE(nested.given[1]);
  EXPECT_EQ(nested.given[2], 2.0);
  EXPECT_EQ(bind_kernel(parse_kernel("ard"), 5).given.size(), 5u);
  const KernelSpec fixed = bind_kernel(parse_kernel("ard:theta=3"), 2);
  EXPECT_EQ(fixed.given, (std::vector<std::optional<double>>{3.0, 3.0})) << "one theta given is given for each feature";
  EXPECT_EQ(bind_kernel(parse_kernel("ard:theta=2"), 5).given, std::vector<std::optional<double>>(5, 2.0));
  EXPECT_EQ(kernel_parameters(bind_kernel(parse_kernel("sum(ard:theta=2,linear)"), 3).kernel),
            (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(parse_kernel("poly2").given.size(), 1u);
}

TEST(Kernel, OneThetaOfArdHoldsForEveryFeature) {
  for (const Index d : {1, 2, 3, 7})
    for (const std::string text : {"ard:theta=2.5", "sum(linear,ard:theta=2.5)"}) {
      const KernelSpec spec = bind_kernel(parse_kernel(text), d);
      EXPECT_EQ(kernel_parameters(spec.kernel), std::vector<double>(std::size_t(d), 2.5));
      EXPECT_EQ(spec.given, std::vector<std::optional<double>>(std::size_t(d), 2.5));
      EXPECT_EQ(bind_kernel(spec, d).given, spec.given);
    }
}

kernels::Custom without_derivatives() {
  return {.label = "mine",
          .parameter_labels = {"rate"},
          .parameter = {1.0},
          .pair_value = [](kernels::Custom::Row a, kernels::Custom::Row b,
                           kernels::Custom::Row p) { return std::exp(-p[0] * std::abs(a[0] - b[0])); },
          .pair_d_log = {}};
}

TEST(Kernel, KnowsWhetherItCanBeDifferentiatedInWhatIsFree) {
  const KernelSpec own = custom(without_derivatives());
  EXPECT_FALSE(is_differentiable(own));
  EXPECT_FALSE(is_differentiable(sum({rbf(), product({linear(), own})})));
  KernelSpec fixed = own;
  fixed.given = {1.0};
  EXPECT_TRUE(is_differentiable(fixed));
  EXPECT_TRUE(is_differentiable(sum({fixed, rbf()})));
  EXPECT_FALSE(is_differentiable(sum({fixed, own})));
  EXPECT_TRUE(is_differentiable(parse_kernel("sum(rbf,prod(linear,ard))")));
}

TEST(Kernel, BindingRefusesAnUnfinishedKernelOfTheUser) {
  const auto refusal = [](const kernels::Custom& kernel) {
    try {
      bind_kernel(sum({custom(kernel), rbf()}), 1);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::usage);
      return std::string(e.what());
    }
    return std::string();
  };
  kernels::Custom own = without_derivatives();
  EXPECT_EQ(refusal(own), "");
  own.pair_value = {};
  EXPECT_NE(refusal(own).find("'mine' has no pair_value"), std::string::npos);
  own = without_derivatives();
  own.parameter_labels.clear();
  EXPECT_NE(refusal(own).find("0 labels for 1 parameters"), std::string::npos);
  own = without_derivatives();
  own.parameter = {-1.0};
  EXPECT_NE(refusal(own).find("parameter = -1; must be > 0"), std::string::npos);
}

TEST(Kernel, RefusesWhatItDoesNotUnderstandAndSaysWhy) {
  const auto message = [](const char* text) {
    return test::usage_refusal([&] { bind_kernel(parse_kernel(text), 3); });
  };
  EXPECT_NE(message("rfb").find("'rbf'"), std::string::npos);
  EXPECT_NE(message("rbf:theta=-1").find("must be > 0"), std::string::npos);
  EXPECT_NE(message("rbf:thta=1").find("'theta'"), std::string::npos);
  EXPECT_NE(message("rbf:theta=x").find("needs a number"), std::string::npos);
  EXPECT_NE(message("sum(rbf,linear").find("')'"), std::string::npos);
  EXPECT_NE(message("rbf)").find("unexpected"), std::string::npos);
  EXPECT_NE(message("poly:degree=2.5").find("whole number"), std::string::npos);
  EXPECT_NE(message("ard:theta=1/2").find("2 values"), std::string::npos);
  EXPECT_NE(message("").find("unknown kernel"), std::string::npos);
}

TEST(DataScale, IsTheMedianSquaredDistanceOfDistinctRows) {
  RowMatrix X(4, 1);
  X << 0, 1, 3, 3;  // distances 1, 9, 9, 4, 4 (and 0)
  EXPECT_NEAR(data_scale(X, {}).theta, 1.0 / 4.0, 1e-15);
  EXPECT_NEAR(data_scale(X, {}).dot, 19.0 / 4.0, 1e-15);
}

TEST(DataScale, OfNeighboursIsTheMedianSquaredDistanceToTheNearestDistinctRow) {
  RowMatrix X(5, 1);
  X << 0, 1, 3, 3, 10;  // 1, 1, 4, 4, 49
  EXPECT_NEAR(data_scale(X, {}).neighbours, 1.0 / 4.0, 1e-15);
}

TEST(DataScale, CountsWeightKAsKCopiesAndWeightZeroAsNone) {
  const RowMatrix X = testing::random_rows(30, 2, 1);
  Vector w(30);
  std::vector<Index> copies;
  for (Index i = 0; i < 30; ++i) {
    w[i] = double(i % 3);
    for (int k = 0; k < int(i % 3); ++k) copies.push_back(i);
  }
  const kernels::DataScale weighted = data_scale(X, w), copied = data_scale(take_rows(X, copies), {});
  EXPECT_EQ(weighted.theta, copied.theta);
  EXPECT_EQ(weighted.neighbours, copied.neighbours);
  EXPECT_NEAR(weighted.dot, copied.dot, 1e-14);
}

TEST(DataScale, OfSparseRowsIsThatOfTheirDenseCopy) {
  const SparseMatrix S = testing::random_sparse(40, 6, 3);
  RowMatrix D(40, 6);
  for (Index i = 0; i < 40; ++i) dense_row(S, i, D.row(i).data());
  EXPECT_NEAR(data_scale(S, {}).theta, data_scale(D, {}).theta, 1e-12);
  EXPECT_NEAR(data_scale(S, {}).neighbours, data_scale(D, {}).neighbours, 1e-12);
}

}  // namespace kernel_test
}  // namespace lacuna

// Kernels of weighed inputs, and slopes of kernels in their inputs.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/slope.hpp"
#include "lacuna/kernel/specification.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace slope_test {

std::span<const double> row(const RowMatrix& X, Index i) { return {X.data() + i * X.cols(), std::size_t(X.cols())}; }

TEST(Slope, EqualsCentralDifferencesInEveryInputForEveryKernel) {
  const RowMatrix X = testing::random_rows(5, 4, 1);
  for (const auto& [name, kernel] : testing::all_kernels(4)) {
    if (!has_slopes(kernel)) continue;
    SCOPED_TRACE(name);
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 1}, {2, 3}, {4, 0}}) {
      const std::vector<double> slope = pair_slope(kernel, row(X, i), row(X, j));
      for (Index k = 0; k < 4; ++k) {
        const double expected = testing::difference([&, i = i, j = j](double h) {
          RowMatrix moved = X;
          moved(i, k) += h;
          return pair_value(kernel, row(moved, i), row(X, j), 0);
        });
        // Differences are good to about 1e-10 of the kernel's values.
        EXPECT_NEAR(slope[std::size_t(k)], expected, 1e-8 * (1.0 + std::abs(expected)));
      }
    }
  }
}

TEST(Slope, OfEqualRowsIsFiniteAlsoWhereAKernelHasACusp) {
  const RowMatrix X = testing::random_rows(1, 3, 1);
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    if (uses_geometry(kernel, kernels::Geometry::dot) || !has_slopes(kernel)) continue;
    SCOPED_TRACE(name);
    EXPECT_EQ(pair_slope(kernel, row(X, 0), row(X, 0)), std::vector<double>(3, 0.0));
  }
}

TEST(Slope, KernelsThatUsersWriteAndMatricesHaveNone) {
  EXPECT_FALSE(has_slopes(kernels::Precomputed{}));
  EXPECT_FALSE(has_slopes(kernels::Custom{}));
  EXPECT_FALSE(has_slopes(kernels::Sum{{kernels::Rbf{}, kernels::Custom{}}}));
  EXPECT_TRUE(has_slopes(kernels::Sum{{kernels::Rbf{}, kernels::Product{{kernels::Linear{}, kernels::Ard{{1.0}}}}}}));
}

TEST(Relevance, IsTheKernelOfRowsWhoseInputsAreMultiplied) {
  const RowMatrix X = testing::random_rows(2, 3, 1);
  const std::vector<double> weights{0.5, 2.0, 0.01};
  RowMatrix weighed = X;
  for (Index k = 0; k < 3; ++k) weighed.col(k) *= weights[std::size_t(k)];
  for (const Kernel& inner : {Kernel(kernels::Rbf{0.3}), Kernel(kernels::Matern12{0.3}), Kernel(kernels::Polynomial{}),
                              Kernel(kernels::Linear{})}) {
    const kernels::Relevance kernel{{inner}, weights};
    EXPECT_EQ(pair_value(kernel, row(X, 0), row(X, 1), 0), pair_value(inner, row(weighed, 0), row(weighed, 1), 0));
    EXPECT_EQ(kernel_parameters(kernel), kernel_parameters(inner));
    EXPECT_EQ(parameter_names(kernel), parameter_names(inner));
  }
  EXPECT_EQ(data_scale(X, {}, weights).theta, data_scale(weighed, {}).theta);
  EXPECT_EQ(data_scale(X, {}, weights).dot, data_scale(weighed, {}).dot);
}

TEST(Relevance, TextSaysWhetherWeightsAreLearnedGivenOrAStart) {
  const KernelSpec learned = bind_kernel(parse_kernel("relevance(rbf)"), 2);
  EXPECT_TRUE(learned.learns);
  EXPECT_EQ(std::get<kernels::Relevance>(learned.kernel.form).weights, (std::vector<double>{1.0, 1.0}));
  const KernelSpec given = bind_kernel(parse_kernel("relevance(rq:alpha=2):weights=0.5/1e-3"), 2);
  EXPECT_FALSE(given.learns);
  EXPECT_EQ(std::get<kernels::Relevance>(given.kernel.form).weights, (std::vector<double>{0.5, 1e-3}));
  EXPECT_EQ(given.given, (std::vector<std::optional<double>>{{}, 2.0}));
  EXPECT_TRUE(bind_kernel(parse_kernel("relevance(rbf):start=0.5/2"), 2).learns);
  EXPECT_FALSE(bind_kernel(parse_kernel("sum(relevance(rbf):weights=1/2,linear)"), 2).learns);
  const std::string text = kernel_text(given.kernel);
  EXPECT_EQ(text, "relevance(rq:theta=1,alpha=2):weights=0.5/0.001");
  EXPECT_EQ(kernel_text(parse_kernel(text).kernel), text);
}

TEST(Relevance, RefusesWhatCannotBeLearnedAndSaysWhy) {
  const auto message = [](const char* text) {
    return test::usage_refusal([&] { bind_kernel(parse_kernel(text), 3); });
  };
  EXPECT_NE(message("relevance(ard)").find("relevance(rbf)"), std::string::npos);
  EXPECT_NE(message("relevance(precomputed)").find("no slopes"), std::string::npos);
  EXPECT_NE(message("relevance(relevance(rbf):weights=1/1/1)").find("inside relevance"), std::string::npos);
  EXPECT_NE(message("sum(relevance(rbf),linear)").find("relevance(sum(A,B))"), std::string::npos);
  EXPECT_NE(message("relevance(rbf,linear)").find("one kernel"), std::string::npos);
  EXPECT_NE(message("relevance").find("relevance(A)"), std::string::npos);
  EXPECT_NE(message("relevance(rbf):weights=1/2").find("2 weights for 3 features"), std::string::npos);
  EXPECT_NE(message("relevance(rbf):weights=1/2/0").find("must be > 0"), std::string::npos);
  EXPECT_NE(message("relevance(rbf):theta=1").find("'theta'"), std::string::npos);
  EXPECT_NE(message("relevanc(rbf)").find("'relevance'"), std::string::npos);
}

}  // namespace slope_test
}  // namespace lacuna

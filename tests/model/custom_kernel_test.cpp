// Kernels of the user's own that have no derivatives, or throw: the search does without gradients, and nothing aborts.
#include <gtest/gtest.h>

#include <stdexcept>

#include "lacuna/base/error.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace custom_kernel_test {

kernels::Custom laplacian(bool with_derivative) {
  kernels::Custom out{.label = "laplacian",
                      .parameter_labels = {"rate"},
                      .parameter = {1.0},
                      .pair_value = [](kernels::Custom::Row x, kernels::Custom::Row y,
                                       kernels::Custom::Row p) { return std::exp(-p[0] * std::abs(x[0] - y[0])); },
                      .pair_d_log = {}};
  if (with_derivative)
    out.pair_d_log = [](int, kernels::Custom::Row x, kernels::Custom::Row y, kernels::Custom::Row p) {
      const double u = p[0] * std::abs(x[0] - y[0]);
      return -u * std::exp(-u);
    };
  return out;
}

struct Wave {
  RowMatrix X;
  std::vector<double> t;
};

// More than one tile, so that threads take part.
Wave wave(Index l) {
  Wave out{testing::random_rows(l, 1, 91), {}};
  Random random(92);
  for (Index i = 0; i < l; ++i) out.t.push_back(std::sin(2.0 * out.X(i, 0)) + 0.1 * random.normal());
  return out;
}

TEST(CustomKernel, WithoutDerivativesIsSearchedWithoutGradients) {
  const Wave w = wave(200);
  const Model with = train(w.X, w.t, {.kernel = custom(laplacian(true))});
  for (const std::optional<BasisRequest>& basis : {std::optional<BasisRequest>(), {BasisRequest{.size = 190}}}) {
    const Model without = train(w.X, w.t, {.kernel = custom(laplacian(false)), .basis = basis});
    EXPECT_EQ(without.report.search.method, "nelder-mead");
    EXPECT_EQ(without.report.search.gradients, 0);
    EXPECT_NEAR(without.report.criterion_value, with.report.criterion_value, 0.01 * with.report.criterion_value);
  }
  EXPECT_EQ(with.report.search.method, "lbfgs");
}

TEST(CustomKernel, OfAGaussianProcessLikewise) {
  const Wave w = wave(60);
  std::vector<std::string> labels;
  for (const double t : w.t) labels.push_back(t > 0.0 ? "up" : "down");
  const Model model = train(w.X, labels, {.model = gp_laplace_classifier(), .kernel = custom(laplacian(false))});
  EXPECT_EQ(model.report.search.method, "nelder-mead");
  EXPECT_TRUE(std::isfinite(model.report.criterion_value));
}

TEST(CustomKernel, WithoutDerivativesRefusesAGradientSearch) {
  const Wave w = wave(40);
  for (const SearchMethod method : {SearchMethod::lbfgs, SearchMethod::scg}) try {
      train(w.X, w.t, {.kernel = custom(laplacian(false)), .select = {.search = method}});
      ADD_FAILURE() << "was accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::usage);
      EXPECT_NE(std::string(e.what()).find("needs a gradient"), std::string::npos) << e.what();
    }
}

TEST(CustomKernel, WhatItThrowsReachesTheCaller) {
  const Wave w = wave(300);
  kernels::Custom value = laplacian(true), slope = laplacian(true);
  value.pair_value = [](kernels::Custom::Row, kernels::Custom::Row, kernels::Custom::Row) -> double {
    throw std::domain_error("no such pair");
  };
  slope.pair_d_log = [](int, kernels::Custom::Row, kernels::Custom::Row, kernels::Custom::Row) -> double {
    throw std::domain_error("no slope");
  };
  for (const kernels::Custom& kernel : {value, slope})
    for (const Machine& machine : {ls_svm(), kfd()})
      for (const bool basis : {false, true}) {
        if (basis && machine.name == "kfd") continue;
        TrainOptions options{.model = machine, .kernel = custom(kernel), .run = {.threads = 2}};
        if (basis) options.basis = BasisRequest{.method = BasisMethod::random, .size = 150};
        std::vector<double> t = w.t;
        if (machine.name == "kfd")
          for (double& v : t) v = v > 0.0 ? 1.0 : -1.0;
        EXPECT_THROW(train(w.X, t, options), std::domain_error);
      }
}

TEST(Predict, RefusesWhatIsNotFiniteNamingRowAndFeature) {
  const Wave w = wave(40);
  const RowMatrix X = (RowMatrix(40, 2) << w.X, w.X).finished();
  const Model model = train(X, w.t, {.kernel = rbf(0.5), .lambda = 0.1});
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    RowMatrix fresh = X.topRows(3);
    fresh(2, 1) = bad;
    for (const auto& ask :
         {std::function<void()>([&] { predict(model, fresh); }), std::function<void()>([&] { outputs(model, fresh); })})
      try {
        ask();
        ADD_FAILURE() << "was accepted";
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::data);
        EXPECT_NE(std::string(e.what()).find("predict: row 3, feature 2"), std::string::npos) << e.what();
      }
  }
  SparseMatrix sparse{.rows = 2, .cols = 2, .row_start = {0, 1, 2}, .column = {0, 1}, .value = {1.0, std::nan("")}};
  EXPECT_THROW(check_finite(sparse, "predict"), Error);
}

}  // namespace custom_kernel_test
}  // namespace lacuna

// tests/support/gp_reference.hpp -- Gaussian-process classifiers against a row of reference values: minus log evidence,
// its derivatives, and at ten new points the latent mean (mean1 ...), variance (var1 ...) and averaged probability
// (p1 ...).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "lacuna/machine/gp_classifier.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cells.hpp"

namespace lacuna::testing {

inline double number(const Cells& row, const std::string& name) { return std::stod(row.at(name)); }

/// Some columns of rows first, first + 1, ..., first + count - 1.
inline RowMatrix columns(const std::vector<Cells>& rows, const std::vector<std::string>& names, std::size_t first,
                         std::size_t count) {
  RowMatrix X{Index(count), Index(names.size())};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < names.size(); ++j) X(Index(i), Index(j)) = number(rows.at(first + i), names[j]);
  return X;
}

inline void expect_relative(double value, double expected, double tolerance) {
  EXPECT_NEAR(value, expected, tolerance * std::abs(expected));
}

/// `row` has the method (laplace-logistic, laplace-probit, ep-probit) and the values, for the covariance
/// deviation^2 exp(-|x - x'|^2 / (2 length^2)). The average over a logistic function may be less exact than the rest.
inline void expect_gp_reference(const Cells& row, double length, double deviation, const RowMatrix& X, const Vector& t,
                                const RowMatrix& X_new, double tolerance, double logistic_tolerance) {
  const std::map<std::string, GpClassifier> classifiers = {
      {"laplace-logistic", {Inference::laplace, losses::Logistic{}}},
      {"laplace-probit", {Inference::laplace, losses::Probit{}}},
      {"ep-probit", {Inference::ep, losses::Probit{}}}};
  const kernels::Rbf kernel{.theta = 0.5 / (length * length)};
  const auto K = testing::backend().gram(kernel, X);
  const GpFit fit = fit_gp(classifiers.at(row.at("method")), *K, t, 0.0, 1.0 / (deviation * deviation));
  ASSERT_EQ(fit.stop, Stop::converged);
  expect_relative(-fit.log_evidence, number(row, "neg_log_evidence"), tolerance);
  const compute::CriterionGradient g = evidence_gradient(fit);
  expect_relative(2.0 * g.d_log_kernel[0], number(row, "d_log_ell"), tolerance);  // theta = 1/(2 length^2)
  expect_relative(2.0 * g.d_log_lambda, number(row, "d_log_sf"), tolerance);      // lambda = 1/deviation^2
  const LatentMoments at = latent(fit, testing::backend(), kernel, X_new, X);
  const Vector p = averaged_probability(fit.likelihood, at);
  const bool logistic = std::holds_alternative<losses::Logistic>(fit.likelihood);
  for (Index i = 0; i < X_new.rows(); ++i) {
    const std::string k = std::to_string(i + 1);
    expect_relative(at.mean[i], number(row, "mean" + k), tolerance);
    expect_relative(at.variance[i], number(row, "var" + k), tolerance);
    EXPECT_NEAR(p[i], number(row, "p" + k), logistic ? logistic_tolerance : 1e-8);
  }
}

}  // namespace lacuna::testing

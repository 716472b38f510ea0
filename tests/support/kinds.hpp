// tests/support/kinds.hpp -- small data sets on given rows, and one of them for every kind of machine: what tests go
// through that compare two ways to one answer.
#pragma once

#include <string>
#include <vector>

#include "lacuna/base/random.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/problems.hpp"

namespace lacuna::testing {

/// Two classes or three, by the first column and noise.
inline Dataset noisy_classes(const RowMatrix& X, int count, std::uint64_t seed) {
  std::vector<std::string> label;
  Random random(seed);
  for (Index i = 0; i < X.rows(); ++i) {
    const double s = X(i, 0) + 0.5 * random.normal();
    label.push_back(count == 2 ? (s > 0.0 ? "yes" : "no") : s > 0.5 ? "c" : s > -0.5 ? "b" : "a");
  }
  return make_dataset(X, label);
}

/// Counts, or positive values, whose mean grows with the first column.
inline Dataset noisy_values(const RowMatrix& X, bool counts, std::uint64_t seed) {
  std::vector<double> t;
  Random random(seed);
  for (Index i = 0; i < X.rows(); ++i) {
    const double mu = std::exp(0.6 * X(i, 0) + 0.5);
    t.push_back(counts ? double(random.poisson(mu)) : mu * std::exp(0.2 * random.normal()));
  }
  return make_dataset(X, t, counts ? DataOptions::TaskRequest::counts : DataOptions::TaskRequest::regression);
}

struct Kind {
  Machine machine;
  Dataset data;
};

/// Every loss, several classes, several targets, weights and offsets.
inline std::vector<Kind> every_kind(const RowMatrix& X, std::uint64_t seed) {
  const Index n = X.rows();
  const Dataset two_classes = noisy_classes(X, 2, seed), three_classes = noisy_classes(X, 3, seed),
                values = noisy_values(X, false, seed + 1), counts = noisy_values(X, true, seed + 1);
  Dataset exposed = counts, two_targets = values, weighted = values;
  exposed.offset = random_matrix(n, 1, seed + 2).col(0) * 0.3;
  two_targets.targets.conservativeResize(n, 2);
  two_targets.targets.col(1) = random_matrix(n, 1, seed + 3);
  weighted.weights = random_matrix(n, 1, seed + 4).col(0).cwiseAbs() + Vector::Constant(n, 0.1);
  return {{ls_svm(), values},
          {ls_svm(), two_targets},
          {ls_svm(), weighted},
          {ls_svm(), two_classes},
          {ls_svm(), three_classes},
          {klr(), two_classes},
          {klr(), three_classes},
          {kpr(), two_classes},
          {l2_svm(), two_classes},
          {huber_regression(0.5), values},
          {gamma_regression(), values},
          {negative_binomial_regression(0.4), exposed},
          {poisson_regression(), counts},
          {poisson_regression(), exposed}};
}

/// Infinite where the shapes differ.
inline double largest_difference(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  return a.size() > 0 ? (a - b).cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace lacuna::testing

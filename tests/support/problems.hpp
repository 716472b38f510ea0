// tests/support/problems.hpp -- small seeded problems and the list of kernels that every suite runs over.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "lacuna/base/random.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna::testing {

inline RowMatrix random_rows(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  RowMatrix X(n, d);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j) X(i, j) = random.normal();
  return X;
}

inline Matrix random_matrix(Index n, Index m, std::uint64_t seed) { return random_rows(n, m, seed); }

/// +1/-1 by the side of a curved boundary, with some labels turned.
inline Matrix random_signs(const RowMatrix& X, std::uint64_t seed) {
  Random random(seed);
  Matrix y(X.rows(), 1);
  for (Index i = 0; i < X.rows(); ++i) {
    const double side = X(i, 0) + 0.5 * X.row(i).squaredNorm() / double(X.cols()) - 0.5;
    y(i, 0) = (side > 0.0) != (random.uniform() < 0.1) ? 1.0 : -1.0;
  }
  y(0, 0) = 1.0;
  y(1, 0) = -1.0;
  return y;
}

inline Vector random_weights(Index n, std::uint64_t seed, int zeros = 0) {
  Random random(seed);
  Vector w(n);
  for (Index i = 0; i < n; ++i) w[i] = random.uniform(0.2, 3.0);
  for (int k = 0; k < zeros; ++k) w[Index(random.below(std::uint64_t(n)))] = 0.0;
  return w;
}

/// Rows of which about half are zero, as CSR.
inline SparseMatrix random_sparse(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  SparseMatrix X;
  X.rows = n;
  X.cols = d;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j)
      if (random.uniform() < 0.5) {
        X.column.push_back(std::int32_t(j));
        X.value.push_back(random.normal());
      }
    X.row_start.push_back(std::int64_t(X.value.size()));
  }
  return X;
}

struct NamedKernel {
  std::string name;
  Kernel kernel;
};

/// One of each, with parameters of a sensible size for standard normal rows of d features.
inline std::vector<NamedKernel> all_kernels(Index d) {
  kernels::Ard relevance;
  for (Index j = 0; j < d; ++j) relevance.theta.push_back(0.05 + 0.3 * double(j) / double(d));
  std::vector<double> weights;
  for (Index j = 0; j < d; ++j) weights.push_back(0.2 + double((2 * j) % d) / double(d));
  kernels::Custom own{.label = "laplacian",
                      .parameter_labels = {"rate"},
                      .parameter = {0.4},
                      .pair_value =
                          [](kernels::Custom::Row x, kernels::Custom::Row y, kernels::Custom::Row p) {
                            double s = 0.0;
                            for (std::size_t k = 0; k < x.size(); ++k) s += std::abs(x[k] - y[k]);
                            return std::exp(-p[0] * s);
                          },
                      .pair_d_log =
                          [](int, kernels::Custom::Row x, kernels::Custom::Row y, kernels::Custom::Row p) {
                            double s = 0.0;
                            for (std::size_t k = 0; k < x.size(); ++k) s += std::abs(x[k] - y[k]);
                            return -p[0] * s * std::exp(-p[0] * s);
                          }};
  return {
      {"linear", kernels::Linear{}},
      {"poly2", kernels::Polynomial{.c = 0.7, .degree = 2}},
      {"poly3", kernels::Polynomial{.c = 1.3, .degree = 3}},
      {"poly5", kernels::Polynomial{.c = 2.0, .degree = 5}},
      {"boolean", kernels::Boolean{.eta = 0.3}},
      {"rbf", kernels::Rbf{.theta = 0.15}},
      {"ard", relevance},
      {"matern12", kernels::Matern12{.theta = 0.2}},
      {"matern32", kernels::Matern32{.theta = 0.2}},
      {"matern52", kernels::Matern52{.theta = 0.2}},
      {"rq", kernels::RationalQuadratic{.theta = 0.2, .alpha = 1.5}},
      {"custom", own},
      {"sum_rbf_linear", kernels::Sum{{kernels::Rbf{.theta = 0.3}, kernels::Linear{}}}},
      {"prod_rbf_poly2", kernels::Product{{kernels::Rbf{.theta = 0.1}, kernels::Polynomial{.c = 1.1, .degree = 2}}}},
      {"sum_of_products",
       kernels::Sum{{kernels::Product{{kernels::Matern32{.theta = 0.1}, relevance}},
                     kernels::Product{{kernels::Linear{}, kernels::Rbf{}, kernels::Boolean{.eta = 0.1}}}}}},
      {"relevance_rbf", kernels::Relevance{{kernels::Rbf{.theta = 0.3}}, weights}},
      {"relevance_matern12", kernels::Relevance{{kernels::Matern12{.theta = 0.3}}, weights}},
      {"relevance_of_sum",
       kernels::Relevance{
           {kernels::Sum{{kernels::Product{{kernels::Rbf{.theta = 0.2}, kernels::Linear{}}}, kernels::Matern52{}}}},
           weights}},
      {"sum_of_relevance", kernels::Sum{{kernels::Relevance{{kernels::RationalQuadratic{.theta = 0.4}}, weights},
                                         kernels::Rbf{.theta = 0.1}}}}};
}

/// Three to seven rows a group, in no order.
inline std::vector<int> random_groups(Index n, int groups, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> g;
  for (Index i = 0; i < n; ++i) g.push_back(int(i) % groups);
  random.shuffle(g);
  return g;
}

}  // namespace lacuna::testing

// tests/support/excess_counts.hpp -- rows with counts about e^f(x), Poisson's or with more variance: Poisson counts
// whose rate is gamma distributed, which are negative binomial.
#pragma once

#include <cmath>
#include <vector>

#include "lacuna/base/random.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/problems.hpp"

namespace lacuna::testing {

/// Gamma distributed with mean 1 and variance a (Marsaglia and Tsang 2000; shapes below 1 by a power of a uniform).
inline double gamma_of_mean_one(Random& random, double a) {
  const double shape = 1.0 / a, raised = shape < 1.0 ? shape + 1.0 : shape;
  const double d = raised - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = random.normal(), v = std::pow(1.0 + c * x, 3);
    const double u = 1.0 - random.uniform();
    if (v > 0.0 && std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) {
      const double boost = shape < 1.0 ? std::pow(1.0 - random.uniform(), 1.0 / shape) : 1.0;
      return d * v * boost / shape;
    }
  }
}

/// A count of this mean; a = 0: Poisson's.
inline double excess_count(Random& random, double mean, double a) {
  return double(random.poisson(a > 0.0 ? mean * gamma_of_mean_one(random, a) : mean));
}

/// Two features, log-means 0.7 + sin(x1) + 0.3 x2.
inline Dataset excess_counts(Index rows, double a, std::uint64_t seed) {
  const RowMatrix X = random_rows(rows, 2, seed);
  Random random(seed + 1000);
  std::vector<double> t;
  for (Index i = 0; i < rows; ++i)
    t.push_back(excess_count(random, std::exp(0.7 + std::sin(X(i, 0)) + 0.3 * X(i, 1)), a));
  return make_dataset(X, t, DataOptions::TaskRequest::counts);
}

}  // namespace lacuna::testing

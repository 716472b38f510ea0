// tests/support/noisy_sinc.hpp -- values whose noise grows, or does not, and a machine of the test's own for its size.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lacuna/base/random.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna {

inline double deviation(double x, bool grows) { return grows ? 0.1 + 0.1 * (x + 3.0) : 0.3; }

inline Dataset sinc(Index rows, std::uint64_t seed, bool grows) {
  Random random(seed);
  RowMatrix X(rows, 1);
  std::vector<double> t;
  for (Index i = 0; i < rows; ++i) {
    const double x = X(i, 0) = random.uniform(-3.0, 3.0);
    t.push_back(2.0 * std::sin(x) / x + deviation(x, grows) * random.normal());
  }
  return make_dataset(X, t, DataOptions::TaskRequest::regression);
}

/// A gamma machine of the squares of held-out residuals, as the formula has it.
inline Model machine_of_squares(const Dataset& data, const Matrix& residual) {
  std::vector<double> squares;
  for (const double x : residual.col(0))
    squares.push_back(std::max(x * x, 1e-3 * residual.squaredNorm() / double(data.size())));
  const KernelSpec kernel = rbf(0.3 * data_scale(data.X, {}).theta);
  return train(make_dataset(data.X, squares), {.model = gamma_regression(), .kernel = kernel});
}

/// The size of the noise of new rows by that machine, held to the range that it has over the rows it has learned from.
inline Matrix sizes_of_noise(const Model& squares, const Dataset& data, const RowsView& fresh) {
  const Matrix seen = predict(squares, data.X).value;
  return predict(squares, fresh).value.cwiseMax(seen.minCoeff()).cwiseMin(seen.maxCoeff()).cwiseSqrt();
}

}  // namespace lacuna

// base/paired.hpp -- a difference between two answers, row by row (of two ways of fitting, of a column as it is and
// permuted), and how well its mean is known.
//
//   mean = sum w_i d_i / sum w_i,   standard error^2 = sum w_i (d_i - mean)^2 / (sum w_i (n - 1))
//
// n is the number of rows that the weights count (base/weights.hpp). Rows of one group are not independent of one
// another: there the sums over the groups take the place of rows.
#pragma once

#include <span>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

struct Paired {
  double mean = 0.0;
  double standard_error = 0.0;  ///< infinite where fewer than two rows or groups count
  double count = 0.0;           ///< n
};

/// Over `rows`: numbers of rows in the other three. `group` may be empty.
Paired paired(const Vector& difference, const Vector& weights, const std::vector<int>& group,
              std::span<const Index> rows);

}  // namespace lacuna

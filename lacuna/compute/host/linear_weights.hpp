// compute/host/linear_weights.hpp -- an expansion in a linear kernel, by one weight for each column,
//
//   z_ic = sum_j (x_i . y_j) A_jc = x_i . w_c,   w_c = sum_j A_jc y_j
//
// in twice the digits of a double (base/twofold.hpp), for the reasons of precise.hpp. O(n d) once, then O(d) for a row
// whatever n is; of sparse rows their entries alone are looked at.
#pragma once

#include <vector>

#include "lacuna/base/rows.hpp"
#include "lacuna/base/twofold.hpp"

namespace lacuna {

class LinearWeights {
 public:
  LinearWeights(const RowsView& Y, const Matrix& A);
  /// Of weights that are known.
  explicit LinearWeights(const Matrix& w);

  /// X w (N x m), each to its last digit or two, whatever the other rows.
  Matrix times(const RowsView& X) const;
  /// w (d x m): the doubles next to it, and what is left.
  Twofold<RowMatrix> values() const;

 private:
  Index columns_, outputs_;
  std::vector<Twofold<double>> w_;  // d x m, by rows
};

}  // namespace lacuna

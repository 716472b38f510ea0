// compute/host/unexplained.hpp -- the posterior variance of a Gaussian process in units of the prior's, where it is so
// much smaller that doubles have no digits left for it:
//
//   v_i = k(x_i, x_i) - ||E' k_i||^2,   E = D S',  S = L^-1,  L L' = A = I + D K D / lambda,  D = sqrt(beta/lambda)
//
// With a prior variance of 1e4 and rows near training rows the difference keeps twelve digits of sixteen. Here kernel
// values are the doubles next to the true ones, E'k is free of rounding errors (base/slices.hpp) and the sum of squares
// is in twice the digits: the same bits from every processor, block size or ONNX file, given E, which is computed once.
// Costs n^3 to prepare, and for each new row ten products with E and n kernels in twice the digits.
#pragma once

#include "lacuna/base/slices.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

/// Rounding errors of a variance in doubles, typically, in its own units.
double variance_error(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda);
/// Whether they could be seen in the twelfth digit of a probability, and can be avoided (has_precise_values). A
/// variance that is shown itself is worth it wherever that can be had.
bool wants_precise_variance(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda);

/// E (n x n). Throws Error(numerical) where A is not positive definite.
RowMatrix explaining_matrix(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda);

class Unexplained {
 public:
  /// Requires: a kernel that is a formula; X outlives it.
  Unexplained(const Kernel& kernel, const RowsView& X, const Vector& beta, double lambda);
  /// v, for each row; not below 0.
  Vector at(const RowsView& rows) const;

 private:
  Kernel kernel_;
  RowsView X_;
  Slices<Matrix> E_;
};

}  // namespace lacuna

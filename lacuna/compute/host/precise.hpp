// compute/host/precise.hpp -- expansions whose terms cancel,
//
//   z_ic = sum_j k(x_i, y_j) A_jc,   |z| much smaller than the sum of |k A|,
//
// in twice the digits of a double (base/twofold.hpp), distances, kernel and sum alike. In doubles each term has an
// error of some ulps, so that z has one of about eps ||k A||: 1e-7 for a Gaussian kernel so wide that it acts as a
// linear one. z itself is a smooth function of x, and the digits are there to be had. They make predictions the same to
// 1e-12 whoever computes them: other block sizes, processors, or an ONNX file. Costs some ten times what doubles cost,
// O(N n d).
#pragma once

#include <vector>

#include "lacuna/base/twofold.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

/// Rounding errors of an expansion in doubles, typically: eps max_c ||k(y_j, y_j) A_jc|| over j, in units of the
/// output.
double expansion_error(const Kernel& kernel, const RowsView& Y, const Matrix& A);
/// Whether a kernel has values in twice the digits: it is a formula, and sparse rows do not
/// have columns beyond number.
bool has_precise_values(const Kernel& kernel, const RowsView& Y);
/// Whether those errors could be seen in the twelfth digit, and twice the digits can be had. Always for kernels of
/// x . x', whose terms grow without limit for rows far out, and which cost little.
bool wants_precision(const Kernel& kernel, const RowsView& Y, const Matrix& A);
/// Requires: a kernel that is a formula; X and Y both dense or both sparse. Promises: each z to its last digit or two,
/// whatever the other rows.
Matrix expand_precisely(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A);

struct PreciseValues {
  Matrix k;                           ///< k(x_i, y_j), the double next to it
  std::vector<Twofold<double>> self;  ///< k(x_i, x_i)
};
PreciseValues precise_values(const Kernel& kernel, const RowsView& X, const RowsView& Y);

}  // namespace lacuna

// machine/kfd.hpp -- the kernel Fisher discriminant (method 6) is the squared loss with the penalty on the coefficients
// (penalty.hpp) and targets that balance the classes:
//
//   minimise over (a, b)   mu sum_j a_j^2/zeta_j + sum_i zeta_i (t_i - (K a)_i - b)^2
//   t_i = +l/l_k for a row of class k,  -l/(l - l_k) for any other
//
// where l and l_k are sums of the training weights zeta. Two classes make one output (of class 1), more make one for
// each. The weighted mean of the targets is 0, and the direction a is that of the leading eigenvector of (M, N + mu
// Z^-1), M the scatter between the classes and N that within them.
#pragma once

#include <string>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// l x m; `label` counts classes from 0. Throws Error(data) when no row of a class has a weight.
Matrix kfd_targets(const std::vector<int>& label, const std::vector<std::string>& classes, const Vector& zeta);

}  // namespace lacuna

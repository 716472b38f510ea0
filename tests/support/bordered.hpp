// tests/support/bordered.hpp -- the oracle: the bordered system of the dual machine solved as it is written, by LU with
// full pivoting in extended precision, once for every fold. Nothing of the library's machine is used, so nothing can
// agree by accident, and the oracle's own rounding stays out of the comparison.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "lacuna/data/split.hpp"

namespace lacuna::testing {

using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

struct Bordered {
  Long alpha;  // rows outside the system: 0
  Eigen::Matrix<long double, 1, Eigen::Dynamic> b;
};

/// C^-1 right by LU with full pivoting, to the last column: a border that is small beside a large lambda is not
/// dropped.
Long solve_by_lu(const Long& C, const Long& right);

/// Of the rows `use` (others, and those with beta = 0, are not in the system).
Bordered solve_bordered(const Matrix& K, const Vector& beta, const Matrix& eta, double lambda,
                        const std::vector<bool>& use);

/// Held-out outputs, every fold refitted from nothing. Empty folds: leave one out.
Matrix brute_force_held_out(const Matrix& K, const Vector& beta, const Matrix& eta, double lambda, Folds folds);

/// cond(K + lambda diag(1/beta)) over the rows in the system.
double condition(const Matrix& K, const Vector& beta, double lambda);

}  // namespace lacuna::testing

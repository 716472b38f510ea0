// tests/support/least_squares.hpp -- the oracle for machines on a basis: the least-squares problem itself, penalty rows
// and all, by orthogonal triangularisation in extended precision, once for every fold. No normal equations, no closed
// form.
//
//   min_a,b  | sqrt(W) (eta - K_ln a - b) |^2 + lambda | R a |^2,     K_nn = R'R
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "lacuna/data/split.hpp"
#include "tests/support/bordered.hpp"

namespace lacuna::testing {

/// K_ln a + b for every row, fitted on rows with use[i].
Matrix least_squares_outputs(const Matrix& K_ln, const Matrix& K_nn, const Vector& beta, const Matrix& eta,
                             double lambda, const std::vector<bool>& use);

/// Held-out outputs, every fold refitted from nothing. Empty folds: leave one out.
Matrix brute_force_on_basis(const Matrix& K_ln, const Matrix& K_nn, const Vector& beta, const Matrix& eta,
                            double lambda, Folds folds);

}  // namespace lacuna::testing

// machine/regulariser.hpp -- what the regulariser of a machine with expansion f(x) = sum_j a_j k(x, x_j) + b weighs.
//
//   norm           lambda ||w||^2 = lambda a'K a:   the dual machine on K, a = alpha                    (method 3)
//   coefficients  mu sum_j a_j^2 / zeta_j:         the dual machine on K Z K, Z = diag(zeta), a = Z K alpha  (method 6)
//
// The second is the kernel Fisher discriminant's. Its outputs are z = K a + b = (K Z K) alpha + b, so that
// leave-one-out, folds, gradients and the path of mu are those of the dual machine. A row left out keeps its column:
// what leaves is its share of the loss. The weights zeta of the rows are those of the columns, so that a row of weight
// 0 is a row removed, and one of weight k is k copies.
#pragma once

#include "lacuna/compute/compute.hpp"
#include "lacuna/loss/supervision.hpp"

namespace lacuna {

/// The Gram matrix of the dual machine: K, or K Z K.
std::shared_ptr<const compute::Gram> dual_gram(const Backend& backend, const Kernel& kernel, const RowsView& X,
                                               const Supervision& learn, compute::Use use = compute::Use::repeatedly);

/// The coefficients a of the expansion in the kernel itself, from the dual machine's alpha (l x m).
Matrix expansion(const Backend& backend, const Kernel& kernel, const RowsView& X, const Supervision& learn,
                 const Matrix& alpha);

/// What its parameter is called: "lambda" or "mu".
const char* regulariser_name(Penalty penalty);

}  // namespace lacuna

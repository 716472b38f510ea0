// loo/primal_beyond.hpp -- beyond one Newton step, for machines on a basis with so many rows that their features are
// not kept (held_out_optimum.hpp keeps them): the first of its steps, and what a second would add. When row i leaves,
// one step moves row j's output by
//
//   u_ij = -v_j'v_i y_i,    y_i = r_i / (1 - h_i)
//
// so that a row costs O(l n), and all of them O(l^2 n): too much for many rows, and of no use. Rows whose own output
// moves by next to nothing are where one step would leave them in any case. Only those that move most are looked at:
//
//   along the line     L(s) = (lambda/2) (p + s d)'P0 (p + s d) + sum_{j != i} zeta_j c(z_j + s u_ij, t_j),  L'(s*) = 0
//   second step        dz_i = -1/(1 - h_i) sum_{j != i} v_i'v_j rho_j,   rho_j = zeta_j [c'(z_j + u_ij) - c'(z_j)] -
//                      beta_j u_ij
//
// with lambda p'P0 d = sum_j r_j u_ij and lambda d'P0 d = y_i^2 tau_i - sum_j beta_j u_ij^2. All of them share the
// passes over the rows, and no more than a block of u is kept.
#pragma once

#include "lacuna/loss/supervision.hpp"
#include "lacuna/machine/primal.hpp"

namespace lacuna {

/// Which rows are worth more than one step: those in the system that it moves most, at most max(1000, 2 n) of them.
/// Where there are more rows than that, only those that it moves by more than 0.1 (of delta, for pseudo-huber).
/// Ascending.
std::vector<Index> rows_that_move(const PrimalFit& fit, const Loss& loss);

/// Held-out outputs of output `column`, from one step: for counts and rates `rows` go along the line; for other losses
/// HeldOutOptimum::left says how far a second step would move them. Requires Want::inverse.
inline compute::HeldOutOptimum beyond_one_step(const RowSource& X, const PrimalFit& fit, const Supervision& learn,
                                               Index column, const std::vector<Index>& rows) {
  return fit.factor->beyond(X, fit, learn, column, rows);
}

}  // namespace lacuna

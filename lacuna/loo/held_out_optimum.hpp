// loo/held_out_optimum.hpp -- held-out outputs of losses other than the squared one, as far as a refit would take them,
// without refitting. One Newton step from the fit of all rows (leave_one_out.hpp) is where this begins; for few rows,
// small lambda or rare events it can be far from the end. The machine without fold F minimises the convex
//
//   J_F = (lambda/2) alpha' K alpha + sum_{j not in F} zeta_j c(z_j, t_j),    z = K alpha + b,   sum alpha = 0
//   r_j = lambda alpha_j + [j not in F] zeta_j c'_j      its slope along a direction is sum_j r_j dz_j
//
// Conjugate gradients find its minimum, each step preconditioned by the factor of all rows with F taken out:
//
//   g_j = -r_j/beta_j (0 on F),   d alpha = Q g + Q_:F s,   s = -Q_FF^-1 (alpha_F + (Q g)_F)
//   dz_j = g_j - (lambda/beta_j) d alpha_j (+ s on F)
//
// with an exact search along each line. The first step's whole length is the papers' approximation; the first step as
// far as J_F falls is method 17's line; where the steps end is the refit. For squared loss that is the first step. beta
// has a floor here, a share of lambda/K_jj: rows that hardly count with F in the data may count a lot without it.
//
// A step costs O(l^2) for each fold that is still on its way, a handful of steps where the loss is nearly quadratic
// between the two fits. The gap to the optimum in J_F bounds what is left of an output: |dz_i| <= sqrt(v_i rho), v_i
// its held-out variance and rho = -sum_j r_j dz_j <= sum_{j not in F} r_j^2/beta_j, where J_F bends as the factor says.
// Where it bends less the bound grows by as much as it may bend less, which is a lot where lambda is next to nothing:
// such folds may not arrive, and are for refits.
//
// At the optimum its derivative is that of the equations that hold there, lambda alpha_j + zeta_j c'_j = 0 outside F
// and alpha_F = 0, whatever the way that led to it. For a criterion with slope P' in the outputs, with beta~_j =
// zeta_j c''_j of the machine without F and its adjoint a (outputs y = K a + d, sum a = 0),
//
//   a_F = P'_F,    lambda a_j + beta~_j y_j = 0 outside F
//   dP/dtheta = sum_F alpha' dK/dtheta a,    dP/d log lambda = -sum_F alpha'y
//
// which is the optimality of a quadratic problem: again conjugate gradients, with the same preconditioner, begun where
// beta~ would be the factor's own beta: a = Q_:F Q_FF^-1 P'_F, the closed form of gradient.hpp.
#pragma once

#include "lacuna/data/row_source.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/gp.hpp"
#include "lacuna/machine/primal.hpp"

namespace lacuna {

/// Requires the converged fit of output `column`, and folds that leave some row of the system outside. Empty folds:
/// leave one out.
compute::HeldOutOptimum held_out_optimum(const compute::Gram& K, const DualFit& fit, const Supervision& learn,
                                         Index column, const Folds& folds, const compute::FollowOptions& options = {});

/// Of Laplace's Gaussian process, which has no border: the means of the refitted posterior.
compute::HeldOutOptimum held_out_optimum(const compute::Gram& K, const GpFit& fit, const Supervision& learn,
                                         Index column, const Folds& folds, const compute::FollowOptions& options = {});

/// The same on a basis, for rows in memory; `self` is k(x, x) of each row. With V = Z T^-T (C = T T'), Q = (W - W V
/// V'W)/lambda, so that a step costs O(l n); V takes l n doubles.
compute::HeldOutOptimum held_out_optimum(const PrimalFit& fit, const RowSource& X, const Vector& self,
                                         const Supervision& learn, Index column, const Folds& folds,
                                         const compute::FollowOptions& options = {});

}  // namespace lacuna

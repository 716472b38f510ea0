// loo/gradient.hpp -- the exact derivative of any criterion of held-out outputs, in lambda and all kernel parameters,
// from the factorisation at hand (method 9). P' = dP/dz~.
//
// A fold F held out by the machine alpha^(-F) = alpha - Q_:F e_F contributes a matrix of rank one:
//
//   e_F = Q_FF^-1 alpha_F,   u_F = Q_FF^-1 P'_F,    G = sum_F sym( (alpha - Q_:F e_F) (Q_:F u_F)' )
//   dP/dtheta = <G, dK/dtheta>,     dP/dlambda = sum_i G_ii / beta_i
//
// For leave-one-out the sum is one product with a diagonal: G = sym(alpha (Qu)') - Q diag(v) Q, v_i = P'_i alpha_i /
// Q_ii^2. Rows I of a fold that are not in the system (beta = 0) are outputs all the same. With k = K p_I, s = 1'p_I
// and a = Q k + xi s / 1'xi (the response of the machine to them): u_F = Q_FF^-1 (P'_F + a_F), and p_I - a joins Q_:F
// u_F. Several output columns add up. Costs are in compute.hpp (contract).
//
// For losses other than the squared one beta and eta move with the fit. With s = zeta c'''/beta^3 (DualFit::curvature)
// and
//   w_j = -lambda sum_{F without j} (Q_:F e_F)_j (Q_:F u_F)_j
// G gains -lambda sym(alpha (Q (w o s))') and dP/dlambda gains sum_j w_j s_j alpha_j.
//
// Laplace's Gaussian processes: the same without the border, Q = M^-1, and each held-out row has a variance besides,
// v_F = diag(Q_FF^-1)/lambda - 1/beta_F. With p and q the derivatives of P in mean and variance, p stands for P',
//   G gains sum_F Q_:F Q_FF^-1 diag(q_F)/lambda Q_FF^-1 Q_F:,    dP/d log lambda gains -q'(v + 1/beta)
// and w its part of the sum, again without each row's own fold. With R = Q (u - lambda w o s), in the prior's mean m
//   dP/dm = sum_i R_i,    and    lambda G_ii - q_i = lambda alpha_i (R_i - p_i) + w_i
#pragma once

#include "lacuna/data/split.hpp"
#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/gp.hpp"

namespace lacuna {

/// Empty folds: leave one out. d_output is dP/dz~, l x m. Requires Want::inverse.
compute::CriterionGradient criterion_gradient(const compute::Gram& K, const DualFit& fit, const Folds& folds,
                                              const Matrix& d_output);

/// `v`: the held-out variances of every row; p and q as above. Throws Error(usage) for expectation
/// propagation.
compute::CriterionGradient criterion_gradient(const GpFit& fit, const Folds& folds, const Vector& v, const Vector& p,
                                              const Vector& q);

}  // namespace lacuna

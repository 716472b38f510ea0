// loo/gp_pair_out.hpp -- the area under the ROC curve of a Gaussian process without bias, as leave_pair_out.hpp: every
// pair of one positive and one negative row loses both its sites, and the two held-out outputs are compared. With S the
// posterior covariance of the two rows, W = diag(beta), a = lambda alpha:
//
//   V = S (I - W S)^-1,   mean z - V a,   ranked by mean/sqrt(1 + c V_ii)
//
// c = s^2 for the probit likelihood, which is exact, and pi/8 for the logistic one, near enough for a rank. About one
// factorisation more, then O(1) a pair. For reporting; it has no gradient.
#pragma once

#include "lacuna/machine/gp.hpp"

namespace lacuna {

/// side_i is the weight of a positive row, minus that of a negative one (leave_pair_out.hpp). NaN when one of the two
/// kinds has no weight.
double leave_pair_out_auc(const Gram& K, const GpFit& fit, const Vector& side);

}  // namespace lacuna

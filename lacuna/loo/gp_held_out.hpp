// loo/gp_held_out.hpp -- what a Gaussian process would say about rows whose labels it has not seen (method 12): the
// latent outputs of each fold given the other rows, in closed form. The sites of the fold F are taken away and those of
// the others stay (Laplace: one Newton step; EP: the cavity). With S the posterior covariance within F,
// W = diag(beta_F) and a = lambda alpha_F:
//
//   covariance V = S (I - W S)^-1,   mean z_F - V a
//
// O(l^3) for all folds together, about one factorisation. One row at a time it is O(l): V is then
// (1/(M^-1)_ii - lambda/beta_i)/lambda.
#pragma once

#include "lacuna/data/split.hpp"
#include "lacuna/machine/gp.hpp"

namespace lacuna {

/// Of every row. Empty folds: one row at a time.
LatentMoments held_out_latent(const compute::Gram& K, const GpFit& fit, const Folds& folds = {});

}  // namespace lacuna

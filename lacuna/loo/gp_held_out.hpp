// loo/gp_held_out.hpp -- what a Gaussian process says about rows whose labels it has not seen (method 12): the latent
// outputs of each fold given the other rows.
//
//   closed form   the sites of the fold F are taken away, those of the others stay (Laplace: one Newton step; EP: the
//                 cavity):
//                 with S the posterior covariance within F, W = diag(beta_F), a = lambda alpha_F
//                 covariance V = S (I - W S)^-1,   mean z_F - V a
//   by refitting  the approximation made anew without F, from the same kernel matrix
//
// The first is O(l^3) for all folds together, about one factorisation; the second a fit for each fold.
#pragma once

#include <vector>

#include "lacuna/base/observer.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/machine/gp_classifier.hpp"

namespace lacuna {

/// Of every row, in closed form. Empty folds: one row at a time.
LatentMoments held_out_latent(const Gram& K, const GpFit& fit, const Folds& folds);

struct GpRefits {
  std::vector<LatentMoments>
      latent;  ///< for each column of labels; NaN for rows of folds that could not be fitted, or were in none
  Stop stop = Stop::converged;  ///< interrupted: nothing else is set
  int factorisations = 0;
};
/// `t`: l x m labels. `full`: where fits begin, one for each column (may be empty). Empty folds: one row at a time.
GpRefits refit_held_out(const GpClassifier& classifier, const Gram& K, const Matrix& t, double mean, double lambda,
                        const Folds& folds, const std::vector<GpStart>& full, const Observer& observer = {});

}  // namespace lacuna

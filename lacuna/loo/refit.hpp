// loo/refit.hpp -- the slow truth: leave each fold out, fit again, predict it. The reference for every closed form, and
// the papers' baseline (the kernel matrix is computed once and shared).
#pragma once

#include "lacuna/base/observer.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/machine/parts.hpp"

namespace lacuna {

struct Refits {
  Matrix z;  ///< l x m held-out outputs; NaN for rows of no fold, or of one without which nothing can be fitted (a
             ///< class of one row, the only count above 0). Empty: interrupted
  Matrix mean = {}, variance = {};  ///< Gaussian processes: the latent outputs, of which z are the moderated ones
  Stop stop = Stop::converged;      ///< why the last fold that could not be fitted could not
  int factorisations = 0;
};

/// Held-out outputs of each fold; empty folds: leave one out. `full` may hold the fit of all rows: refits begin there.
Refits refit_held_out(const compute::Gram& K, const Supervision& learn, double lambda, const Folds& folds,
                      const WarmStarts& full = {}, const Observer& observer = {}, const IrlsOptions& options = {});

/// The same on a basis, which stays: the rows of a fold lose their weight. O(l n^2) and more for every fold.
Refits refit_held_out(const std::shared_ptr<const compute::Features>& features, const RowSource& X,
                      const Supervision& learn, double lambda, const Folds& folds, const WarmStarts& full = {},
                      const Observer& observer = {}, const IrlsOptions& options = {});

/// Of a Gaussian process.
Refits refit_held_out(Inference inference, const compute::Gram& K, const Supervision& learn, const Prior& prior,
                      const Folds& folds, const WarmStarts& full = {}, const Observer& observer = {},
                      const IrlsOptions& options = {});

}  // namespace lacuna

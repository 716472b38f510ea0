// loo/refit.hpp -- the slow truth: leave each fold out, factor again, predict it. The reference for every closed form, and
// the papers' baseline (one Gram matrix is computed and shared).
#pragma once

#include "lacuna/base/observer.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/machine/dual.hpp"

namespace lacuna {

/// Held-out outputs by explicit refitting; empty folds: leave one out. Empty result: the observer stopped it, or a
/// refit was not positive definite.
Matrix refit_held_out(const Backend& backend, const Gram& K, const Vector& beta, const Matrix& eta, double lambda,
                      const Folds& folds, const Observer& observer = {});

}  // namespace lacuna

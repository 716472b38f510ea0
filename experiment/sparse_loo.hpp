// experiment/sparse_loo.hpp -- leave-one-out of a sparse LS-SVM, fast and by refitting, beside each other ([SPARSE]):
// how far the residuals are apart, E_r = ||fast - explicit|| / ||explicit||, and what each costs. The explicit one is
// fair: the basis and its features are made once, and each refit leaves its row out by weight 0.
#pragma once

#include <vector>

#include "lacuna/compute/compute.hpp"

namespace lacuna {

struct SparseLoo {
  Vector fitted, held_out;  ///< outputs, by the fast way
  double rmse = 0.0;        ///< of held-out residuals
  double relative_difference = 0.0;
  double fast_seconds = 0.0, explicit_seconds = 0.0;  ///< processor time on one thread, least of interleaved runs
};

SparseLoo compare_sparse_loo(const Kernel& kernel, const RowsView& X, const Vector& t, const std::vector<Index>& basis,
                             double lambda, int rounds);

}  // namespace lacuna

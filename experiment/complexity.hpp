// experiment/complexity.hpp -- what leaving out costs the kernel Fisher discriminant on the annulus ([KFD] figure 2).
// An explicit fold is trained as anyone would without the closed form: square the kernel rows that are left, factor,
// solve; all columns stay. The kernel matrix is computed once, or, as in the paper, in every fold.
#pragma once

#include <cstdint>
#include <limits>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Seconds of processor time on one thread, least of interleaved runs.
struct ComplexityPoint {
  Index rows = 0;
  double fast = 0.0;                                        ///< leave-one-out in closed form
  double naive = std::numeric_limits<double>::quiet_NaN();  ///< explicit leave-one-out; NaN: too many rows
  double ten_fold = 0.0;                                    ///< explicit 10-fold, one kernel matrix
  double ten_fold_anew = 0.0;  ///< the kernel computed in every fold: the paper's procedure
  double ten_fold_dual = 0.0;  ///< folds share K K', a saving that needs the dual form
  double difference = std::numeric_limits<double>::quiet_NaN();  ///< largest, of fast and naive outputs
};

ComplexityPoint kfd_complexity(Index rows, std::uint64_t seed, Index most_naive = 300);

}  // namespace lacuna

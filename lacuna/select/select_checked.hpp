// select/select_checked.hpp -- a selection that refits do not contradict. A search has to believe what is cheap, and a
// search for small values finds the places where that is false:
//
//   - held-out fits of iterated losses are followed, but those that are long on their way are not waited for: next to
//     no regulariser, or with a loss that bends by jumps (the squared hinge), many are;
//   - held-out outputs of a Gaussian process come from the posterior of all rows, in which the sites of the others stay
//     as they are when a row leaves; where labels are nearly interpolated they would not.
//
// So the criterion is taken both ways at every optimum that could win: as the search saw it, and by refits (all that
// are not yet there; of a Gaussian process those of ten folds). Where the two disagree at the best of them, the
// parameters are selected by the refits, without a gradient.
#pragma once

#include "lacuna/select/select.hpp"

namespace lacuna {

/// A criterion of the same held-out rows, as a search sees it and by refits.
struct BothWays {
  double seen = 0.0, by_refit = 0.0;
  int factorisations = 0;
  /// They differ by more than a twentieth and, in nats, by more than anybody would notice.
  bool disagree(const Problem& problem) const;
};
/// Of a Gaussian process: `criterion`, one of held-out rows, in ten folds at most.
BothWays both_ways(const Problem& problem, Criterion criterion, const Kernel& kernel, const Prior& prior,
                   const Observer& observer = {});

/// As select(), which it is where held-out outputs are exact or one step, or refits already.
Selection select_checked(const Problem& problem, const KernelSpec& kernel, std::optional<double> lambda,
                         const SearchPlan& options, const Observer& observer = {});

}  // namespace lacuna

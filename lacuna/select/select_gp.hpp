// select/select_gp.hpp -- the selection of a Gaussian process that refits do not contradict. Its held-out outputs come
// from the approximate posterior of all rows, in which the sites of the others stay as they are when a row leaves. Where
// labels are nearly interpolated they would not stay, and the closed form promises too much; a search for small values
// finds just these places. So the criterion of a few folds is taken both ways at every optimum, and where the two
// disagree at all of them the parameters are selected by the refits.
#pragma once

#include "lacuna/select/select.hpp"

namespace lacuna {

/// A criterion of the same held-out rows, from the posterior of all rows and by refits without them.
struct BothWays {
  double closed_form = 0.0, by_refit = 0.0;
  int factorisations = 0;
  /// They differ by more than a twentieth, and by more than anybody would notice.
  bool disagree() const;
};
/// Of ten folds at most. `criterion` must be one of held-out rows.
BothWays both_ways(const Problem& problem, Criterion criterion, const Kernel& kernel, const Prior& prior,
                   const Observer& observer = {});

/// As select(), which it is where the criterion is the evidence or refits already. Requires problem.inference.
Selection select_gp(const Problem& problem, const KernelSpec& kernel, std::optional<double> lambda,
                    const SearchPlan& options, const Observer& observer = {});

}  // namespace lacuna

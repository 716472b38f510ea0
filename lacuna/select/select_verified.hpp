// select/select_verified.hpp -- a selection that refits do not contradict. For losses other than the squared one the
// search sees held-out outputs that are one Newton step from the fit of all rows, which have a gradient but may be
// false: few rows, separable classes, rare events, a small regulariser. A search looks for small values, and so finds
// the places where they are.
//
//   1. search by one step;
//   2. at every optimum found, take the criterion of outputs that are followed to where refits end
//      (loo/held_out_optimum.hpp);
//   3. of these optima the best, if one step told the truth there;
//   4. else search again by the followed outputs, without a gradient, from where they are least (few rows: from all
//      starts).
//
// Either way the values reported are those of followed outputs.
#pragma once

#include "lacuna/select/select.hpp"

namespace lacuna {

/// As select(), which it is where held-out outputs are exact, or refits already.
Selection select_verified(const Problem& problem, const KernelSpec& kernel, std::optional<double> lambda,
                          const SearchPlan& options, const Observer& observer = {});

}  // namespace lacuna

// choose/detail/leaving.hpp -- when a candidate is left before all its folds are known.
//
// Losses are compared row by row (base/paired.hpp); by fewer than thirty rows, or groups, nothing is judged.
#pragma once

#include "lacuna/base/paired.hpp"
#include "lacuna/choose/choose.hpp"

namespace lacuna::detail {

/// Whether a mean excess of loss over the leader's is `times` as many standard errors as end a candidate's chances: one
/// of being chosen, three of being of use in a stack.
bool hopeless(const Paired& excess, Effort effort, double times = 1.0);

/// Whether a gain over the plain machine, known on a `share` of the folds, will hardly be the standard error at the end
/// that it takes to be chosen.
bool out_of_reach(const Paired& gain, double share);

}  // namespace lacuna::detail

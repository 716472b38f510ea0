// model/detail/learn_relevance.hpp -- weights of the features, learned in rounds (method 15): select hyper-parameters,
// look at the slopes of the machine found, weigh the features by them (select/relevance.hpp), select again from where
// the search ended. The criterion chooses the hyper-parameters and which round is kept, and nothing else: it is
// over-fitted far less than by a parameter for each feature.
//
// The first round has the weights that the kernel has. Where these are all 1 it may be kept, and three rounds follow.
// Others were learned before, perhaps on rows that are left out now: then the first round only says where to go on
// from, two rounds follow, and one of those is kept.
#pragma once

#include <functional>

#include "lacuna/model/detail/choose.hpp"

namespace lacuna::detail {

/// Everything else that is chosen, for a kernel whose weights are fixed. `before`: what the round before found, from
/// whose optimum (SearchPlan::near) and on whose basis to go on; null in the first round.
using ChooseRest = std::function<Chosen(const KernelSpec& kernel, const SearchPlan& how, const Chosen* before)>;

/// `kernel`, bound, is a Relevance and learns. `problem` has its rows in memory; its basis is that of each round, or
/// its own where rounds choose none. Interrupted or out of time, it is the best round so far, and the selection's stop
/// says so.
Chosen learn_relevance(Problem problem, KernelSpec kernel, SearchPlan how, const std::vector<std::int32_t>& column,
                       const ChooseRest& choose, const Observer& observer);

}  // namespace lacuna::detail

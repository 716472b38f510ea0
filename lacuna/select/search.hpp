// select/search.hpp -- a search by name (search_method.hpp, method 11).
//
// auto is L-BFGS where the criterion has a gradient and Nelder-Mead where it has none, from the starts of
// start_design.hpp by multi_start.hpp; so are the three named descents. The grid makes its own starts.
#pragma once

#include "lacuna/select/budget.hpp"
#include "lacuna/select/search_method.hpp"
#include "lacuna/select/start_design.hpp"

namespace lacuna {

/// What auto stands for.
SearchMethod resolve(SearchMethod method, bool has_gradient);

/// Requires: has_gradient for lbfgs and scg (throws Error). Promises: never an exception but the objective's own.
SearchResult search(SearchMethod method, const Objective& objective, const SearchSpace& space, bool has_gradient,
                    const SearchOptions& options = {}, const Observer& observer = {});

}  // namespace lacuna

// select/grid.hpp -- the hierarchical grid of [KLR] section 3.3: a coarse grid of log-parameters about the start, then
// a grid of half the spacing about the best point, and so on. No gradient is asked for; no point is evaluated twice.
//
//   up to 3 parameters:  m^n points, m = 9, 5, 3 for n = 1, 2, 3 (fewer if half the budget is less), over a factor
//                        of 300 either way; then the 3^n neighbours of the best point, moving on while the best is
//                        one of them and halving the spacing while it is the middle
//   more than 3:         one parameter at a time, two neighbours each, halving when none of them helped
//
// Exact about nothing, but hard to mislead: it also walks down long valleys to the edge of the box.
#pragma once

#include "lacuna/select/budget.hpp"

namespace lacuna {

/// Promises: every point visited lies in the box.
SearchResult grid(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options = {},
                  const Observer& observer = {});

/// The same as a part of a larger search.
Optimum grid_descent(Descent& descent, const Vector& start);

}  // namespace lacuna

// select/nelder_mead.hpp -- the simplex method of Nelder and Mead (NLopt's LN_NELDERMEAD, in a box), on
// log-parameters ([KLR], [WLSSVM]; method 11). For criteria without gradients (error, ber), and for checking the
// others. The first simplex has edges of one log-unit; values that are not finite lose every comparison.
// Cost: 25 to 50 values for (lambda, theta); hopeless for more than about five parameters.
#pragma once

#include "lacuna/select/budget.hpp"

namespace lacuna {

/// Promises: no gradient is asked for; every point visited lies in the box.
SearchResult nelder_mead(const Objective& objective, const Box& box, const Vector& start,
                         const SearchOptions& options = {}, const Observer& observer = {});

/// The same as a part of a larger search.
Optimum nelder_mead_descent(Descent& descent, const Vector& start);

}  // namespace lacuna

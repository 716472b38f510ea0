// select/lbfgs.hpp -- limited-memory BFGS in a box (NLopt's LD_LBFGS, after Luksan), on log-parameters.
//
//   x <- x - a H g,   H built from the last steps and gradient differences,   a by line search
//
// Each evaluation is a value with its gradient. The method's first step is the raw gradient, whose length has no
// meaning for a criterion of unknown scale: the criterion is therefore multiplied by the constant that makes the first
// step one log-unit (a factor e) long. Behind a wall of non-finite values it sees a paraboloid that rises away from
// the best point, steep enough for the line search to turn back.
// Cost: about 10 evaluations for (lambda, theta), 20 to 70 for ARD kernels; see docs/decisions, default search.
#pragma once

#include "lacuna/select/budget.hpp"

namespace lacuna {

/// Requires: the objective gives gradients. Promises: every point visited lies in the box.
SearchResult lbfgs(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options = {},
                   const Observer& observer = {});

/// The same as a part of a larger search.
Optimum lbfgs_descent(Descent& descent, const Vector& start);

}  // namespace lacuna

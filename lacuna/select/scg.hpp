// select/scg.hpp -- scaled conjugate gradient (Moller, Neural Networks 6, 1993; used by [KPR]; method 11), in a box.
//
//   delta = p'H p  by one more gradient, a short way along p;    alpha = -p'g / (delta + rho |p|^2)
//   rho grows while the quadratic model fails to predict the fall of the criterion, and shrinks while it succeeds
//   p <- -g + beta p,   beta = g'(g - g_old) / (-p'g_old),   restarted every n steps and at the edge of the box
//
// There is no line search: a step is accepted when the criterion falls. rho begins at |g|, so that the first step is
// at most one log-unit; parameters on the edge of the box whose gradient points outwards rest.
// Cost: two evaluations with gradient a step; about twice the evaluations of L-BFGS.
#pragma once

#include "lacuna/select/budget.hpp"

namespace lacuna {

/// Requires: the objective gives gradients. Promises: every point visited lies in the box.
SearchResult scg(const Objective& objective, const Box& box, const Vector& start, const SearchOptions& options = {},
                 const Observer& observer = {});

/// The same as a part of a larger search.
Optimum scg_descent(Descent& descent, const Vector& start);

}  // namespace lacuna

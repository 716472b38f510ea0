// select/penalty.hpp -- a penalty on log-parameters (Bayesian regularisation of the hyper-parameters; method 11):
//
//   P(x) + strength * sum_k (x_k - centre_k)^2,     gradient  + 2 strength (x - centre)
//
// For ARD kernels, where a criterion with many parameters can be over-fitted. The value found then includes the
// penalty; evaluate the bare criterion at the optimum to report it.
#pragma once

#include "lacuna/select/objective.hpp"

namespace lacuna {

/// Requires: strength >= 0, and a centre for every parameter. Throws Error otherwise.
Objective with_penalty(Objective objective, Vector centre, double strength);

}  // namespace lacuna

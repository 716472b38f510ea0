// explain/neighbours.hpp -- which training rows a prediction leans on. An output is a sum over them,
//
//   z(x) = b + sum_j alpha_j k(x, x_j),
//
// and alpha_j k(x, x_j) is the pull of row j. Near is near as the kernel sees it: the squared distance is
// k(x, x) - 2 k(x, x_j) + k(x_j, x_j). In a stack both are sums over its members, each times its weight.
#pragma once

#include "lacuna/explain/explain.hpp"

namespace lacuna {

/// Of row `row` (a number in the data) of `rows`. Throws Error(usage) when it is not among them.
Neighbourhood neighbourhood_of(const Model& model, const ExplainRows& rows, std::int64_t row, int count,
                               const Backend& backend = cpu_backend());

}  // namespace lacuna

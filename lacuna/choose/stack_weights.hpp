// choose/stack_weights.hpp -- weights of several machines whose outputs are added up: none negative, together 1, with
// the least loss of the sum on rows that the machines did not see.
//
//   minimise  sum_i w_i c(sum_k v_k z_ik, t_i) / sum_i w_i  +  sum_k price_k v_k,     v >= 0, sum_k v_k = 1
//
// They add up to 1, so that another zero of the targets changes nothing. The first machine is the plain one and has no
// price; that of another is a number of standard errors of the slope of the loss as weight goes from the plain machine
// to it, at the best stack without prices: a machine comes in as far as the data say that it helps, beyond chance.
// Newton steps, each of them a quadratic problem of as many unknowns as machines; several classes have a curvature that
// leaves out what is negative, so that each step is one downhill.
#pragma once

#include <vector>

#include "lacuna/choose/yardstick.hpp"

namespace lacuna {

/// Requires outputs of the same shape, the plain machine's first; `shrink`: how many standard errors a machine must
/// pay; a machine whose weight would be below `least` is left out. Promises weights as many as machines.
Vector stack_weights(const Yardstick& judged, const std::vector<Matrix>& z, double shrink = 2.0, double least = 0.02);

}  // namespace lacuna

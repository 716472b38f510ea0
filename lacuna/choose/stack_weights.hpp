// choose/stack_weights.hpp -- weights of several machines whose outputs are added up: none negative, together 1, with
// the least loss of the sum on rows that the machines did not see.
//
//   minimise  sum_i w_i c(sum_k v_k z_ik, t_i) / sum_i w_i  +  sum_k price_k v_k,     v >= 0, sum_k v_k = 1
//
// They add up to 1, so that another zero of the targets changes nothing. The first machine is the plain one and has no
// price; that of another is the standard error of the slope of the loss as weight goes from the plain machine to it, at
// the best stack without prices: a machine comes in as far as the data say that it helps, beyond what chance would say.
// The problem is convex: Newton steps, each of them a quadratic problem of as many unknowns as machines.
#pragma once

#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna {

/// What outputs are judged by: a loss, targets as it wants them, and how much rows count. Several outputs of a row
/// (classes, targets) are averaged.
struct Yardstick {
  Loss loss = Squared{};
  Matrix t{};                ///< l x m
  Vector offset{};           ///< added to every output; empty: none
  Vector weights{};          ///< one for each row
  std::vector<int> group{};  ///< empty: none
};
/// What each row costs: squared residuals, deviances, or the loss itself.
Vector row_losses(const Yardstick& judged, const Matrix& z);

/// Requires outputs of the same shape, the plain machine's first; `shrink`: how many standard errors a machine must
/// pay; a machine whose weight would be below `least` is left out. Promises weights as many as machines.
Vector stack_weights(const Yardstick& judged, const std::vector<Matrix>& z, double shrink = 1.0, double least = 0.02);

}  // namespace lacuna

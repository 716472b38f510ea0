// choose/yardstick.hpp -- what outputs of different machines are judged by, row by row.
//
//   values, rates, two classes   c(z, t) of each output, averaged over them
//   several classes              -log p_y of the coupled probabilities p_k = m(z_k) / sum_j m(z_j), m the link: those
//                                that are written (model/probability.hpp). Each class for itself would judge a level
//                                that is common to all outputs and that no probability shows.
#pragma once

#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna {

/// A loss, targets as it wants them, and how much rows count.
struct Yardstick {
  Loss loss = losses::Squared{};
  Matrix t{};                ///< l x m
  Vector offset{};           ///< added to every output; empty: none
  Vector weights{};          ///< one for each row
  std::vector<int> group{};  ///< empty: none
  std::vector<int> label{};  ///< of several classes with probabilities; empty: each output is judged for itself
};

/// What each row costs: squared residuals, deviances, or the loss itself.
Vector row_losses(const Yardstick& judged, const Matrix& z);

/// The loss of one row with derivatives in its outputs. The curvature leaves out what would make it negative.
struct RowLoss {
  double value = 0.0;
  Vector slope{};
  Matrix curvature{};
};
RowLoss loss_of_row(const Yardstick& judged, Index i, const Vector& z);

}  // namespace lacuna

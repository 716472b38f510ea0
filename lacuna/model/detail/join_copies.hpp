// model/detail/join_copies.hpp -- copies of a row that are held out together are one row of their weight. They are
// joined before anything is computed, so that copies and weights are the same problem to the last bit, wherever its
// optimum lies; and a table that repeats its rows costs what its distinct rows cost.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna::detail {

struct JoinedCopies {
  Dataset data;
  std::vector<Index> place;  ///< which row of them each row has become; empty: nothing was joined
  Vector share;              ///< of its weight
  Vector weight;             ///< of each row, without the unit of all of these; empty: all 1
  double unit = 1.0;         ///< what a weight of 1 in `data` is in the unit of `weight`
};
/// Copies have equal inputs, class or targets, offset, group, prices, and weights of training and of selection. Nothing
/// is joined where copies are not held out together, nor of a precomputed kernel, whose columns are rows too, nor for
/// an evidence, which knows no weights. Requires a resolved cross-validation and rows in memory.
JoinedCopies join_copies(const Dataset& data, const TrainOptions& options);

/// What is known about joined rows, said of the rows they came from.
void part_copies(Model& model, const JoinedCopies& joined, const Dataset& data, const TrainOptions& options);

}  // namespace lacuna::detail

// explain/outside.hpp -- which rows lie outside the data that a model was trained on, where its answers are guesses.
// The rule is one sentence: a row is outside when it is farther from its nearest training row than 99 % of the training
// rows are from theirs, twins apart. Distances are Euclidean, of columns as they are encoded (standardised; a category
// by its 0/1 columns), so that they do not depend on the kernel.
//
// A machine on a basis keeps its basis alone: rows are then compared with it, and the rule is more lenient, as basis
// rows lie apart. Cost: O(rows kept times columns) for each row, and once the same for each row kept (2,000 of them at
// most, a seeded sample).
#pragma once

#include "lacuna/explain/explain.hpp"

namespace lacuna {

class Outside {
 public:
  /// Throws Error(usage) where the model does not keep rows as the data have them, fewer than ten, or sparse ones.
  explicit Outside(const Model& model);
  /// The distance of each row from its nearest training row over the limit: above 1 a row is outside.
  Vector ratio(const RowsView& X) const;
  double limit() const { return limit_; }

 private:
  RowMatrix kept_;
  Vector squares_;  // of the rows kept
  double limit_ = 0.0;
};

}  // namespace lacuna

// choose/detail/blend.hpp -- weights of candidates, and the weights that would have been without each fold.
//
// A choice, or the weights of a stack, have seen the honest outputs that they suit, and their loss is a little better
// there than on fresh rows. So the weights for the rows of a fold are learned once more, from the other folds alone:
// what is said of held-out rows is made of outputs that neither machines nor weights have seen.
#pragma once

#include "lacuna/choose/choose.hpp"
#include "lacuna/choose/detail/assemble.hpp"

namespace lacuna::detail {

struct Blend {
  Vector weights{};               ///< none negative, together 1
  std::vector<Vector> without{};  ///< the same, from the rows outside each fold
  /// Whether a candidate has a part in any of them.
  bool uses(std::size_t candidate) const;
};

/// `among`: complete, the plain machine first. Normal: one of them; best: a stack.
Blend blend(const Compared& compared, const std::vector<const Tried*>& among, Effort effort);
/// Outputs of the candidates put together; rows of each fold by the weights that have not seen it. Those of candidates
/// that have no part may be empty.
Matrix held_out(const Blend& blend, const Folds& folds, const std::vector<Matrix>& z);

}  // namespace lacuna::detail

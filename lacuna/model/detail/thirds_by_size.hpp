// model/detail/thirds_by_size.hpp -- whether intervals that follow the noise hold as many values where it is small as
// where it is large. Over all rows they hold what their level says by their making. A row held out lies in the
// interval of a level that the others give it where its size |r_i|/s_i has no more than that share of them below it,
// itself (with groups: a group) counted as one more:
//
//   u_i = (sum of w_j over the rows of other groups of smaller |r_j|/s_j)/(sum of all of these w_j + w_new) < level
//
// O(n log n).
#pragma once

#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna::detail {

/// `normalised` is r_i/s_i, `own` s_i, both l x m. `group` may be empty. Empty where fewer than three rows count.
std::vector<Intervals::SizeThird> thirds_by_size(const Intervals& intervals, const Matrix& normalised,
                                                 const Matrix& own, const Vector& weights,
                                                 const std::vector<int>& group);

}  // namespace lacuna::detail

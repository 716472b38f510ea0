// model/detail/interval_widths.hpp -- how much weight a new row brings to the ranks of held-out residuals. An interval
// of level p takes the residual of rank p (n + 1) among n rows and the new one, because all n + 1 are alike. Rows of a
// group are not: what they share is not that of a new group. With G groups it is the new group that is one more, and of
// weight w/G: rank p w (1 + 1/G) of the weight w. Below ten groups no residual has that rank for p = 0.9.
#pragma once

#include "lacuna/model/model.hpp"

namespace lacuna::detail {

/// `group`: of each row; empty: none.
double weight_of_what_is_new(const Vector& weights, const std::vector<int>& group);
/// As set_widths() of model.hpp.
void set_widths(Intervals& intervals, const Matrix& residual, const Vector& weights, double of_what_is_new);

}  // namespace lacuna::detail

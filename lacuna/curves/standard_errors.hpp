// curves/standard_errors.hpp -- how sure the scores of held-out rows are, over rows that are independent (n of them, a
// row that was held out several times counting once):
//
//   error     sqrt(p (1 - p)/n)              ber   the same of each class, joined
//   xent, deviance, press                    s(loss)/sqrt(n);   bits: in bits;   rmse: s(r^2)/(2 rmse sqrt(n))
//   r2        s(r^2)/sqrt(n) over the variance of the target
//
// They say nothing of the optimism of a choice by the same rows. Where rows have weights there are none.
#pragma once

#include "lacuna/model/model.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {

/// By the names of report.held_out; a score without one is not among them. Requires held-out rows that were kept, else
/// empty.
NamedScores held_out_standard_errors(const Model& model);

}  // namespace lacuna

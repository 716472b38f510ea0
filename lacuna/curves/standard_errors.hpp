// curves/standard_errors.hpp -- how sure the scores of held-out rows are, over rows that are independent
// (base/paired.hpp: n as many as their weights count, a row that was held out several times counting once; where rows
// have groups, groups take the place of rows). se(v) is that of the mean of v:
//
//   error    se(wrong); of rows that are all right or all wrong a quarter of their 95 % interval (wilson.hpp), or so
//   ber      the same of each class, joined
//   xent, deviance, press  se(loss);  bits: in bits;   auc   that of resampled rows (ranking.hpp)
//   rmse     se(r^2)/(2 rmse)       r2    se(r^2) over the variance of the target
//   d2       se(deviance) over the deviance of one common rate
//
// They say nothing of the optimism of a choice by the same rows.
#pragma once

#include "lacuna/model/model.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {

/// By the names of report.held_out; a score without one is not among them. Empty without held-out rows, and where the
/// model does not know their weights.
NamedScores held_out_standard_errors(const Model& model);

}  // namespace lacuna

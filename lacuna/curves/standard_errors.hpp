// curves/standard_errors.hpp -- how sure the scores of held-out rows are, over rows that are independent
// (base/paired.hpp: n as many as their weights count, a row that was held out several times counting once; where rows
// have groups, groups take the place of rows). se(v) is that of the mean of v:
//
//   error    se(wrong); of rows that are all right or all wrong a quarter of their 95 % interval (wilson.hpp), or so
//   ber      the same of each class, joined
//   xent, deviance, press  se(loss);  bits: in bits
//   auc      that of resampled rows, or that of the area alone where it is larger (ranking.hpp): outputs that were held
//            out one at a time say little of an area of pairs
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

/// One of several targets, each in its own unit.
struct TargetScores {
  std::string name{};
  double rmse = 0.0, rmse_error = 0.0;
  double of_mean = 0.0;  ///< rmse of the mean
  double r2 = 0.0, r2_error = 0.0;
};
/// Of values of several targets; empty for others, and where held_out_standard_errors() is.
std::vector<TargetScores> held_out_by_target(const Model& model);

}  // namespace lacuna

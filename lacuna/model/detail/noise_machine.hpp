// model/detail/noise_machine.hpp -- how the size of residuals varies with the inputs (method 18). Squared residuals of
// rows held out are positive targets of a gamma machine, whose outputs are logarithms of their mean:
//
//   s(x) = exp(z(x)/2),    s_i the same of the machine without row i
//
// Of new rows z(x) is held to the range that it has over all training rows: beyond them a gamma machine extrapolates in
// logarithms. Within the data nothing is changed by that.
//
// Intervals are f(x) +- q s(x), with q the quantile of |r_i|/s_i. Squared residuals say little each (normal ones vary
// by 1.4 times their mean), so one size for all rows is kept unless the deviance of held-out rows falls by more than
// one and a half standard errors. The kernel is a Gaussian of a fixed width, wide beside the data; the regulariser
// alone is selected. On more than 300 rows the machine is one on a basis of 100: a smooth function is all that is
// wanted.
// Of more than 1,000 rows a sample is taken.
#pragma once

#include <optional>

#include "lacuna/model/train.hpp"

namespace lacuna::detail {

struct LearnedNoise {
  Noise machine;  ///< s, of which the s_i have mean 1
  Matrix own;     ///< s_i, l x m
};
/// For residuals (l x m) of the rows of `data`, which count by these weights. `seconds`: what is left of a time limit.
/// Empty: no better than one size, or it cannot be told.
std::optional<LearnedNoise> learn_noise(const Dataset& data, const Matrix& residual, const Vector& weights,
                                        const TrainOptions& options, std::optional<double> seconds);

/// Widths from these residuals, for the level that `intervals` has; they follow the noise where there is some to follow
/// and one width was not asked for. Returns the residuals, over s_i then.
Matrix follow_noise(Intervals& intervals, const Dataset& data, const Matrix& residual, const Vector& weights,
                    const TrainOptions& options, std::optional<double> seconds);

}  // namespace lacuna::detail

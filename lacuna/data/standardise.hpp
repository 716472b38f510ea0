// data/standardise.hpp -- the weighted mean and deviation of a feature: what it is centred and scaled by.
//
//   centre = sum w_i x_i / sum w_i,    scale^2 = sum w_i (x_i - centre)^2 / sum w_i
//
// so that a row of weight k counts as k copies of it. Computed in units of max |x| and max w, and therefore without
// overflow or underflow for any finite numbers. A feature whose deviation is lost in the rounding of its values
// (scale <= 1e-15 max |x|) is constant.
#pragma once

#include <span>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

struct Moments {
  double centre = 0.0;
  double scale = 1.0;
  bool constant = false;  ///< nothing to learn from; scale is then 1
};

/// Requires: finite x; weights empty (all 1) or as many as x, none negative, some positive. No x: constant.
Moments weighted_moments(std::span<const double> x, std::span<const double> weights);

/// The same for a sparse feature: `x` and `weights` (or empty) are those of the listed entries; `all_weight` is the
/// total weight of all rows, those where the feature is 0 included.
Moments sparse_moments(std::span<const double> x, std::span<const double> weights, double all_weight);

/// The same for a 0/1 feature that is 1 in this share of the weight.
Moments indicator_moments(double share);

}  // namespace lacuna

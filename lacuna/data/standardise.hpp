// data/standardise.hpp -- the weighted mean and deviation of a feature: what it is centred and scaled by.
//
//   centre = sum w_i x_i / sum w_i,    scale^2 = sum w_i (x_i - centre)^2 / sum w_i
//
// so that a row of weight k counts as k copies of it. Computed in units of max |x| and max w, and therefore without
// overflow or underflow for any finite numbers. A feature whose deviation is lost in the rounding of its values
// (scale <= 1e-15 max |x|) is constant.
#pragma once

#include <algorithm>
#include <cmath>
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

/// The same for numbers that come one by one, three times over: all through measure(), all through add(), settle(),
/// all through spread(). Rows whose numbers do not come are 0.
class MomentSums {
 public:
  void measure(double x) { unit_ = std::max(unit_, std::abs(x)); }
  void add(double x, double weight) {
    listed_ += weight;
    if (unit_ > 0.0) mean_ += weight * (x / unit_);
  }
  /// The weight of all rows, those that did not come included.
  void settle(double all_weight) {
    all_ = all_weight;
    mean_ /= all_;
    variance_ = std::max(0.0, all_ - listed_) * mean_ * mean_;  // these rows are at distance |mean|
  }
  void spread(double x, double weight) {
    const double deviation = unit_ > 0.0 ? x / unit_ - mean_ : 0.0;
    variance_ += weight * deviation * deviation;
  }
  Moments moments() const;

 private:
  double unit_ = 0.0, listed_ = 0.0, mean_ = 0.0, variance_ = 0.0, all_ = 0.0;
};

/// The same for a 0/1 feature that is 1 in this share of the weight.
Moments indicator_moments(double share);

}  // namespace lacuna

// data/standardise.hpp -- the weighted mean and deviation of a feature: what it is centred and scaled by.
//
//   centre = sum w_i x_i / sum w_i,    scale^2 = sum w_i (x_i - centre)^2 / sum w_i
//
// so that a row of weight k counts as k copies of it, to the last bit. Computed in units near max |x| and max w (powers
// of two, which round nothing), and therefore without overflow or underflow for any finite numbers. A feature whose
// deviation is lost in the rounding of its values (scale <= 1e-15 max |x|) is constant.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "lacuna/base/exact_sum.hpp"
#include "lacuna/base/matrix.hpp"

namespace lacuna {

struct Moments {
  double centre = 0.0;
  double scale = 1.0;
  bool constant = false;  ///< nothing to learn from; scale is then 1
};

/// Requires: finite x; weights empty (all 1) or as many as x, none negative, some positive. No x: constant.
Moments weighted_moments(std::span<const double> x, std::span<const double> weights);

/// The largest power of two that is not above |x|, which must be finite; 0 for 0. (The exponent's bits say it of all
/// but the smallest numbers.)
inline double power_of_two(double x) {
  const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7ff0000000000000U);
  return power != 0.0 || x == 0.0 ? power : std::ldexp(1.0, std::ilogb(x));
}

/// The same for numbers that come one by one, three times over: all through measure(), all through add(), settle(),
/// all through spread(). Rows whose numbers do not come are 0.
class MomentSums {
 public:
  void measure(double x) { unit_ = std::max(unit_, power_of_two(x)); }
  void add(double x, double weight) {
    listed_.add(weight);
    if (unit_ > 0.0) sum_.add(x / unit_, weight);
  }
  /// The weight of all rows, those that did not come included.
  void settle(double all_weight) {
    all_ = all_weight;
    mean_ = sum_.value() / all_;
    variance_.add(mean_ * mean_, std::max(0.0, all_ - listed_.value()));  // these rows are at distance |mean|
  }
  void spread(double x, double weight) {
    const double deviation = unit_ > 0.0 ? x / unit_ - mean_ : 0.0;
    variance_.add(deviation * deviation, weight);
  }
  Moments moments() const;

 private:
  ExactSum sum_, listed_, variance_;
  double unit_ = 0.0, mean_ = 0.0, all_ = 0.0;
};

/// The same from sums over numbers that were not looked at twice: of w, w x and w x^2 to twice the digits of a double,
/// between `low` and `high`. `all` is the weight of all rows, where some have no number and count as the mean.
Moments moments_of_sums(const ExactSum& weight, const ExactSum& first, const ExactSum& second, double low, double high,
                        const ExactSum& all);

/// The same for a 0/1 feature that is 1 in this share of the weight.
Moments indicator_moments(double share);

}  // namespace lacuna

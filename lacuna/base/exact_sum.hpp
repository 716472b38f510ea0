// base/exact_sum.hpp -- sums that do not depend on their order: twice the digits of a double, rounded once at the end.
// So k copies of a term and the term times k have the same sum, to the last bit.
#pragma once

#include <cmath>

namespace lacuna {

class ExactSum {
 public:
  void add(double x) {
    const double sum = high_ + x, taken = sum - high_;
    low_ += (high_ - (sum - taken)) + (x - taken);
    high_ = sum;
  }
  void add(double x, double times) {
    const double product = x * times;
    add(product);
    low_ += std::fma(x, times, -product);
  }
  /// A sum of other terms.
  void add(const ExactSum& other) {
    add(other.high_);
    low_ += other.low_;
  }
  void add(const ExactSum& other, double times) {
    add(other.high_, times);
    low_ += other.low_ * times;
  }
  double value() const { return high_ + low_; }

 private:
  template <class Archive>
  friend void archive(Archive& a, ExactSum& sum) {
    a(sum.high_, sum.low_);
  }

  double high_ = 0.0, low_ = 0.0;
};

}  // namespace lacuna

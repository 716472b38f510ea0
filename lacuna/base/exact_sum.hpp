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
  double value() const { return high_ + low_; }

 private:
  double high_ = 0.0, low_ = 0.0;
};

}  // namespace lacuna

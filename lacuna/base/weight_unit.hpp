// base/weight_unit.hpp -- the unit of weights (take_unit_out() of weights.hpp) that come in parts.
#pragma once

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Of all weights that were added.
class WeightUnit {
 public:
  void add(const Vector& weights);
  void add(const WeightUnit& others);
  double value() const;  ///< 1 where no weight is above 0

 private:
  template <class Archive>
  friend void archive(Archive& a, WeightUnit& unit) {
    a(unit.least_, unit.largest_, unit.measure_);
  }

  double least_ = 0.0, largest_ = 0.0;  // above 0; 0: there is none
  double measure_ = 0.0;                // common to all; 0: there is none
};
/// A weight in that unit.
double without_unit(double weight, double unit);

}  // namespace lacuna

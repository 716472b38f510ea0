// criterion/joint_calibration.hpp -- outputs of several classes as probabilities, with one scale for all and a shift
// for each class that suit rows held out: the least logarithmic loss there.
//
//   p_k proportional to link(scale z_k + shift_k)
//
// What calibration.hpp says of two classes holds here too: a prior worth one row gives outputs that separate the
// classes an optimum, and a criterion that comes after scale and shifts leaves the regulariser to see to smoothness
// alone. The scale is common because the machines are: a class that is told apart better than others says so by its own
// outputs.
#pragma once

#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna {

struct JointCalibration {
  double scale = 1.0;
  Vector shift;         ///< of each class
  bool fitted = false;  ///< false: the outputs point the wrong way
  double value = 0.0;   ///< at the optimum: the mean loss and the prior, as minimised
  Matrix slope;         ///< of the value in z; since scale and shifts are optimal, what they do does not show
};

/// `z` is l x m, m >= 2, a column for each class. `weights` >= 0, one for each row, some of them > 0; `one_row` is the
/// weight that one row has among them (base/weights.hpp). The scale is `least_scale` or more. O(l m^2) a step.
JointCalibration calibrate_jointly(const Loss& link, const Matrix& z, const std::vector<int>& label,
                                   const Vector& weights, double one_row, double least_scale = 0.0);

}  // namespace lacuna

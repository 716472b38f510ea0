// criterion/calibration.hpp -- outputs z of two classes as probabilities p = link(scale z + shift), with the scale and
// shift that suit rows held out: the least logarithmic loss there. A prior worth one row (calibration.cpp) gives
// outputs which separate the classes an optimum too, where the least probable class has about the probability 1/l;
// Platt's targets, drawn towards one half, would do the same, but would be most of the criterion where classes are far
// apart.
//
// A regulariser sets both how smooth a machine is and how far its outputs reach. Scale and shift set the second alone:
// a criterion that comes after them lets the regulariser see to the first.
#pragma once

#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna {

struct Calibration {
  double scale = 1.0;
  double shift = 0.0;
  bool fitted = false;
};

/// The loss whose inverse link makes probabilities of outputs: the machine's own, or the logistic one.
Loss link_of(const Loss& loss);

struct Calibrated {
  Calibration calibration;  ///< not fitted when the outputs point the wrong way: it would contradict the decision
  double value = 0.0;       ///< at the optimum: the mean loss and the prior, as minimised
  Vector slope;             ///< of the value in z; since scale and shift are optimal, what they do does not show
};

/// `weights` >= 0, one for each row, some of them > 0; `one_row` is the weight that one row has among them
/// (base/weights.hpp). The scale is `least_scale` or more.
Calibrated calibrate_two_classes(const Loss& link, const Vector& z, const std::vector<int>& label,
                                 const Vector& weights, double one_row, double least_scale = 0.0);

}  // namespace lacuna

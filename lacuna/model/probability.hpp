// model/probability.hpp -- outputs as probabilities that sum to one and agree with the decision.
//
//   two classes    p = link(scale z + shift), link the loss's own (logistic for losses that have none)
//   more           p_k proportional to link(scale z_k): one-versus-rest machines, coupled (docs/decisions)
//
// scale = 1 and shift = 0 unless they were fitted to held-out outputs (criterion/calibration.hpp).
#pragma once

#include <vector>

#include "lacuna/criterion/calibration.hpp"

namespace lacuna {

/// l x classes; binary: {negative, positive}.
Matrix probabilities(const Loss& loss, const Calibration& calibration, const Matrix& z, int classes);
/// -log of the probability of each row's own class, without underflow for |z| up to 700.
Vector log_loss(const Loss& loss, const Calibration& calibration, const Matrix& z, const std::vector<int>& label);

/// Two classes: the output whose odds of the positive class have this logarithm.
double output_with_odds(const Loss& loss, const Calibration& calibration, double log_odds);

/// Scale and shift that suit held-out outputs best. `weights` >= 0, one for each row; `one_row`: the weight that one
/// row has among them (base/weights.hpp).
Calibration calibrate(const Loss& loss, const Matrix& z, const std::vector<int>& label, const Vector& weights,
                      double one_row);

}  // namespace lacuna

// model/assess.hpp -- how good held-out outputs are, in the words a user knows: error, balanced error, area under the curve,
// cross-entropy, bits and calibration for classes; root mean square error and R^2 for values; deviance for counts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lacuna/criterion/criterion.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

using NamedScores = std::vector<std::pair<std::string, double>>;

/// Scores of held-out outputs `z`, one matrix for each partition, averaged over them; `auc` is theirs
/// (held_out_auc.hpp; NaN: there is none). `model` says what outputs stand for.
NamedScores assess(const Model& model, const Truth& truth, const std::vector<Matrix>& z, double auc);

/// sqrt(sum_i w_i |r_i|^2 / (columns sum w)), also where the squares alone would be no numbers.
double root_mean_square(const Matrix& residual, const Vector& weights);

}  // namespace lacuna

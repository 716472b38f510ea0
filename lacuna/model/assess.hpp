// model/assess.hpp -- how good held-out outputs are: the scores of model/tally.hpp, for rows that were held out one way
// or several.
#pragma once

#include <vector>

#include "lacuna/criterion/criterion.hpp"
#include "lacuna/model/model.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {

/// Scores of held-out outputs `z`, one matrix for each partition, all counted together; `auc` is theirs
/// (held_out_auc.hpp; NaN: there is none). `model` says what outputs stand for.
NamedScores assess(const Model& model, const Truth& truth, const std::vector<Matrix>& z, double auc);

}  // namespace lacuna

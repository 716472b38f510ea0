// model/assess.hpp -- how good held-out outputs are: the scores of model/tally.hpp, for rows that were held out one way
// or several.
#pragma once

#include <vector>

#include "lacuna/criterion/criterion.hpp"
#include "lacuna/model/model.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {

/// Sets what the model's report says of held-out outputs `z`, one matrix for each partition, all counted together:
/// their scores, those of a constant answer, the confusion of classes, how counts scatter. `auc` is theirs
/// (held_out_auc.hpp; NaN: there is none), `prices` are of mistakes about the rows. The model says what outputs stand
/// for and what is decided.
void assess(Model& model, const Truth& truth, const std::vector<Matrix>& z, double auc, const RowPrices& prices = {});

}  // namespace lacuna

// model/held_out_rows.hpp -- what the held-out rows that a model keeps count, and which of them are one row: weights,
// copies that were held out together, and where a row is in the expansion of a machine.
#pragma once

#include <vector>

#include "lacuna/criterion/criterion.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

/// False: the rows differ in weight, and a file of an older program does not say how.
bool knows_weights(const Model& model);

/// What each row (of one repeat) stands for, and what it counts where it is judged: 1 where all are alike.
Vector row_weights(const HeldOutRows& held_out);
Vector judged_weights(const HeldOutRows& held_out);

/// What is true of the held-out rows of a model of classes, once, and what they count. Requires knows_weights(model).
Truth held_out_truth(const Model& model);

/// For each row (of one repeat) the row of an expansion of so many rows that it is, or that it was joined to as a copy.
/// Empty where that cannot be told: rows without a part in the machine are not in it.
std::vector<Index> places_in_expansion(const HeldOutRows& held_out, Index expansion);
/// For each row of such an expansion the first held-out row that is in this place; empty where it cannot be told.
std::vector<Index> rows_of_expansion(const HeldOutRows& held_out, Index expansion);

}  // namespace lacuna

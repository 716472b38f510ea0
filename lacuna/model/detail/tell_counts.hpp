// model/detail/tell_counts.hpp -- weights have no unit inside (base/weights.hpp). Sums of them that a model keeps are
// told as the data say weights: a row of weight 0.37 counts 0.37 wherever rows are counted, in the table of true and
// decided classes, the weights of held-out rows, and what is made of these. Where all rows weigh the same, rows count.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Once held-out rows are those of `data`, with copies apart.
void tell_counts(Model& model, const Dataset& data, const TrainOptions& options);

}  // namespace lacuna::detail

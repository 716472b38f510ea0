// model/redecide.hpp -- other decisions of the same machine. A threshold and prices of mistakes have no part in a fit
// but for where its outputs are cut, so that models which differ in nothing else need one fit.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna {

/// The model that train(data, options) would have given: its decisions, and their scores on held-out rows. Requires a
/// model of classes that was trained on `data` with `options` but for their threshold and costs, and keeps its held-out
/// rows. O(l).
Model with_decisions(Model model, const Dataset& data, const TrainOptions& options);

}  // namespace lacuna

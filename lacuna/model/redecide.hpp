// model/redecide.hpp -- other decisions of the same machine. A threshold and prices of mistakes have no part in a fit
// but for where its outputs are cut, so that models which differ in nothing else need one fit.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna {

/// The model that train(data, options) would have given: its decisions, and their scores on held-out rows. Requires a
/// model of classes that was trained on `data` with `options` but for their threshold and costs, and keeps its held-out
/// rows. O(l).
Model with_decisions(Model model, const Dataset& data, const TrainOptions& options);

/// A finished model with another cut, or with prices, which a cut of its own follows unless one is given. Scores of the
/// held-out rows follow where it keeps them and knows what they count (held_out_rows.hpp); else they are of the
/// decisions before. Throws Error(usage) where a model cannot have them.
Model with_decisions(Model model, const std::optional<ThresholdRule>& threshold, const std::optional<Costs>& costs);

}  // namespace lacuna

// model/detail/refits_instead.hpp -- held-out outputs of a Gaussian process come from the posterior of all rows, in
// which the sites of the others stay as they are when a row leaves. Where labels are nearly interpolated they would
// not, and the closed form promises too much. Where refits contradict it, refits are what is reported.
#pragma once

#include "lacuna/model/detail/stages.hpp"

namespace lacuna::detail {

/// Looks at the closed form of a Gaussian process in ten folds. Where refits contradict it, held-out outputs in `fit`
/// and the stage's cross-validation become those of refits (leave-one-out: of ten folds), with a warning.
void take_refits_instead(Stage& stage, Model& model, const Dataset& data, const RowSource& X, FinalFit& fit);

}  // namespace lacuna::detail

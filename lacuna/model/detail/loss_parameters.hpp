// model/detail/loss_parameters.hpp -- parameters of a loss that are left open, chosen from held-out rows of the same
// data: the scale from which huber takes residuals for large, and the overdispersion of a negative binomial.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Sets what machine.loss leaves open. Where machines of nearly the same loss were fitted on the way, options say then
/// where the search for the other parameters may begin, and that it has less time.
///
/// huber           1.345 robust deviations of held-out residuals of least squares
/// negbin          the overdispersion that makes the held-out counts likeliest, together with the other parameters:
///                 these are selected for a given overdispersion by held-out deviance, which is the likelihood again,
///                 and the overdispersion for the held-out means they give, in turns that begin with Poisson's loss and
///                 end when it moves by a small part of its standard error
///                 (docs/decisions/2026-11-16-overdispersion.md)
void choose_loss_parameters(Machine& machine, const Dataset& data, TrainOptions& options);

}  // namespace lacuna::detail

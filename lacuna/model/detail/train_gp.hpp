// model/detail/train_gp.hpp -- what training a Gaussian process does otherwise than training a machine: which options
// it takes, and its final fit.
#pragma once

#include "lacuna/model/detail/final_fit.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Throws Error(usage) for options that a Gaussian process has no use for.
void check_gp_options(const Dataset& data, const Machine& machine, const TrainOptions& options);

/// The posterior at the chosen kernel, lambda and mean (the last of the values), and every row's held-out latent
/// output.
FinalFit final_fit_gp(const Problem& problem, const Machine& machine, const Selection& chosen,
                      const RefitOptions& refit, const Observer& observer);

}  // namespace lacuna::detail

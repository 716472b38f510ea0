// select/select_gp.hpp -- hyper-parameters of a Gaussian-process classifier by whatever criterion a problem names: the
// evidence (with its gradient; evidence.hpp), or a score of held-out rows, from the approximation or by refitting
// (loo/gp_held_out.hpp; without).
//
// A score sees one number for each held-out row, the output whose probability is the average over the latent Gaussian
// (averaged.hpp): xent is then minus the logarithm of that probability, and error judges its label.
#pragma once

#include "lacuna/loo/gp_held_out.hpp"
#include "lacuna/select/evidence.hpp"

namespace lacuna {

/// As select(); of the problem's Supervision only the labels count. Empty mean: chosen. The last of the values is the
/// mean.
Selection select_gp(const Problem& problem, const GpClassifier& classifier, const KernelSpec& kernel,
                    std::optional<double> lambda, std::optional<double> mean, const SelectOptions& options,
                    const Observer& observer = {});

}  // namespace lacuna

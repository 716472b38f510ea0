// select/evidence.hpp -- hyper-parameters of a Gaussian-process classifier by maximising the log evidence (method 12),
// with the searches that every other criterion uses. What is searched: log lambda (lambda = 1/sigma_f^2), the
// logarithms of the kernel's parameters, and, when it is to be chosen, the constant mean in units of the prior's
// standard deviation:
//
//   m = u sqrt(k / lambda),   k the mean of k(x, x) over the rows at the start of the search
//
// so that its box does not depend on the others. Several columns of labels (one class against the rest) share all
// parameters and their log evidences add up. Each fit begins at the nearest one met.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "lacuna/compute/compute.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/machine/gp_classifier.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna {

/// Views must outlive it.
struct EvidenceProblem {
  const Backend* backend = &cpu_backend();
  RowsView X;
  Matrix t;  ///< l x m labels, 0 or 1
  GpClassifier classifier;
};

/// Minus the log evidence at one setting, and its gradient. Not finite when the arithmetic fails.
struct EvidenceAt {
  double minus_log_evidence = std::numeric_limits<double>::infinity();
  EvidenceGradient gradient;  ///< of minus the log evidence; set when asked for
  int factorisations = 0;
};
/// `starts` is read and renewed when given: one for each column of labels. Not finite when the observer, asked between
/// columns, wants no more.
EvidenceAt evidence_at(const EvidenceProblem& problem, const Kernel& kernel, double lambda, double mean,
                       bool want_gradient, std::vector<GpStart>* starts = nullptr, const Observer& observer = {});

/// Chooses what `kernel` (bound to the number of features), `lambda` and `mean` leave open: an empty mean is selected;
/// give 0 for a zero-mean prior. The criterion is minus the log evidence, and the last of the values is the mean.
/// Throws Error(usage) when something is open and the method is none.
Selection select_by_evidence(const EvidenceProblem& problem, const KernelSpec& kernel, std::optional<double> lambda,
                             std::optional<double> mean, const SelectOptions& options = {},
                             const Observer& observer = {});

}  // namespace lacuna

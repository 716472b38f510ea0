// machine/gp_classifier.hpp -- a Gaussian-process classifier by name: which likelihood, which approximation.
#pragma once

#include <optional>

#include "lacuna/machine/gp.hpp"

namespace lacuna {

enum class Inference { laplace, ep };

struct GpClassifier {
  Inference inference = Inference::laplace;
  Loss likelihood = losses::Logistic{};  ///< logistic or probit for Laplace, probit for EP
};

/// Throws Error(usage) when the approximation does not go with the likelihood.
void check_classifier(const GpClassifier& classifier);

/// gp_laplace or gp_ep; empty tolerance: their own. `zeta`: how many copies each row stands for (gp_ep: one or more);
/// empty: one.
GpFit fit_gp(const GpClassifier& classifier, const compute::Gram& K, const Vector& t, double mean, double lambda,
             std::optional<double> tolerance = std::nullopt, const WarmStart& start = {}, const Vector& zeta = {});

}  // namespace lacuna

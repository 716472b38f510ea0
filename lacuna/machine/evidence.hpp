// machine/evidence.hpp -- a least-squares machine as Gaussian-process regression
// (docs/math/gaussian-process-regression.md): targets t = f + noise, f ~ b + GP(0, (sigma^2/lambda) k), noise of
// variance sigma^2. The bias b has no prior, so the evidence is that of what it does not touch, n - 1 contrasts of the
// targets (restricted maximum likelihood), and sigma^2 takes the value of greatest evidence. With M = K + lambda I, M
// xi = 1, Q = M^-1 - xi xi'/(1'xi), alpha = Q t,
//
//   sigma^2/lambda = t'alpha/(n - 1)
//   -log p = [(n - 1)(log(2 pi t'alpha/(n - 1)) + 1) + log det M + log(1'xi) - log n]/2
//   d(-log p) = <G, dM>,    G = [Q - (n - 1) alpha alpha'/(t'alpha)]/2
//
// One factor with its inverse, as for leave-one-out. Several targets share M; each has a sigma^2 of its own, and their
// logarithms add up.
#pragma once

#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/gp.hpp"

namespace lacuna {

/// Requires a fit of the squared loss with all weights 1; -infinity where a target has no residual at all.
double log_evidence(const DualFit& fit);
/// Of log_evidence. Requires Want::inverse and a finite evidence.
compute::CriterionGradient evidence_gradient(const DualFit& fit);

/// Of a Gaussian-process classifier, which has it.
inline double log_evidence(const GpFit& fit) { return fit.log_evidence; }

}  // namespace lacuna

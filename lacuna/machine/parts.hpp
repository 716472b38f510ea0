// machine/parts.hpp -- a machine of m outputs as fits of one of the cores. The squared loss needs one for all of
// them, since one factorisation serves any number of right-hand sides; any other loss weighs the rows anew for every
// output and needs one for each. They are handed out one after the other, so that memory never holds more than one
// factor.
#pragma once

#include <functional>

#include "lacuna/loss/supervision.hpp"
#include "lacuna/machine/gp_classifier.hpp"
#include "lacuna/machine/irls.hpp"
#include "lacuna/machine/primal_irls.hpp"

namespace lacuna {

struct PartsResult {
  Stop stop = Stop::converged;  ///< anything else: a part could not be fitted, or `visit` ended it (interrupted)
  int factorisations = 0;
  double unsettled = 0.0;  ///< Gaussian processes: the worst stationarity of a fit that is usable but did not converge
  bool usable() const { return stop == Stop::converged; }
};

/// Calls `visit(fit, first)` for the fit of outputs first ... first + fit.alpha.cols() - 1 until all outputs are done
/// or it returns false. `warm` is read and renewed when given.
PartsResult for_each_part(const compute::Gram& K, const Supervision& learn, double lambda, compute::Want want,
                          WarmStarts* warm, const std::function<bool(const DualFit& fit, Index first)>& visit,
                          const IrlsOptions& options = {});

/// The same on a basis. A visitor may take what it wants out of the fit.
PartsResult for_each_part(const std::shared_ptr<const compute::Features>& features, const RowSource& X,
                          const Supervision& learn, double lambda, compute::Want want, WarmStarts* warm,
                          const std::function<bool(PrimalFit& fit, Index first)>& visit,
                          const IrlsOptions& options = {});

/// Of a Gaussian process whose likelihood is the loss of `learn`. A factor always has its inverse, and of the options
/// only the tolerance is looked at.
PartsResult for_each_part(Inference inference, const compute::Gram& K, const Supervision& learn, const Prior& prior,
                          WarmStarts* warm, const std::function<bool(const GpFit& fit, Index first)>& visit,
                          const IrlsOptions& options = {});

}  // namespace lacuna

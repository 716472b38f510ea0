// machine/primal_irls.hpp -- any convex loss on a basis by repeated weighted least squares (method 6): irls.hpp with
// the primal core in place of the dual one.
//
//   minimise (lambda/2) p'P0 p + sum_i zeta_i c(z_i + o_i, t_i),      z = Z p
//
// The optimum is where lambda P0 p + Z'(zeta o c') = 0; the test of convergence compares that with the sum of |zeta c'|
// at the scale of the features. An iteration is one pass over the rows: outputs, weights and the next normal equations
// together, so only a step that has to be shortened costs a second one.
#pragma once

#include "lacuna/loss/detail/summed_loss.hpp"
#include "lacuna/machine/irls.hpp"
#include "lacuna/machine/primal.hpp"

namespace lacuna {

struct PrimalIrlsFit {
  PrimalFit fit;  ///< one output column; not usable(): see stop
  Stop stop = Stop::not_finite;
  int factorisations = 0;
  double stationarity = 0.0;  ///< reached
  double objective = 0.0;
};

/// When all rows pull the bias one way there is no optimum: not_finite, at once.
/// Requires zeta >= 0 with some > 0, t within the loss's domain, offset empty or one for each row, lambda > 0.
PrimalIrlsFit irls(std::shared_ptr<const compute::Features> features, const RowSource& X, const Loss& loss,
                   const Vector& zeta, const Vector& t, const Vector& offset, double lambda, compute::Want want,
                   const WarmStart& warm = {}, const IrlsOptions& options = {});

/// Weights, pulls and bends of the rows at outputs z_at, where the least-squares problem was set up whose solution the
/// fit is. Requires fit.z.
void weigh_primal(PrimalFit& fit, const detail::SummedLoss& objective, const Vector& z_at);

}  // namespace lacuna

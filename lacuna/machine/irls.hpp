// machine/irls.hpp -- any convex loss by repeated weighted least squares, which is Newton's method (method 3).
//
//   minimise (lambda/2) alpha' K alpha + sum_i zeta_i c(z_i + o_i, t_i),      z = K alpha + b
//   beta_i = zeta_i c''_i,   eta_i = z_i - c'_i / c''_i,   then one dual machine (dual.hpp), the step shortened until
//   the objective falls
//
// At the optimum lambda alpha_i = -zeta_i c'_i and sum alpha = 0: that is the test of convergence. What comes back is
// the dual machine of the last step, so that held-out outputs and gradients follow as for the squared loss. c'' has a
// floor; eta uses the floored value, so the fixed point does not move. Rows with zeta = 0, or where c' = c'' = 0, leave
// the system.
#pragma once

#include "lacuna/base/stop.hpp"
#include "lacuna/loss/loss.hpp"
#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/warm_start.hpp"

namespace lacuna {

struct IrlsOptions {
  int max_iterations = 250;  ///< where lambda is next to nothing the outputs grow by about one a step
  double tolerance = 1e-10;  ///< on max |lambda alpha + zeta c'| / max |zeta c'|
};

/// As the least tolerance: the weights of the rows are then as good as the rounding of the sums, so that a machine is
/// the same wherever its iteration began and however the rows were summed. A pass more, as a rule.
inline constexpr IrlsOptions to_the_last_digit{.tolerance = 1e-13};  // detail::settled

struct IrlsFit {
  DualFit fit;  ///< one output column; not usable(): see stop
  Stop stop = Stop::not_finite;
  int factorisations = 0;
  double stationarity = 0.0;  ///< reached
  double objective = 0.0;
};

/// When all rows pull the bias one way (one class only, no count above 0) there is no optimum: not_finite, at once.
/// Requires zeta >= 0 with some > 0, t within the loss's domain, offset empty or one for each row, lambda > 0.
IrlsFit irls(const compute::Gram& K, const Loss& loss, const Vector& zeta, const Vector& t, const Vector& offset,
             double lambda, compute::Want want, const WarmStart& warm = {}, const IrlsOptions& options = {});

}  // namespace lacuna

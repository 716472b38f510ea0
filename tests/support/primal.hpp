// tests/support/primal.hpp -- the oracle for every loss: the primal problem with an explicit feature map,
//
//   minimise over (v, b)   F = (lambda/2) ||v||^2 + sum_i zeta_i c(z_i + o_i, t_i),   z = R v + b,   K = R R',
//
// the losses written once more, from the textbook and in extended precision. Nothing of lacuna/loss or lacuna/machine
// is used. K = U diag(omega) U' gives R = U diag(sqrt omega).
#pragma once

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/lbfgs.hpp"

namespace lacuna::testing {

struct Slope {
  long double c, c1;
};

Slope textbook(const Loss& loss, long double z, long double t);

struct Primal {
  Loss loss;
  Vector zeta, t, offset;  // an offset for every row
  double lambda = 1.0;
};

struct PrimalValue {
  long double F = 0.0L;
  long double size = 0.0L;  // the sum of the absolute terms of F: what a relative difference is relative to
};

/// F of a dual solution.
PrimalValue value(const Primal& p, const Long& K, const Vector& alpha, double b);

struct Feature {
  Long R;                    // one column for each positive eigenvalue
  LongVector omega;          // the positive eigenvalues
  long double below = 0.0L;  // how far rounding of K takes the least eigenvalue below 0, where there is no feature
};

Feature feature_map(const Long& K);

/// The least F that first derivatives find, from v = 0 and b = 0.
Minimum minimise(const Primal& p, const Feature& map, long double tolerance);

}  // namespace lacuna::testing

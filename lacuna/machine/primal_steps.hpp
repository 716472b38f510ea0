// machine/primal_steps.hpp -- a machine on a basis whose rows are in several places (method 6): each place sums its own
// rows, the sums are added in any grouping, and whoever has all of them takes the next step of irls (primal_irls.hpp).
//
//   at p, over the rows of a place     Z'WZ,   Z'r,   sum zeta c,   sum |r|       r = -zeta c',  W = diag(zeta c'')
//   Newton's method, with all sums     the next p at which a pass is wanted; or: p solves its own least-squares problem
//
// Least squares end after one pass, other losses after one for each step and each point of a line search. A walk
// remembers what the passes said, a few numbers for each feature, and is Newton's method begun anew: it goes the way
// that it went before, and a little further. Z'WZ is kept for the last point only, where the machine and its held-out
// outputs come from.
#pragma once

#include <vector>

#include "lacuna/machine/irls.hpp"
#include "lacuna/machine/primal.hpp"

namespace lacuna {

/// What one pass says of some rows at one point.
struct StepSums {
  compute::FeatureSums sums;  ///< Z'WZ and Z'r
  double loss = 0.0;          ///< sum zeta c
  double pulls = 0.0;         ///< sum |r|, or what pull_to_tell() makes of it
  Index rows = 0;             ///< rows with a say

  StepSums& operator+=(const StepSums& others);
};

/// A pass that was made.
struct StepPass {
  Matrix p;
  Matrix right;  ///< Z'r
  double loss = 0.0;
  double pulls = 0.0;
  Index rows = 0;
  Matrix step{};                ///< Newton's step from p; empty: not asked for yet
  compute::FeatureSums sums{};  ///< empty where nobody will ask for them
};

/// One machine on its way: of one output of an iterated loss, or of all outputs of the squared one.
struct StepWalk {
  Matrix next;  ///< where the next pass is wanted; empty: there will be none
  std::vector<StepPass> passes{};
  bool again = false;      ///< the next pass repeats one, whose sums were let go: it is at the same p
  Stop stop = Stop::none;  ///< once there is no next pass
  int factorisations = 0;
  double stationarity = 0.0;
  double objective = 0.0;
  // The machine, where stop is converged:
  Matrix at{};                  ///< the least-squares problem is the one at these coefficients,
  compute::FeatureSums sums{};  ///< these are its sums,
  Matrix p{};                   ///< and this is its solution

  bool done() const { return next.size() == 0; }
};

/// Begins at coefficients p. `outputs` of least squares are columns of p.
StepWalk walk_from(Matrix p);
/// Coefficients of a constant machine.
Matrix constant_machine(const compute::Features& features, const Vector& outputs);

/// One pass over some rows, for output `column`; of the squared loss, for all.
StepSums step_sums(const compute::Features& features, const RowSource& X, const Supervision& learn, Index column,
                   const Matrix& p);
/// With the sums over all rows at `walk.next`. Requires !walk.done().
void advance(StepWalk& walk, const compute::Features& features, const Loss& loss, double lambda, StepSums sums,
             const IrlsOptions& options = {});
/// The machine as some rows see it, with what their held-out outputs follow from: leave_one_out(fit) is theirs. A row
/// that determines its own output (rest < least_rest) has none, as NaN. Requires walk.stop == converged.
PrimalFit fit_of_rows(std::shared_ptr<const compute::Features> features, const StepWalk& walk, const RowSource& X,
                      const Supervision& learn, Index column, double lambda);

}  // namespace lacuna

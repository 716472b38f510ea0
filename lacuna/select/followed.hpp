// select/followed.hpp -- which held-out fits of iterated losses are followed to their optimum
// (loo/held_out_optimum.hpp), and what becomes of the others. One Newton step is near enough for most rows of most
// fits; a search follows the rest, and a report refits what does not arrive. The cores (core.hpp) are written with it.
#pragma once

#include <functional>

#include "lacuna/data/row_source.hpp"
#include "lacuna/loo/held_out_optimum.hpp"
#include "lacuna/machine/warm_start.hpp"

namespace lacuna {

/// Held-out outputs of one partition, a column for each output.
struct HeldOut {
  Matrix z;     ///< NaN: a machine without one of the folds was not positive definite
  Matrix left;  ///< how far each may be from a refit. Empty: they are exact, or nobody looked. NaN: nobody looked at
                ///< this one
  Matrix mean = {}, variance = {};  ///< Gaussian processes: the latent outputs, of which z are the moderated ones
  /// Of the rows that were followed, where FollowPlan::keep asked for them; the others are in closed form.
  std::shared_ptr<const compute::HeldOutMachines> machines = {};
  std::vector<char> by_machine = {};  ///< which rows those are
};

/// How held-out outputs of iterated losses are followed.
struct FollowPlan : compute::FollowOptions {
  /// Rows that a second Newton step would move by less than this (in the units of `tolerance`) stay where one step
  /// leads. 0: all are followed.
  double near_enough = 0.0;
  bool refit = true;  ///< folds that do not arrive
};

/// Rows that one Newton step does not take near enough to where a refit ends (FollowPlan::near_enough), each a fold.
Folds rows_to_follow(const DualFit& fit, const Loss& loss, const Matrix& one_step, double near_enough);
/// The same of output `column` on a basis.
Folds rows_to_follow(const RowSource& X, const PrimalFit& fit, const Supervision& learn, Index column,
                     const Matrix& one_step, double near_enough);

/// Puts the outputs of these folds over those of one step in `out`, and keeps how to differentiate them. `fitted`:
/// outputs of all rows with nothing left out.
void take_followed(HeldOut& out, const Folds& folds, const Supervision& learn, const Matrix& fitted,
                   const compute::HeldOutOptimum& end);

/// Refits of some folds from the fit of all rows, and outputs of one step.
using RefitSome = std::function<Matrix(const Folds& some, const WarmStarts& full)>;
using OneStep = std::function<Matrix()>;
/// What was followed, with the folds that did not arrive refitted: a quarter of them at most, or 200. Empty folds: each
/// row is one. `z`: outputs of the fit of all rows.
HeldOut refit_unfinished(const compute::HeldOutOptimum& end, const Folds& folds, const Matrix& z,
                         const RefitSome& refit, const OneStep& one_step);

/// Of a criterion with derivatives `d_output` in `held`: through the machines that were kept, and by `closed_form` for
/// the other rows.
compute::CriterionGradient followed_gradient(
    const HeldOut& held, const Matrix& d_output,
    const std::function<compute::CriterionGradient(const Matrix& d_output)>& closed_form);

}  // namespace lacuna

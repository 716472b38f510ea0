#include "lacuna/select/followed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/loo/primal_beyond.hpp"
#include "lacuna/loo/second_step.hpp"

namespace lacuna {
namespace {

constexpr double no_step = std::numeric_limits<double>::quiet_NaN();
// Folds that do not arrive are refitted, but no more of them than this share in one go (and so many in any case).
constexpr double most_refitted = 0.25;
constexpr std::size_t always_refitted = 200;

// A fold that no machine has learned from has no output without it; and conjugate gradients that have lost all digits
// (a probit's tail, next to no regulariser) lead nowhere: beyond this many units from the fit there is no loss to speak
// of, and one step will do.
constexpr double furthest = 700.0;

// What a held-out output's move is measured by (compute/host/follower.hpp): where outputs have a unit, that.
double unit_of(const Loss& loss) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (requires { l.unit(); })
          return l.unit();
        else
          return 1.0;
      },
      loss);
}

}  // namespace

// Conjugate gradients give up where curvature changes too much on the way (next to no regulariser, many rows crossing a
// margin); Newton's method, with a factor of its own for each fold, does not. Where that has no end either, one step is
// all there is, and nobody knows how far it is off.
HeldOut refit_unfinished(const compute::HeldOutOptimum& end, const Folds& folds, const Matrix& z,
                         const RefitSome& refit, const OneStep& one_step) {
  HeldOut out{end.z, end.left.array().isInf().select(Vector::Constant(z.rows(), no_step), end.left)};
  const std::size_t count = folds.empty() ? std::size_t(z.rows()) : folds.size();
  Folds some;
  for (const std::size_t f : end.unfinished)
    if (some.size() < std::max(always_refitted, std::size_t(most_refitted * double(count))))
      some.push_back(folds.empty() ? std::vector<Index>{Index(f)} : folds[f]);
  if (some.empty()) return out;
  const Matrix refitted = refit(some, WarmStarts{z.col(0)});
  Matrix first;
  for (const auto& fold : some)
    for (const Index i : fold) {
      const bool known = std::isfinite(refitted(i, 0));
      if (!known && first.size() == 0) first = one_step();
      out.z(i, 0) = known ? refitted(i, 0) : first(i, 0);
      out.left(i, 0) = known ? 0.0 : no_step;
    }
  return out;
}

// A loss that bends by jumps (the squared hinge) has no curvature to tell by.
Folds rows_to_follow(const DualFit& fit, const Loss& loss, const Matrix& one_step, double near_enough) {
  const Vector beyond = fit.curvature.size() > 0 ? second_step(fit) : Vector();
  const double unit = unit_of(loss);
  Folds out;
  for (Index i = 0; i < one_step.rows(); ++i) {
    if (!fit.in_system(i)) continue;
    const double moved = std::min(std::abs(one_step(i, 0) - fit.z(i, 0)), 10.0 * unit);
    const bool enough = beyond.size() > 0 ? beyond[i] <= near_enough * (unit + moved) : fit.alpha(i, 0) == 0.0;
    if (!enough || !std::isfinite(one_step(i, 0))) out.push_back({i});
  }
  return out;
}

// Of the rows that one step moves at all: by what a second step would add or, for counts and
// rates, the line. A loss that bends by jumps has rows that lie on the other side of a jump only when they are
// followed.
Folds rows_to_follow(const RowSource& X, const PrimalFit& fit, const Supervision& learn, Index column,
                     const Matrix& one_step, double near_enough) {
  const std::vector<Index> rows = rows_that_move(fit, learn.loss);
  Folds out;
  if (fit.bend.size() == 0) {
    for (const Index i : rows) out.push_back({i});
    return out;
  }
  const compute::HeldOutOptimum beyond = beyond_one_step(X, fit, learn, column, rows);
  const double unit = unit_of(learn.loss);
  for (const Index i : rows) {
    const double moved = std::min(std::abs(one_step(i, 0) - fit.z(i, 0)), 10.0 * unit);
    const double missed = has_deviance(learn.loss) ? std::abs(beyond.z[i] - one_step(i, 0)) : beyond.left[i];
    if (!(missed <= near_enough * (unit + moved))) out.push_back({i});
  }
  return out;
}

void take_followed(HeldOut& out, const Folds& folds, const Supervision& learn, const Matrix& fitted,
                   const compute::HeldOutOptimum& end) {
  out.machines = end.machines;
  out.by_machine.assign(std::size_t(out.z.rows()), 0);
  const double limit = furthest * unit_of(learn.loss);
  for (const auto& fold : folds) {
    if (std::ranges::none_of(fold, [&](Index i) { return learn.zeta[i] > 0.0; })) continue;
    if (!std::ranges::all_of(fold, [&](Index i) { return std::abs(end.z[i] - fitted(i, 0)) <= limit; })) continue;
    for (const Index i : fold) {
      out.z(i, 0) = end.z[i];
      out.by_machine[std::size_t(i)] = 1;
    }
  }
}

compute::CriterionGradient followed_gradient(
    const HeldOut& held, const Matrix& d_output,
    const std::function<compute::CriterionGradient(const Matrix& d_output)>& closed_form) {
  if (!held.machines) return closed_form(d_output);
  Matrix rest = d_output, followed = d_output;
  for (Index i = 0; i < rest.rows(); ++i) (held.by_machine[std::size_t(i)] ? rest : followed).row(i).setZero();
  compute::CriterionGradient out = held.machines->gradient(followed.col(0));
  if ((rest.array() == 0.0).all() && out.d_log_kernel.size() > 0) return out;
  const compute::CriterionGradient others = closed_form(rest);
  if (out.d_log_kernel.size() == 0) out.d_log_kernel = Vector::Zero(others.d_log_kernel.size());
  out.d_log_kernel += others.d_log_kernel;
  out.d_log_lambda += others.d_log_lambda;
  return out;
}

}  // namespace lacuna

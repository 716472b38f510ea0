#include "lacuna/select/core.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/compute/lanes.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "lacuna/loo/gp_held_out.hpp"
#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/leave_pair_out.hpp"
#include "lacuna/loo/primal_beyond.hpp"
#include "lacuna/loo/primal_gradient.hpp"
#include "lacuna/loo/second_step.hpp"
#include "lacuna/machine/averaged.hpp"
#include "lacuna/machine/regulariser.hpp"

namespace lacuna {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
// On a basis every row is followed up to so many; beyond that, those that one step moves.
constexpr Index all_followed = 2000;
// ... and none where features of all rows would take more than this many doubles.
constexpr double most_features_kept = 2e7;
// Folds that do not arrive are refitted, but no more of them than this share in one go (and so many in any case).
constexpr double most_refitted = 0.25;
constexpr std::size_t always_refitted = 200;

Supervision one_output(const Supervision& all, Index column) {
  return {all.loss, all.zeta, all.t.col(column), all.offset, all.penalty};
}

// Conjugate gradients give up where curvature changes too much on the way (next to no regulariser, many rows crossing a
// margin); Newton's method, with a factor of its own for each fold, does not. Where that has no end either, one step is
// all there is, and nobody knows how far it is off.
template <class Refit, class OneStep>
HeldOut refit_unfinished(const HeldOutOptimum& end, const Folds& folds, const Matrix& z, const Refit& refit,
                         const OneStep& one_step) {
  HeldOut out{end.z, end.left.array().isInf().select(Vector::Constant(z.rows(), unknown), end.left)};
  const std::size_t count = folds.empty() ? std::size_t(z.rows()) : folds.size();
  Folds some;
  for (const std::size_t f : end.unfinished)
    if (some.size() < std::max(always_refitted, std::size_t(most_refitted * double(count))))
      some.push_back(folds.empty() ? std::vector<Index>{Index(f)} : folds[f]);
  if (some.empty()) return out;
  const Matrix refitted = refit(some, WarmStarts{z.col(0)}).z;
  Matrix first;
  for (const auto& fold : some)
    for (const Index i : fold) {
      const bool known = std::isfinite(refitted(i, 0));
      if (!known && first.size() == 0) first = one_step();
      out.z(i, 0) = known ? refitted(i, 0) : first(i, 0);
      out.left(i, 0) = known ? 0.0 : unknown;
    }
  return out;
}

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

// Rows that one Newton step does not take near enough to where a refit ends. A loss that bends by jumps (the squared
// hinge) has no curvature to tell by.
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

// The same on a basis, of the rows that one step moves at all: by what a second step would add or, for counts and
// rates, the line. A loss that bends by jumps has rows that lie on the other side of a jump only when they are followed.
Folds rows_to_follow(const RowSource& X, const PrimalFit& fit, const Supervision& learn, Index column,
                     const Matrix& one_step, double near_enough) {
  const std::vector<Index> rows = rows_that_move(fit, learn.loss);
  Folds out;
  if (fit.bend.size() == 0) {
    for (const Index i : rows) out.push_back({i});
    return out;
  }
  const HeldOutOptimum beyond = beyond_one_step(X, fit, learn, column, rows);
  const double unit = unit_of(learn.loss);
  for (const Index i : rows) {
    const double moved = std::min(std::abs(one_step(i, 0) - fit.z(i, 0)), 10.0 * unit);
    const double missed = has_deviance(learn.loss) ? std::abs(beyond.z[i] - one_step(i, 0)) : beyond.left[i];
    if (!(missed <= near_enough * (unit + moved))) out.push_back({i});
  }
  return out;
}

// Outputs of the rows that were followed over those of one step, and how to differentiate them. A fold that no machine
// has learned from has none without it; and conjugate gradients that have lost all digits (a probit's tail, next to no
// regulariser) lead nowhere: beyond this many units from the fit there is no loss to speak of, and one step will do.
constexpr double furthest = 700.0;

void take_followed(HeldOut& out, const Folds& followed, const Supervision& learn, const Matrix& fitted,
                   const HeldOutOptimum& end) {
  out.machines = end.machines;
  out.by_machine.assign(std::size_t(out.z.rows()), 0);
  const double limit = furthest * unit_of(learn.loss);
  for (const auto& fold : followed) {
    if (std::ranges::none_of(fold, [&](Index i) { return learn.zeta[i] > 0.0; })) continue;
    if (!std::ranges::all_of(fold, [&](Index i) { return std::abs(end.z[i] - fitted(i, 0)) <= limit; })) continue;
    for (const Index i : fold) {
      out.z(i, 0) = end.z[i];
      out.by_machine[std::size_t(i)] = 1;
    }
  }
}

// Of the machines that were kept, and of the closed form for the other rows.
template <class ClosedForm>
CriterionGradient gradient_of(const HeldOut& held, const Matrix& d_output, const ClosedForm& closed_form) {
  if (!held.machines) return closed_form(d_output);
  Matrix rest = d_output, followed = d_output;
  for (Index i = 0; i < rest.rows(); ++i) (held.by_machine[std::size_t(i)] ? rest : followed).row(i).setZero();
  CriterionGradient out = held.machines->gradient(followed.col(0));
  if ((rest.array() == 0.0).all() && out.d_log_kernel.size() > 0) return out;
  const CriterionGradient others = closed_form(rest);
  if (out.d_log_kernel.size() == 0) out.d_log_kernel = Vector::Zero(others.d_log_kernel.size());
  out.d_log_kernel += others.d_log_kernel;
  out.d_log_lambda += others.d_log_lambda;
  return out;
}

}  // namespace

DualCore::DualCore(const Problem& problem, const Kernel& kernel, Use use)
    : problem_(problem),
      kernel_(kernel),
      K_(dual_gram(*problem.backend, kernel, problem.X.view(), problem.learn, use)) {}

PartsResult DualCore::for_each_part(const Prior& prior, Want want, WarmStarts* warm,
                                    const std::function<bool(const DualFit& fit, Index first)>& visit,
                                    const IrlsOptions& options) const {
  return lacuna::for_each_part(*K_, problem_.learn, prior.lambda, want, warm, visit, options);
}

Matrix DualCore::one_step(const DualFit& fit, const Folds& folds) const {
  return folds.empty() ? leave_one_out(fit, Q_diagonal(fit)) : leave_fold_out(fit, folds);
}

HeldOut DualCore::held_out(const DualFit& fit, Index first, const Folds& folds, const FollowPlan& plan) const {
  if (problem_.followed && problem_.iterates()) return followed(fit, first, folds, plan);
  return {one_step(fit, folds), {}};
}

HeldOut DualCore::followed(const DualFit& fit, Index first, const Folds& folds, const FollowPlan& plan) const {
  if (!plan.refit) {  // in a search
    HeldOut out{one_step(fit, folds), {}};
    Folds some = folds;
    if (folds.empty()) some = rows_to_follow(fit, problem_.learn.loss, out.z, plan.near_enough);
    if (some.empty()) return out;
    const HeldOutOptimum end = held_out_optimum(*K_, fit, problem_.learn, first, some, plan);
    take_followed(out, some, problem_.learn, fit.z, end);
    return out;
  }
  const HeldOutOptimum end = held_out_optimum(*K_, fit, problem_.learn, first, folds, plan);
  return refit_unfinished(
      end, folds, fit.z,
      [&](const Folds& some, const WarmStarts& full) {
        return refit_held_out(*K_, one_output(problem_.learn, first), fit.lambda, some, full);
      },
      [&] { return one_step(fit, folds); });
}

CriterionGradient DualCore::gradient(const DualFit& fit, const Folds& folds, const HeldOut& held,
                                     const Matrix& d_output) const {
  return gradient_of(held, d_output, [&](const Matrix& d) { return criterion_gradient(*K_, fit, folds, d); });
}

Refits DualCore::refit(const Prior& prior, const Folds& folds, const WarmStarts& full, const Observer& observer,
                       const IrlsOptions& options) const {
  return refit_held_out(*K_, problem_.learn, prior.lambda, folds, full, observer, options);
}

Vector DualCore::leverage(const DualFit& fit) const { return lacuna::leverage(fit, Q_diagonal(fit)); }

Vector DualCore::pair_areas(const DualFit& fit, const Matrix& side) const { return leave_pair_out_auc(fit, side); }

Matrix DualCore::coefficients(const DualFit& fit) const {
  return lacuna::expansion(*problem_.backend, kernel_, problem_.X.view(), problem_.learn, fit.alpha);
}

PrimalCore::PrimalCore(const Problem& problem, const Kernel& kernel, Use)
    : PrimalCore(problem, kernel, RowsView(problem.basis)) {}

PrimalCore::PrimalCore(const Problem& problem, const Kernel& kernel, const RowsView& basis)
    : problem_(problem), kernel_(kernel), features_(problem.backend->features(kernel, basis, problem.X.rows())) {}

ColumnCore::ColumnCore(const Problem& problem, const Kernel& kernel, Use)
    : PrimalCore(problem, kernel, RowMatrix::Identity(problem.X.view().cols(), problem.X.view().cols()).eval()) {}

PartsResult PrimalCore::for_each_part(const Prior& prior, Want want, WarmStarts* warm,
                                      const std::function<bool(PrimalFit& fit, Index first)>& visit,
                                      const IrlsOptions& options) const {
  return lacuna::for_each_part(features_, problem_.X, problem_.learn, prior.lambda, want, warm, visit, options);
}

Matrix PrimalCore::one_step(const PrimalFit& fit, const Folds& folds) const {
  if (folds.empty()) return leave_one_out(fit);
  Matrix z = leave_fold_out(problem_.X, fit, folds);
  if (z.size() == 0) z.setConstant(fit.z.rows(), fit.z.cols(), unknown);
  return z;
}

HeldOut PrimalCore::held_out(const PrimalFit& fit, Index first, const Folds& folds, const FollowPlan& plan) const {
  if (problem_.followed && problem_.iterates()) return followed(fit, first, folds, plan);
  return {one_step(fit, folds), {}};
}

HeldOut PrimalCore::followed(const PrimalFit& fit, Index first, const Folds& folds, const FollowPlan& plan) const {
  const Index l = fit.z.rows();
  const bool too_many = double(l) * double(features_->size()) > most_features_kept;
  if (too_many && !plan.refit) return {one_step(fit, folds), {}};  // the line has no gradient
  if (too_many) return beyond_one_step(fit, first, folds);
  Folds some = folds;
  if (folds.empty() && !plan.refit && plan.near_enough > 0.0) {  // in a search
    const Matrix one = leave_one_out(fit);
    some = rows_to_follow(problem_.X, fit, problem_.learn, first, one, plan.near_enough);
    if (some.empty()) return {one, {}};
  } else if (folds.empty() && l > all_followed) {
    for (const Index i : rows_that_move(fit, problem_.learn.loss)) some.push_back({i});
  }
  Vector self(l);
  for (Index at = 0; at < l; at += kBlockRows) {
    const Index count = std::min(kBlockRows, l - at);
    self.segment(at, count) = kernel_diagonal(kernel_, problem_.X.block(at, count));
  }
  HeldOut out{leave_one_out(fit), Matrix::Constant(l, 1, unknown)};
  if (folds.empty() && l > all_followed && some.empty()) return out;
  const HeldOutOptimum end = held_out_optimum(fit, problem_.X, self, problem_.learn, first, some, plan);
  if (!plan.refit) {
    out = {one_step(fit, folds), {}};
    if (some.empty())
      for (Index i = 0; i < l; ++i) some.push_back({i});
    take_followed(out, some, problem_.learn, fit.z, end);
    return out;
  }
  HeldOut found = refit_unfinished(
      end, some, fit.z,
      [&](const Folds& rest, const WarmStarts& full) {
        return refit_held_out(features_, problem_.X, one_output(problem_.learn, first), fit.lambda, rest, full);
      },
      [&] { return one_step(fit, folds); });
  if (some.empty() || !folds.empty()) return found;
  for (const auto& row : some) {
    out.z.row(row[0]) = found.z.row(row[0]);
    out.left.row(row[0]) = found.left.row(row[0]);
  }
  return out;
}

// Very many rows: along the line for rates, which one step misses most, and one step for the others, with what a second
// would add.
HeldOut PrimalCore::beyond_one_step(const PrimalFit& fit, Index first, const Folds& folds) const {
  HeldOut out{one_step(fit, folds), {}};
  if (!folds.empty()) return out;
  const Loss& loss = problem_.learn.loss;
  const std::vector<Index> rows = rows_that_move(fit, loss);
  const HeldOutOptimum beyond = lacuna::beyond_one_step(problem_.X, fit, problem_.learn, first, rows);
  if (has_deviance(loss))
    out.z = beyond.z;
  else
    out.left = (fit.beta.array() > 0.0).select(beyond.left, 0.0);
  return out;
}

CriterionGradient PrimalCore::gradient(const PrimalFit& fit, const Folds& folds, const HeldOut& held,
                                       const Matrix& d_output) const {
  return gradient_of(held, d_output, [&](const Matrix& d) { return criterion_gradient(problem_.X, fit, folds, d); });
}

Refits PrimalCore::refit(const Prior& prior, const Folds& folds, const WarmStarts& full, const Observer& observer,
                         const IrlsOptions& options) const {
  return refit_held_out(features_, problem_.X, problem_.learn, prior.lambda, folds, full, observer, options);
}

Vector PrimalCore::leverage(const PrimalFit& fit) const { return lacuna::leverage(fit); }

Vector PrimalCore::pair_areas(const PrimalFit& fit, const Matrix& side) const {
  return leave_pair_out_auc(problem_.X, fit, side);
}

Matrix PrimalCore::coefficients(const PrimalFit& fit) const {
  const Matrix all = fit.coefficients();
  return all.topRows(all.rows() - 1);
}
Vector PrimalCore::bias(const PrimalFit& fit) const { return fit.coefficients().bottomRows(1).transpose(); }

GpCore::GpCore(const Problem& problem, const Kernel& kernel, Use use)
    : problem_(problem), K_(problem.backend->gram(kernel, problem.X.view(), use)) {}

PartsResult GpCore::for_each_part(const Prior& prior, Want, WarmStarts* warm,
                                  const std::function<bool(const GpFit& fit, Index first)>& visit,
                                  const IrlsOptions& options) const {
  return lacuna::for_each_part(*problem_.inference, *K_, problem_.learn, prior, warm, visit, options);
}

Matrix GpCore::one_step(const GpFit& fit, const Folds& folds) const { return held_out(fit, 0, folds).z; }

HeldOut GpCore::held_out(const GpFit& fit, Index, const Folds& folds, const FollowPlan&) const {
  const LatentMoments at = held_out_latent(*K_, fit, folds);
  return {moderated(fit.likelihood, at), {}, at.mean, at.variance};
}

HeldOut GpCore::followed(const GpFit& fit, Index first, const Folds& folds, const FollowPlan& plan) const {
  HeldOut out = held_out(fit, first, folds);
  const HeldOutOptimum end = held_out_optimum(*K_, fit, problem_.learn, first, folds, plan);
  out.mean = end.z;
  out.z = moderated(fit.likelihood, {out.mean.col(0), out.variance.col(0)});
  out.left = end.left.array().isInf().select(Vector::Constant(end.left.size(), unknown), end.left);
  return out;
}

CriterionGradient GpCore::gradient(const GpFit& fit, const Folds& folds, const HeldOut& held,
                                   const Matrix& d_output) const {
  Vector p = d_output.col(0), q = p;
  for (Index i = 0; i < p.size(); ++i) {
    const ModeratedSlope slope = moderated_slope(fit.likelihood, held.mean(i, 0), held.variance(i, 0));
    p[i] *= slope.d_mu;
    q[i] *= slope.d_variance;
  }
  return criterion_gradient(fit, folds, held.variance.col(0), p, q);
}

Refits GpCore::refit(const Prior& prior, const Folds& folds, const WarmStarts& full, const Observer& observer,
                     const IrlsOptions& options) const {
  return refit_held_out(*problem_.inference, *K_, problem_.learn, prior, folds, full, observer, options);
}

Vector GpCore::pair_areas(const GpFit& fit, const Matrix& side) const { return leave_pair_out_auc(*K_, fit, side); }

Rows GpCore::expansion() const { return copy_rows(problem_.X.view()); }

}  // namespace lacuna

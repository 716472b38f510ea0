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
#include "lacuna/machine/averaged.hpp"
#include "lacuna/machine/regulariser.hpp"

namespace lacuna {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
// On a basis every row is followed up to so many; beyond that, those that one step moves.
constexpr Index all_followed = 2000;
// ... and none where features of all rows would take more than this many doubles.
constexpr double most_features_kept = 2e7;

Supervision one_output(const Supervision& all, Index column) {
  return {all.loss, all.zeta, all.t.col(column), all.offset, all.penalty};
}

}  // namespace

DualCore::DualCore(const Problem& problem, const Kernel& kernel, compute::Use use)
    : problem_(problem),
      kernel_(kernel),
      K_(dual_gram(*problem.backend, kernel, problem.X.view(), problem.learn, use)) {}

PartsResult DualCore::for_each_part(const Prior& prior, compute::Want want, WarmStarts* warm,
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
    const compute::HeldOutOptimum end = held_out_optimum(*K_, fit, problem_.learn, first, some, plan);
    take_followed(out, some, problem_.learn, fit.z, end);
    return out;
  }
  const compute::HeldOutOptimum end = held_out_optimum(*K_, fit, problem_.learn, first, folds, plan);
  return refit_unfinished(
      end, folds, fit.z,
      [&](const Folds& some, const WarmStarts& full) {
        return refit_held_out(*K_, one_output(problem_.learn, first), fit.lambda, some, full).z;
      },
      [&] { return one_step(fit, folds); });
}

compute::CriterionGradient DualCore::gradient(const DualFit& fit, const Folds& folds, const HeldOut& held,
                                              const Matrix& d_output) const {
  return followed_gradient(held, d_output, [&](const Matrix& d) { return criterion_gradient(*K_, fit, folds, d); });
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

PrimalCore::PrimalCore(const Problem& problem, const Kernel& kernel, compute::Use)
    : PrimalCore(problem, kernel, RowsView(problem.basis)) {}

PrimalCore::PrimalCore(const Problem& problem, const Kernel& kernel, const RowsView& basis)
    : problem_(problem), kernel_(kernel), features_(problem.backend->features(kernel, basis, problem.X.rows())) {}

ColumnCore::ColumnCore(const Problem& problem, const Kernel& kernel, compute::Use)
    : PrimalCore(problem, kernel, RowMatrix::Identity(problem.X.view().cols(), problem.X.view().cols()).eval()) {}

PartsResult PrimalCore::for_each_part(const Prior& prior, compute::Want want, WarmStarts* warm,
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
  const compute::HeldOutOptimum end = held_out_optimum(fit, problem_.X, self, problem_.learn, first, some, plan);
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
        return refit_held_out(features_, problem_.X, one_output(problem_.learn, first), fit.lambda, rest, full).z;
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
  const compute::HeldOutOptimum beyond = lacuna::beyond_one_step(problem_.X, fit, problem_.learn, first, rows);
  if (has_deviance(loss))
    out.z = beyond.z;
  else
    out.left = (fit.beta.array() > 0.0).select(beyond.left, 0.0);
  return out;
}

compute::CriterionGradient PrimalCore::gradient(const PrimalFit& fit, const Folds& folds, const HeldOut& held,
                                                const Matrix& d_output) const {
  return followed_gradient(held, d_output,
                           [&](const Matrix& d) { return criterion_gradient(problem_.X, fit, folds, d); });
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

Matrix ColumnCore::column_weights(const PrimalFit& fit) const {
  // The unit vectors in the order that the features have them.
  return PrimalCore::expansion().dense().transpose() * PrimalCore::coefficients(fit);
}

GpCore::GpCore(const Problem& problem, const Kernel& kernel, compute::Use use)
    : problem_(problem), K_(problem.backend->gram(kernel, problem.X.view(), use)) {}

PartsResult GpCore::for_each_part(const Prior& prior, compute::Want, WarmStarts* warm,
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
  const compute::HeldOutOptimum end = held_out_optimum(*K_, fit, problem_.learn, first, folds, plan);
  out.mean = end.z;
  out.z = moderated(fit.likelihood, {out.mean.col(0), out.variance.col(0)});
  out.left = end.left.array().isInf().select(Vector::Constant(end.left.size(), unknown), end.left);
  return out;
}

compute::CriterionGradient GpCore::gradient(const GpFit& fit, const Folds& folds, const HeldOut& held,
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

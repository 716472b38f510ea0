// select/core.hpp -- the machine of a problem at one kernel, in the same words for all cores: the dual one on all rows
// (of a linear kernel by its columns, where they are few), the primal one on a basis, and Gaussian processes.
// Selection and the final fit are written once, over any of them.
#pragma once

#include "lacuna/loo/gradient.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/select/followed.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna {

/// Keeps a reference to the problem.
class DualCore {
 public:
  using Fit = const DualFit;
  static constexpr bool keeps_precisions = true;  ///< beta of every row belongs to the machine
  DualCore(const Problem& problem, const Kernel& kernel, compute::Use use);

  PartsResult for_each_part(const Prior& prior, compute::Want want, WarmStarts* warm,
                            const std::function<bool(const DualFit& fit, Index first)>& visit,
                            const IrlsOptions& options = {}) const;
  /// In closed form: exact for the squared loss, one Newton step for others. NaN: a machine without a fold was not
  /// positive definite.
  Matrix one_step(const DualFit& fit, const Folds& folds) const;
  /// For the outputs that a fit holds, `first` the first of them.
  HeldOut held_out(const DualFit& fit, Index first, const Folds& folds, const FollowPlan& plan = {}) const;
  /// Of the one output of an iterated loss, where refits would end.
  HeldOut followed(const DualFit& fit, Index first, const Folds& folds, const FollowPlan& plan = {}) const;
  /// Of a criterion with these derivatives in `held`, the outputs that held_out() gave in closed form, or with `keep`.
  compute::CriterionGradient gradient(const DualFit& fit, const Folds& folds, const HeldOut& held,
                                      const Matrix& d_output) const;
  Refits refit(const Prior& prior, const Folds& folds, const WarmStarts& full, const Observer& observer,
               const IrlsOptions& options = {}) const;
  Vector leverage(const DualFit& fit) const;
  /// Areas under the curve of pairs left out (loo/leave_pair_out.hpp); NaN where that is too much work.
  Vector pair_areas(const DualFit& fit, const Matrix& side) const;
  /// Coefficients in the kernel itself, and the biases, of these outputs.
  Matrix coefficients(const DualFit& fit) const;
  Vector bias(const DualFit& fit) const { return fit.b; }
  /// The rows of the expansion; none: all of the problem's with a coefficient.
  Rows expansion() const { return {}; }
  /// What the expansion adds up to, d x m, where the fit knows it better than its terms say; else empty.
  Matrix column_weights(const DualFit&) const { return {}; }

 private:
  const Problem& problem_;
  Kernel kernel_;
  std::shared_ptr<const compute::Gram> K_;
};

class PrimalCore {
 public:
  using Fit = PrimalFit;
  static constexpr bool keeps_precisions = false;
  PrimalCore(const Problem& problem, const Kernel& kernel, compute::Use use);

  PartsResult for_each_part(const Prior& prior, compute::Want want, WarmStarts* warm,
                            const std::function<bool(PrimalFit& fit, Index first)>& visit,
                            const IrlsOptions& options = {}) const;
  Matrix one_step(const PrimalFit& fit, const Folds& folds) const;
  HeldOut held_out(const PrimalFit& fit, Index first, const Folds& folds, const FollowPlan& plan = {}) const;
  /// Where there are many rows only those that one step moves are followed, and none where there are very many.
  HeldOut followed(const PrimalFit& fit, Index first, const Folds& folds, const FollowPlan& plan = {}) const;
  compute::CriterionGradient gradient(const PrimalFit& fit, const Folds& folds, const HeldOut& held,
                                      const Matrix& d_output) const;
  Refits refit(const Prior& prior, const Folds& folds, const WarmStarts& full, const Observer& observer,
               const IrlsOptions& options = {}) const;
  Vector leverage(const PrimalFit& fit) const;
  Vector pair_areas(const PrimalFit& fit, const Matrix& side) const;
  Matrix coefficients(const PrimalFit& fit) const;
  Vector bias(const PrimalFit& fit) const;
  Rows expansion() const { return features_->basis(); }
  Matrix column_weights(const PrimalFit&) const { return {}; }

 protected:
  PrimalCore(const Problem& problem, const Kernel& kernel, const RowsView& basis);

 private:
  HeldOut beyond_one_step(const PrimalFit& fit, Index first, const Folds& folds) const;

  const Problem& problem_;
  Kernel kernel_;
  std::shared_ptr<const compute::Features> features_;
};

/// The dual machine of a linear kernel by way of its columns. Its weights w = sum_i alpha_i x_i are one number for each
/// column, so that on the unit vectors as basis, with K_nn = I, the primal machine is the same one, whatever the rank
/// of the columns. Coefficients of the rows follow from what they ask of it: lambda alpha_i = pull_i (method 3). Where
/// lambda is small the terms alpha_i x_i are large and cancel, so that w keeps the digits that they lose.
class ColumnCore : public PrimalCore {
 public:
  static constexpr bool keeps_precisions = true;
  ColumnCore(const Problem& problem, const Kernel& kernel, compute::Use use);

  Matrix coefficients(const PrimalFit& fit) const { return fit.pull / fit.lambda; }
  Rows expansion() const { return {}; }
  Matrix column_weights(const PrimalFit& fit) const;
};

/// Outputs are moderated (machine/gp.hpp): one number for the Gaussian of a held-out row, with the probability that is
/// the average over it. They come from the approximate posterior, in which the sites of the other rows stay.
class GpCore {
 public:
  using Fit = const GpFit;
  static constexpr bool keeps_precisions = true;
  GpCore(const Problem& problem, const Kernel& kernel, compute::Use use);

  PartsResult for_each_part(const Prior& prior, compute::Want want, WarmStarts* warm,
                            const std::function<bool(const GpFit& fit, Index first)>& visit,
                            const IrlsOptions& options = {}) const;
  Matrix one_step(const GpFit& fit, const Folds& folds) const;
  HeldOut held_out(const GpFit& fit, Index first, const Folds& folds, const FollowPlan& plan = {}) const;
  /// Laplace's approximation: where the means of refits would end, with the variances of the closed form.
  HeldOut followed(const GpFit& fit, Index first, const Folds& folds, const FollowPlan& plan = {}) const;
  /// Of Laplace's approximation.
  compute::CriterionGradient gradient(const GpFit& fit, const Folds& folds, const HeldOut& held,
                                      const Matrix& d_output) const;
  Refits refit(const Prior& prior, const Folds& folds, const WarmStarts& full, const Observer& observer,
               const IrlsOptions& options = {}) const;
  Vector leverage(const GpFit& fit) const { return fit.leverage; }
  Vector pair_areas(const GpFit& fit, const Matrix& side) const;
  Matrix coefficients(const GpFit& fit) const { return fit.alpha; }
  Vector bias(const GpFit& fit) const { return Vector::Constant(1, fit.mean); }
  Rows expansion() const;  ///< variances need every row
  Matrix column_weights(const GpFit&) const { return {}; }

 private:
  const Problem& problem_;
  std::shared_ptr<const compute::Gram> K_;
};

/// Calls f with the core that the problem asks for.
template <class F>
auto with_core(const Problem& problem, const Kernel& kernel, compute::Use use, F&& f) {
  if (problem.inference) return f(GpCore(problem, kernel, use));
  if (problem.on_basis()) return f(PrimalCore(problem, kernel, use));
  return problem.in_columns(kernel) ? f(ColumnCore(problem, kernel, use)) : f(DualCore(problem, kernel, use));
}

}  // namespace lacuna

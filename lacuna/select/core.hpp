// select/core.hpp -- the machine of a problem at one kernel, in the same words for both cores: the dual one on all
// rows, and the primal one on a basis. Selection and the final fit are written once, over either.
#pragma once

#include "lacuna/loo/gradient.hpp"
#include "lacuna/loo/held_out_optimum.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna {

/// Held-out outputs of one partition, a column for each output.
struct HeldOut {
  Matrix z;     ///< NaN: a machine without one of the folds was not positive definite
  Matrix left;  ///< how far each may be from a refit. Empty: they are exact, or nobody looked. NaN: nobody looked at
                ///< this one
};

/// Keeps a reference to the problem.
class DualCore {
 public:
  using Fit = const DualFit;
  DualCore(const Problem& problem, const Kernel& kernel, Use use);

  PartsResult for_each_part(double lambda, Want want, WarmStarts* warm,
                            const std::function<bool(const DualFit& fit, Index first)>& visit,
                            const IrlsOptions& options = {}) const;
  /// In closed form: exact for the squared loss, one Newton step for others. NaN: a machine without a fold was not
  /// positive definite.
  Matrix one_step(const DualFit& fit, const Folds& folds) const;
  /// For the outputs that a fit holds, `first` the first of them.
  HeldOut held_out(const DualFit& fit, Index first, const Folds& folds, const FollowOptions& follow = {}) const;
  /// Of the one output of an iterated loss, where refits would end.
  HeldOut followed(const DualFit& fit, Index first, const Folds& folds, const FollowOptions& follow = {}) const;
  CriterionGradient gradient(const DualFit& fit, const Folds& folds, const Matrix& d_output) const;
  Refits refit(double lambda, const Folds& folds, const WarmStarts& full, const Observer& observer,
               const IrlsOptions& options = {}) const;
  Vector leverage(const DualFit& fit) const;
  /// Areas under the curve of pairs left out (loo/leave_pair_out.hpp); NaN where that is too much work.
  Vector pair_areas(const DualFit& fit, const Matrix& side) const;
  /// Coefficients in the kernel itself, and the biases, of these outputs.
  Matrix coefficients(const DualFit& fit) const;
  Vector bias(const DualFit& fit) const { return fit.b; }

 private:
  const Problem& problem_;
  Kernel kernel_;
  std::shared_ptr<const Gram> K_;
};

class PrimalCore {
 public:
  using Fit = PrimalFit;
  PrimalCore(const Problem& problem, const Kernel& kernel, Use use);

  PartsResult for_each_part(double lambda, Want want, WarmStarts* warm,
                            const std::function<bool(PrimalFit& fit, Index first)>& visit,
                            const IrlsOptions& options = {}) const;
  Matrix one_step(const PrimalFit& fit, const Folds& folds) const;
  HeldOut held_out(const PrimalFit& fit, Index first, const Folds& folds, const FollowOptions& follow = {}) const;
  /// Where there are many rows only those that one step moves are followed, and none where there are very many.
  HeldOut followed(const PrimalFit& fit, Index first, const Folds& folds, const FollowOptions& follow = {}) const;
  CriterionGradient gradient(const PrimalFit& fit, const Folds& folds, const Matrix& d_output) const;
  Refits refit(double lambda, const Folds& folds, const WarmStarts& full, const Observer& observer,
               const IrlsOptions& options = {}) const;
  Vector leverage(const PrimalFit& fit) const;
  Vector pair_areas(const PrimalFit& fit, const Matrix& side) const;
  Matrix coefficients(const PrimalFit& fit) const;
  Vector bias(const PrimalFit& fit) const;
  const Features& features() const { return *features_; }

 private:
  HeldOut beyond_one_step(const PrimalFit& fit, Index first, const Folds& folds) const;

  const Problem& problem_;
  Kernel kernel_;
  std::shared_ptr<const Features> features_;
};

/// Calls f with the core that the problem asks for.
template <class F>
auto with_core(const Problem& problem, const Kernel& kernel, Use use, F&& f) {
  return problem.on_basis() ? f(PrimalCore(problem, kernel, use)) : f(DualCore(problem, kernel, use));
}

}  // namespace lacuna

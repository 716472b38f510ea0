#include "lacuna/select/core.hpp"

#include <limits>

#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/leave_pair_out.hpp"
#include "lacuna/loo/line_search_out.hpp"
#include "lacuna/loo/primal_beyond.hpp"
#include "lacuna/loo/primal_gradient.hpp"
#include "lacuna/loo/primal_pair_out.hpp"
#include "lacuna/loo/second_step.hpp"
#include "lacuna/machine/penalty.hpp"

namespace lacuna {

DualCore::DualCore(const Problem& problem, const Kernel& kernel, Use use)
    : problem_(problem), kernel_(kernel), use_(use) {}

const Gram& DualCore::K() const {
  if (!K_) K_ = dual_gram(*problem_.backend, kernel_, problem_.X.view(), problem_.learn, use_);
  return *K_;
}

PartsResult DualCore::for_each_part(double lambda, Want want, WarmStarts* warm,
                                    const std::function<bool(const DualFit& fit, Index first)>& visit,
                                    const IrlsOptions& options) const {
  return lacuna::for_each_part(K(), problem_.learn, lambda, want, warm, visit, options);
}

Matrix DualCore::held_out(const DualFit& fit, Index first, const Folds& folds) const {
  if (!folds.empty()) return leave_fold_out(K(), fit, folds);
  if (problem_.line_search) return leave_one_out_along_line(fit, problem_.learn, first);
  return leave_one_out(fit, Q_diagonal(fit));
}

CriterionGradient DualCore::gradient(const DualFit& fit, const Folds& folds, const Matrix& d_output) const {
  return criterion_gradient(K(), fit, folds, d_output);
}

Refits DualCore::refit(double lambda, const Folds& folds, const WarmStarts& full, const Observer& observer,
                       const IrlsOptions& options) const {
  const Backend& backend = *problem_.backend;
  if (problem_.learn.penalty == Penalty::norm)
    return refit_held_out(backend, K(), problem_.learn, lambda, folds, full, observer, options);
  const RowsView& X = problem_.X.view();
  return refit_on_all_columns(backend, backend.cross(kernel_, X, X), problem_.learn, lambda, folds, observer);
}

Vector DualCore::leverage(const DualFit& fit) const { return lacuna::leverage(fit, Q_diagonal(fit)); }

Vector DualCore::miss(const DualFit& fit, Index first, const Matrix& held_out) const {
  if (problem_.line_search) return held_out.col(0) - leave_one_out(fit, Q_diagonal(fit)).col(0);
  return second_step(fit, problem_.learn, first);
}

double DualCore::pair_auc(const DualFit& fit, Index column, const std::vector<bool>& positive,
                          const Vector& weights) const {
  return leave_pair_out_auc(K(), fit, column, positive, weights);
}

Matrix DualCore::coefficients(const DualFit& fit) const {
  return expansion(*problem_.backend, kernel_, problem_.X.view(), problem_.learn, fit.alpha);
}

PrimalCore::PrimalCore(const Problem& problem, const Kernel& kernel, Use)
    : problem_(problem), features_(problem.backend->features(kernel, problem.basis, problem.X.rows())) {}

PartsResult PrimalCore::for_each_part(double lambda, Want want, WarmStarts* warm,
                                      const std::function<bool(PrimalFit& fit, Index first)>& visit,
                                      const IrlsOptions& options) const {
  return lacuna::for_each_part(features_, problem_.X, problem_.learn, lambda, want, warm, visit, options);
}

Matrix PrimalCore::held_out(const PrimalFit& fit, Index first, const Folds& folds) const {
  if (folds.empty() && problem_.line_search)
    return leave_one_out_along_line(*problem_.backend, fit, problem_.X, problem_.learn, first,
                                    rows_that_move(fit, problem_.learn.loss));
  if (folds.empty()) return leave_one_out(fit);
  Matrix z = leave_fold_out(*problem_.backend, problem_.X, fit, folds);
  if (z.size() == 0) z.setConstant(fit.z.rows(), fit.z.cols(), std::numeric_limits<double>::quiet_NaN());
  return z;
}

CriterionGradient PrimalCore::gradient(const PrimalFit& fit, const Folds& folds, const Matrix& d_output) const {
  return criterion_gradient(*problem_.backend, problem_.X, fit, folds, d_output);
}

Refits PrimalCore::refit(double lambda, const Folds& folds, const WarmStarts& full, const Observer& observer,
                         const IrlsOptions& options) const {
  return refit_held_out(features_, problem_.X, problem_.learn, lambda, folds, full, observer, options);
}

Vector PrimalCore::leverage(const PrimalFit& fit) const { return lacuna::leverage(fit); }

Vector PrimalCore::miss(const PrimalFit& fit, Index first, const Matrix& held_out) const {
  if (problem_.line_search) return held_out.col(0) - leave_one_out(fit).col(0);
  const std::vector<Index> rows = rows_that_move(fit, problem_.learn.loss);
  const Vector dz = second_step(*problem_.backend, fit, problem_.X, problem_.learn, first, rows);
  Vector out = (fit.beta.array() > 0.0).select(Vector::Constant(fit.beta.size(), std::nan("")), 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) out[rows[k]] = dz[Index(k)];
  return out;
}

double PrimalCore::pair_auc(const PrimalFit& fit, Index column, const std::vector<bool>& positive,
                            const Vector& weights) const {
  return leave_pair_out_auc(*problem_.backend, problem_.X, fit, column, positive, weights);
}

Matrix PrimalCore::coefficients(const PrimalFit& fit) const {
  const Matrix all = fit.coefficients();
  return all.topRows(all.rows() - 1);
}
Vector PrimalCore::bias(const PrimalFit& fit) const { return fit.coefficients().bottomRows(1).transpose(); }

}  // namespace lacuna

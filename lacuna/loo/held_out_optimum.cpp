#include "lacuna/loo/held_out_optimum.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lacuna {
namespace {

constexpr double floor_of_beta = 0.5;  // times lambda/K_jj, shared out among all rows

compute::HeldOutOptimum nowhere(const Vector& z, const Folds& folds) {
  compute::HeldOutOptimum out{z, Vector::Constant(z.size(), std::numeric_limits<double>::infinity()), {}};
  out.unfinished.resize(folds.empty() ? std::size_t(z.size()) : folds.size());
  std::iota(out.unfinished.begin(), out.unfinished.end(), std::size_t(0));
  return out;
}

// Weights of the factor: rows that hardly count with all the data have a floor, no higher than what rows have on
// average. Both are shares of the weights, so that k copies of a row are one of weight k here too.
Vector with_floor(const Vector& beta, double lambda, const Vector& zeta, const Vector& self) {
  const double total = zeta.sum(), mean = beta.sum() / total;
  const double least_self = 1e-3 * self.dot(zeta) / total;  // a row at the origin of a linear kernel has none
  Vector out = beta;
  for (Index j = 0; j < out.size(); ++j) {
    const double floor = std::min(mean, floor_of_beta / total * lambda / std::max(self[j], least_self));
    out[j] = std::max(out[j], floor * zeta[j]);
  }
  return out;
}

// The machines live no longer than the factor they were made with.
template <class F>
void keep_alive(compute::HeldOutOptimum& out, F factor) {
  if (!out.machines) return;
  struct Both {
    F factor;
    std::shared_ptr<const compute::HeldOutMachines> machines;
  };
  const auto both = std::make_shared<Both>(Both{std::move(factor), std::move(out.machines)});
  out.machines = {both, both->machines.get()};
}

}  // namespace

compute::HeldOutOptimum held_out_optimum(const compute::Gram& K, const DualFit& fit, const Supervision& learn,
                                         Index column, const Folds& folds, const compute::FollowOptions& options) {
  const Vector self = K.diagonal(), beta = with_floor(fit.beta, fit.lambda, learn.zeta, self);
  const auto follow = [&](const DualFit& by) {
    return by.factor->follow(
        {learn, column, folds, options, fit.lambda, self, beta, fit.alpha.col(0), fit.z.col(0), by.xi});
  };
  if (beta == fit.beta) return follow(fit);
  DualFit floored = solve_dual(K, beta, Matrix::Zero(beta.size(), 1), fit.lambda, compute::Want::inverse);
  if (!floored.usable()) return nowhere(fit.z.col(0), folds);
  compute::HeldOutOptimum out = follow(floored);
  keep_alive(out, std::move(floored.factor));
  return out;
}

compute::HeldOutOptimum held_out_optimum(const compute::Gram& K, const GpFit& fit, const Supervision& learn,
                                         Index column, const Folds& folds, const compute::FollowOptions& options) {
  const Vector self = K.diagonal(), beta = with_floor(fit.beta, fit.lambda, learn.zeta, self);
  const auto factor = K.factor(beta, fit.lambda, compute::Want::solve);
  if (!factor) return nowhere(fit.z, folds);
  return factor->follow({learn, column, folds, options, fit.lambda, self, beta, fit.alpha, fit.z});
}

compute::HeldOutOptimum held_out_optimum(const PrimalFit& fit, const RowSource& X, const Vector& self,
                                         const Supervision& learn, Index column, const Folds& folds,
                                         const compute::FollowOptions& options) {
  const Vector beta = with_floor(fit.beta, fit.lambda, learn.zeta, self);
  PrimalFit floored =
      solve_primal(fit.features, X, beta, Matrix::Zero(fit.z.rows(), 1), fit.lambda, compute::Want::solve);
  if (!floored.usable()) return nowhere(fit.z.col(0), folds);
  compute::HeldOutOptimum out = floored.factor->follow(
      X, {learn, column, folds, options, fit.lambda, self, beta, fit.pull.col(0) / fit.lambda, fit.z.col(0)});
  keep_alive(out, std::move(floored.factor));
  return out;
}

}  // namespace lacuna

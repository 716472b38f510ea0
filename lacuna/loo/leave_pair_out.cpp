#include "lacuna/loo/leave_pair_out.hpp"

#include <limits>
#include <numbers>

#include "lacuna/loo/gp_held_out.hpp"
#include "lacuna/loo/primal_held_out.hpp"

namespace lacuna {
namespace {

constexpr Index most_rows_on_a_basis = 5000;

Vector nothing(const Matrix& side) { return Vector::Constant(side.cols(), std::numeric_limits<double>::quiet_NaN()); }

// For each column, where outputs are differences of these.
Vector ties(const Matrix& a, const Matrix& b) {
  const Vector width = 1e-12 * a.cwiseAbs().cwiseMax(b.cwiseAbs()).colwise().maxCoeff().transpose();
  return width.array().isFinite().select(width, 0.0);
}

}  // namespace

Vector leave_pair_out_auc(const DualFit& fit, const Matrix& side) {
  if ((fit.beta.array() > 0.0).count() < 3 || !(side.array() != 0.0).any()) return nothing(side);
  return fit.factor->pair_areas(
      {.pairs = {side, ties(fit.eta, fit.eta)}, .alpha = fit.alpha, .z = fit.z, .eta = fit.eta, .xi = fit.xi});
}

Vector leave_pair_out_auc(const RowSource& X, const PrimalFit& fit, const Matrix& side) {
  if (X.rows() > most_rows_on_a_basis) return nothing(side);
  return fit.factor->pair_areas(X, fit, {side, ties(fit.z, leave_one_out(fit) - fit.z)});
}

Vector leave_pair_out_auc(const compute::Gram& K, const GpFit& fit, const Matrix& side) {
  const Vector v = held_out_latent(K, fit).variance;
  const auto* probit = std::get_if<losses::Probit>(&fit.likelihood);
  return fit.factor->pair_areas({.pairs = {side, ties(fit.z, fit.lambda * fit.alpha.cwiseProduct(v))},
                                 .alpha = fit.alpha,
                                 .z = fit.z,
                                 .variance = v.array() / (1.0 + fit.beta.array() * v.array()),
                                 .spread = probit != nullptr ? probit->s * probit->s : std::numbers::pi / 8.0});
}

}  // namespace lacuna

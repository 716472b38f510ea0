#include "lacuna/machine/primal.hpp"

#include <cmath>

namespace lacuna {

PrimalFit solve_primal(std::shared_ptr<const compute::Features> features, const RowSource& X, const Vector& beta,
                       const Matrix& eta, double lambda, compute::Want want) {
  PrimalFit fit;
  fit.features = std::move(features);
  fit.lambda = lambda;
  fit.beta = beta;
  // A constant added to eta only moves the bias: taking the mean out first keeps the digits.
  const Eigen::RowVectorXd centre = (beta.transpose() * eta) / beta.sum();
  const Matrix zero = Matrix::Zero(fit.features->size(), eta.cols());
  const auto sums = fit.features->normal(X, zero, [&](Index first, const Matrix& z, Vector& b, Matrix& R) {
    b = beta.segment(first, z.rows());
    R = b.asDiagonal() * (eta.middleRows(first, z.rows()).rowwise() - centre);
  });
  fit.factor = sums->factor(lambda);
  if (fit.usable()) {
    fit.p = fit.factor->solve(sums->right());
    fit.p.bottomRows(1) += centre;
  } else {
    compute::Rotated rotated = fit.features->by_rotations(X, beta, eta, lambda, {});
    if (!rotated.factor) return fit;
    fit.factor = std::move(rotated.factor);
    fit.p = std::move(rotated.p);
    fit.by_rotations = true;
  }
  finish_primal(fit, X, want);
  fit.pull = beta.asDiagonal() * (eta - fit.z);
  if (want == compute::Want::inverse) settle_primal(fit, X, [&] { return eta; });
  return fit;
}

void settle_primal(PrimalFit& fit, const RowSource& X, const std::function<Matrix()>& eta) {
  fit.rest = 1.0 - leverage(fit).array();
  std::vector<Index> alone;
  for (Index i = 0; i < X.rows(); ++i)
    if (fit.beta[i] > 0.0 && !(fit.rest[i] >= compute::least_rest)) alone.push_back(i);
  if (alone.empty()) return;
  const Matrix working = eta();
  compute::Rotated rotated = fit.features->by_rotations(X, fit.beta, working, fit.lambda, alone);
  if (!rotated.factor) return;  // the sums are all there is
  if (!fit.by_rotations) {
    fit.factor = std::move(rotated.factor);
    fit.p = std::move(rotated.p);
    fit.by_rotations = true;
    finish_primal(fit, X, compute::Want::inverse);
    fit.pull = fit.beta.asDiagonal() * (working - fit.z);
    fit.rest = 1.0 - leverage(fit).array();
  }
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const Index i = alone[k];
    const double tau = rotated.variance[Index(k)], rest = 1.0 / (1.0 + fit.beta[i] * tau);
    if (std::isnan(tau)) continue;
    fit.rest[i] = rest;
    fit.variance[i] = tau * rest;
    fit.pull.row(i) = (fit.beta[i] * rest) * (working.row(i) - rotated.z.row(Index(k)));
    fit.z.row(i) = working.row(i) - fit.pull.row(i) / fit.beta[i];
  }
}

void finish_primal(PrimalFit& fit, const RowSource& X, compute::Want want) {
  if (want == compute::Want::solve) {
    fit.z = fit.features->outputs(X, fit.p);
    return;
  }
  compute::RowMoments at = fit.factor->moments(X, fit.p);
  fit.z = std::move(at.z);
  fit.variance = std::move(at.variance);
}

}  // namespace lacuna

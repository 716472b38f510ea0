#include "lacuna/machine/primal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace lacuna {
namespace {

// The largest term of a sum is rounded, and what the other rows and lambda P0 say is as much off. Of the coefficients
// that is eps max(beta) |p|/(lambda + mu) in a direction of eigenvalue mu of Z'WZ, which moves the output of a row by
// sqrt(mu/beta_i) of it: at most by eps max(beta) |p|/(2 sqrt(lambda beta_i)), with |p|^2 = p'P0 p and kernel values
// about 1. Whether that could be seen in the outputs of half the rows.
bool drowns(const PrimalFit& fit) {
  constexpr double seen = 1e-8;  // of their range
  std::vector<double> weight;
  for (const double b : fit.beta)
    if (b > 0.0) weight.push_back(b);
  if (weight.empty()) return false;
  const auto middle = weight.begin() + std::ptrdiff_t(weight.size() / 2);
  std::ranges::nth_element(weight, middle);
  const double rounding =
      std::numeric_limits<double>::epsilon() * fit.beta.maxCoeff() / (2.0 * std::sqrt(fit.lambda) * std::sqrt(*middle));
  const Matrix penalised = fit.features->penalise(fit.p);
  for (Index c = 0; c < fit.p.cols(); ++c) {
    const double norm = std::sqrt(std::max(0.0, fit.p.col(c).dot(penalised.col(c))));
    if (rounding * norm > seen * (fit.z.col(c).maxCoeff() - fit.z.col(c).minCoeff())) return true;
  }
  return false;
}

// The same fit by orthogonal transformations, in which no square is summed, and the machines without each of the rows
// `alone`. Nothing, and `fit` as it was, where they cannot make it either.
std::optional<compute::Rotated> rotate(PrimalFit& fit, const RowSource& X, const Matrix& eta,
                                       const std::vector<Index>& alone, compute::Want want) {
  compute::Rotated rotated = fit.features->by_rotations(X, fit.beta, eta, fit.lambda, alone);
  if (!rotated.factor) return {};
  if (fit.by_rotations) return rotated;
  fit.factor = std::move(rotated.factor);
  fit.p = rotated.p;
  fit.by_rotations = true;
  finish_primal(fit, X, want);
  fit.pull = fit.beta.asDiagonal() * (eta - fit.z);
  return rotated;
}

}  // namespace

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
  if (!fit.usable()) {
    rotate(fit, X, eta, {}, want);
    if (!fit.usable()) return fit;
  } else {
    fit.p = fit.factor->solve(sums->right());
    fit.p.bottomRows(1) += centre;
    finish_primal(fit, X, want);
    fit.pull = beta.asDiagonal() * (eta - fit.z);
    if (want == compute::Want::solve && drowns(fit)) rotate(fit, X, eta, {}, want);
  }
  if (want == compute::Want::inverse) settle_primal(fit, X, [&] { return eta; });
  return fit;
}

void settle_primal(PrimalFit& fit, const RowSource& X, const std::function<Matrix()>& eta) {
  fit.rest = 1.0 - leverage(fit).array();
  std::vector<Index> alone;
  for (Index i = 0; i < X.rows(); ++i)
    if (fit.beta[i] > 0.0 && !(fit.rest[i] >= compute::least_rest)) alone.push_back(i);
  if (alone.empty() && (fit.by_rotations || !drowns(fit))) return;
  const Matrix working = eta();
  const auto rotated = rotate(fit, X, working, alone, compute::Want::inverse);
  if (!rotated) return;  // the sums are all there is
  fit.rest = 1.0 - leverage(fit).array();
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const Index i = alone[k];
    const double tau = rotated->variance[Index(k)], rest = 1.0 / (1.0 + fit.beta[i] * tau);
    if (std::isnan(tau)) continue;
    fit.rest[i] = rest;
    fit.variance[i] = tau * rest;
    fit.pull.row(i) = (fit.beta[i] * rest) * (working.row(i) - rotated->z.row(Index(k)));
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

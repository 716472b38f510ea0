#include "lacuna/machine/primal.hpp"

#include <algorithm>

#include "lacuna/compute/lanes.hpp"
#include "lacuna/machine/triangle.hpp"

namespace lacuna {
namespace {

// The factor and p anew; false: singular all the same.
bool solve_by_rotations(PrimalFit& fit, const RowSource& X, const Matrix& eta) {
  std::vector<Index> rows;
  for (Index i = 0; i < X.rows(); ++i)
    if (fit.beta[i] > 0.0) rows.push_back(i);
  Triangle all(*fit.features, fit.lambda, eta.cols());
  all.add(X, rows, fit.beta, eta);
  if (!all.usable()) return false;
  fit.factor = fit.features->known_factor(all.lower());
  fit.p = all.solution();
  fit.by_rotations = true;
  return true;
}

Index block_count(const RowSource& X) { return (X.rows() + kBlockRows - 1) / kBlockRows; }

}  // namespace

Index row_lanes(const RowSource& X, Index features) { return lanes_for(features, block_count(X)); }

Index over_rows(const RowSource& X, Index features,
                const std::function<void(Index lane, Index first, const RowsView&)>& body) {
  const Index lanes = row_lanes(X, features);
  in_lanes(lanes, block_count(X), [&](Index lane, Index block) {
    const Index first = block * kBlockRows;
    const RowSource::Block rows = X.block(first, std::min(kBlockRows, X.rows() - first));
    body(lane, first, rows);
  });
  return lanes;
}

Normal normal_equations(const Features& features, const RowSource& X, const Matrix& p,
                        const std::function<void(Index first, const Matrix& z, Vector& beta, Matrix& R)>& reweigh) {
  std::vector<Normal> part(std::size_t(row_lanes(X, features.size())));
  over_rows(X, features.size(), [&](Index lane, Index first, const RowsView& rows) {
    const auto of_block = [&](const Matrix& z, Vector& beta, Matrix& R) { reweigh(first, z, beta, R); };
    features.accumulate(rows, p, of_block, part[std::size_t(lane)]);
  });
  for (std::size_t k = 1; k < part.size(); ++k) {
    part[0].ZWZ += part[k].ZWZ;
    part[0].right += part[k].right;
  }
  return std::move(part[0]);
}

PrimalFit solve_primal(std::shared_ptr<const Features> features, const RowSource& X, const Vector& beta,
                       const Matrix& eta, double lambda, Want want) {
  PrimalFit fit;
  fit.features = std::move(features);
  fit.lambda = lambda;
  fit.beta = beta;
  // A constant added to eta only moves the bias: taking the mean out first keeps the digits.
  const Eigen::RowVectorXd centre = (beta.transpose() * eta) / beta.sum();
  const Matrix zero = Matrix::Zero(fit.features->size(), eta.cols());
  Normal sums = normal_equations(*fit.features, X, zero, [&](Index first, const Matrix& z, Vector& b, Matrix& R) {
    b = beta.segment(first, z.rows());
    R = b.asDiagonal() * (eta.middleRows(first, z.rows()).rowwise() - centre);
  });
  fit.factor = fit.features->factor(sums.ZWZ, lambda);
  if (fit.usable()) {
    fit.ZWZ = std::move(sums.ZWZ);
    fit.p = fit.factor->solve(sums.right);
    fit.p.bottomRows(1) += centre;
  } else if (!solve_by_rotations(fit, X, eta)) {
    return fit;
  }
  finish_primal(fit, X, want);
  fit.pull = beta.asDiagonal() * (eta - fit.z);
  if (want == Want::inverse) settle_primal(fit, X, [&] { return eta; });
  return fit;
}

Matrix PrimalFit::eta() const {
  Matrix out = z;
  for (Index i = 0; i < out.rows(); ++i)
    if (beta[i] > 0.0) out.row(i) += pull.row(i) / beta[i];
  return out;
}

void settle_primal(PrimalFit& fit, const RowSource& X, const std::function<Matrix()>& eta) {
  fit.rest = 1.0 - leverage(fit).array();
  Folds alone;
  for (Index i = 0; i < X.rows(); ++i)
    if (fit.beta[i] > 0.0 && !(fit.rest[i] >= least_rest)) alone.push_back({i});
  if (alone.empty()) return;
  const Matrix working = eta();
  if (!fit.by_rotations) {
    if (!solve_by_rotations(fit, X, working)) return;  // the sums are all there is
    finish_primal(fit, X, Want::inverse);
    fit.pull = fit.beta.asDiagonal() * (working - fit.z);
    fit.rest = 1.0 - leverage(fit).array();
  }
  for_each_left_out(*fit.features, X, fit.beta, working, fit.lambda, alone,
                    [&](std::size_t k, const Triangle& without) {
                      const Index i = alone[k][0];
                      if (!without.usable()) return;
                      const RowSource::Block row = X.take(alone[k]);
                      const double tau = without.half(row).squaredNorm(), rest = 1.0 / (1.0 + fit.beta[i] * tau);
                      fit.rest[i] = rest;
                      fit.variance[i] = tau * rest;
                      fit.pull.row(i) = (fit.beta[i] * rest) * (working.row(i) - without.outputs(row));
                      fit.z.row(i) = working.row(i) - fit.pull.row(i) / fit.beta[i];
                    });
}

void finish_primal(PrimalFit& fit, const RowSource& X, Want want) {
  const Index l = X.rows();
  fit.z.resize(l, fit.p.cols());
  if (want == Want::inverse) fit.variance.resize(l);
  const Matrix rotated = fit.factor->rotate(fit.p).transpose();
  over_rows(X, fit.features->size(), [&](Index, Index first, const RowsView& rows) {
    if (want == Want::solve) {
      fit.z.middleRows(first, rows.rows()) = fit.features->outputs(rows, fit.p);
      return;
    }
    const Matrix V = fit.factor->rows(rows);
    fit.z.middleRows(first, rows.rows()) = (rotated * V).transpose();
    fit.variance.segment(first, rows.rows()) = V.colwise().squaredNorm().transpose();
  });
}

}  // namespace lacuna

#include "lacuna/machine/primal.hpp"

#include <algorithm>

#include "lacuna/compute/lanes.hpp"

namespace lacuna {
namespace {

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
  if (!fit.usable()) return fit;
  fit.ZWZ = std::move(sums.ZWZ);
  fit.p = fit.factor->solve(sums.right);
  fit.p.bottomRows(1) += centre;
  finish_primal(fit, X, want);
  fit.pull = beta.asDiagonal() * (eta - fit.z);
  return fit;
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

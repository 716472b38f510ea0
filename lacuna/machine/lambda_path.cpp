#include "lacuna/machine/lambda_path.hpp"

#include <numeric>

namespace lacuna {

LambdaPath::LambdaPath(const Gram& K, const Vector& weights, Matrix targets)
    : weights_(weights), d_(weights.cwiseSqrt()), targets_(std::move(targets)), spectrum_(K.spectrum(d_)) {
  centre_ = (weights_.transpose() * targets_).transpose() / weights_.sum();
  u_one_ = spectrum_.U.transpose() * d_;
  u_target_ = spectrum_.U.transpose() * (d_.asDiagonal() * (targets_.rowwise() - centre_.transpose()));
  for (Index i = 0; i < weights_.size(); ++i)
    if (weights_[i] == 0.0) out_rows_.push_back(i);
  std::vector<Index> all(std::size_t(K.size()));
  std::iota(all.begin(), all.end(), Index(0));
  K_out_ = K.block(out_rows_, all);
}

PathPoint LambdaPath::at(double lambda) const {
  const Vector g = (spectrum_.omega.array().max(0.0) + lambda).inverse();
  const Vector xi = d_.asDiagonal() * (spectrum_.U * g.cwiseProduct(u_one_));
  const double one_xi = xi.sum();
  const Matrix nu = d_.asDiagonal() * (spectrum_.U * (g.asDiagonal() * u_target_));

  PathPoint p;
  const Vector b = nu.colwise().sum().transpose() / one_xi;
  p.alpha = nu - xi * b.transpose();
  p.b = b + centre_;
  p.Q_ii = weights_.cwiseProduct(spectrum_.U.cwiseAbs2() * g) - xi.cwiseAbs2() / one_xi;
  p.z.resize(targets_.rows(), targets_.cols());
  p.held_out.resize(targets_.rows(), targets_.cols());
  for (Index i = 0; i < targets_.rows(); ++i) {
    if (weights_[i] == 0.0) continue;
    p.z.row(i) = targets_.row(i) - (lambda / weights_[i]) * p.alpha.row(i);
    p.held_out.row(i) = targets_.row(i) - p.alpha.row(i) / p.Q_ii[i];
  }
  const Matrix z_out = K_out_ * p.alpha;
  for (std::size_t k = 0; k < out_rows_.size(); ++k) {
    p.z.row(out_rows_[k]) = z_out.row(Index(k)) + p.b.transpose();
    p.held_out.row(out_rows_[k]) = p.z.row(out_rows_[k]);
  }
  return p;
}

}  // namespace lacuna

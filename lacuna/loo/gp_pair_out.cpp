#include "lacuna/loo/gp_pair_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "lacuna/compute/parallel.hpp"

namespace lacuna {

double leave_pair_out_auc(const Gram& K, const GpFit& fit, const std::vector<bool>& positive, const Vector& weights) {
  const Index l = K.size();
  std::vector<Index> up, down, all(static_cast<std::size_t>(l));
  std::iota(all.begin(), all.end(), Index(0));
  for (const Index i : all)
    if (weights.size() == 0 || weights[i] > 0.0) (positive[std::size_t(i)] ? up : down).push_back(i);
  if (up.empty() || down.empty()) return std::numeric_limits<double>::quiet_NaN();

  const Matrix k_down = K.block(all, down);
  const Matrix k_up = K.block(up, all), solved = fit.factor->solve(k_down);
  Matrix S = K.block(up, down);
  parallel_ranges(S.cols(), 64, [&](Index first, Index last) {
    auto some = S.middleCols(first, last - first);
    some.noalias() -= k_up * solved.middleCols(first, last - first);
    some /= fit.lambda;
  });
  const Vector v = held_out_latent(K, fit).variance;
  const Vector own = v.array() / (1.0 + fit.beta.array() * v.array());  // S_ii
  const Vector a = fit.lambda * fit.alpha;
  const auto* probit = std::get_if<Probit>(&fit.likelihood);
  const double c = probit != nullptr ? probit->s * probit->s : std::numbers::pi / 8.0;

  const double tie = 1e-12 * fit.z.cwiseAbs().maxCoeff();  // what differs by rounding only
  Vector won = Vector::Zero(Index(up.size())), total = won;
  const Index pairs = Index(up.size()) * Index(down.size());
  parallel_ranges(Index(up.size()), pairs > 100000 ? 8 : Index(up.size()), [&](Index first, Index last) {
    for (Index p = first; p < last; ++p)
      for (std::size_t q = 0; q < down.size(); ++q) {
        const Index i = up[std::size_t(p)], j = down[q];
        const double s = S(p, Index(q)), left_i = 1.0 - fit.beta[i] * own[i], left_j = 1.0 - fit.beta[j] * own[j];
        const double determinant = left_i * left_j - fit.beta[i] * fit.beta[j] * s * s;
        const double V_ii = (own[i] * left_j + fit.beta[j] * s * s) / determinant;
        const double V_jj = (own[j] * left_i + fit.beta[i] * s * s) / determinant, V_ij = s / determinant;
        const double z_i = (fit.z[i] - V_ii * a[i] - V_ij * a[j]) / std::sqrt(1.0 + c * std::max(0.0, V_ii));
        const double z_j = (fit.z[j] - V_jj * a[j] - V_ij * a[i]) / std::sqrt(1.0 + c * std::max(0.0, V_jj));
        const double w = weights.size() == 0 ? 1.0 : weights[i] * weights[j];
        won[p] += w * (z_i > z_j + tie ? 1.0 : z_i < z_j - tie ? 0.0 : 0.5);
        total[p] += w;
      }
  });
  return won.sum() / total.sum();
}

}  // namespace lacuna

#include "lacuna/loo/leave_pair_out.hpp"

#include <limits>
#include <numeric>

#include "lacuna/compute/parallel.hpp"

namespace lacuna {

double leave_pair_out_auc(const Gram& K, const DualFit& fit, Index column, const std::vector<bool>& positive,
                          const Vector& weights) {
  const Index l = fit.z.rows();
  std::vector<Index> up, down, out;
  Index in = 0;
  for (Index i = 0; i < l; ++i) {
    if (weights.size() == 0 || weights[i] > 0.0) (positive[std::size_t(i)] ? up : down).push_back(i);
    if (fit.in_system(i))
      ++in;
    else
      out.push_back(i);
  }
  if (up.empty() || down.empty() || in < 3) return std::numeric_limits<double>::quiet_NaN();

  const Matrix Q = full_Q(fit);
  const Vector alpha = fit.alpha.col(column);
  // Rows never seen: output z_i moves by (k_i' Q_:j + xi_j/1'xi) e_j when row j leaves.
  Matrix reach(l, Index(out.size()));
  std::vector<Index> place(std::size_t(l), -1);
  if (!out.empty()) {
    std::vector<Index> all(static_cast<std::size_t>(l));
    std::iota(all.begin(), all.end(), Index(0));
    reach = Q * K.block(all, out);
    reach.colwise() += fit.xi / fit.one_xi;
    for (std::size_t k = 0; k < out.size(); ++k) place[std::size_t(out[k])] = Index(k);
  }
  // z_i + lambda alpha_i / beta_i = eta_i for the rows in the system.
  const auto output = [&](Index i, Index j) {  // of row i when i and j are left out
    const bool i_in = fit.in_system(i), j_in = fit.in_system(j);
    if (!i_in) return j_in ? fit.z(i, column) - reach(j, place[std::size_t(i)]) * alpha[j] / Q(j, j) : fit.z(i, column);
    if (!j_in) return fit.eta(i, column) - alpha[i] / Q(i, i);
    const double determinant = Q(i, i) * Q(j, j) - Q(i, j) * Q(i, j);
    return fit.eta(i, column) - (Q(j, j) * alpha[i] - Q(i, j) * alpha[j]) / determinant;
  };

  // Outputs that differ by rounding only are ties: a machine without skill must score one half.
  const double tie = 1e-12 * fit.eta.col(column).cwiseAbs().maxCoeff();
  Vector won = Vector::Zero(Index(up.size())), total = won;
  const Index pairs = Index(up.size()) * Index(down.size());
  parallel_ranges(Index(up.size()), pairs > 100000 ? 8 : Index(up.size()), [&](Index first, Index last) {
    for (Index p = first; p < last; ++p)
      for (const Index j : down) {
        const Index i = up[std::size_t(p)];
        const double zi = output(i, j), zj = output(j, i);
        const double w = weights.size() == 0 ? 1.0 : weights[i] * weights[j];
        won[p] += w * (zi > zj + tie ? 1.0 : zi < zj - tie ? 0.0 : 0.5);
        total[p] += w;
      }
  });
  return won.sum() / total.sum();
}

}  // namespace lacuna

#include "lacuna/loo/primal_pair_out.hpp"

#include <limits>

namespace lacuna {

double leave_pair_out_auc(const Backend& backend, const RowSource& X, const PrimalFit& fit, Index column,
                          const std::vector<bool>& positive, const Vector& weights) {
  constexpr Index most_rows = 5000;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (X.rows() > most_rows) return unknown;
  std::vector<Index> up, down;
  for (Index i = 0; i < X.rows(); ++i)
    if (weights.size() == 0 || weights[i] > 0.0) (positive[std::size_t(i)] ? up : down).push_back(i);
  if (up.empty() || down.empty()) return unknown;
  const Matrix V_up = fit.factor->rows(X.take(up)).transpose(), V_down = fit.factor->rows(X.take(down));
  const Matrix inner = backend.multiply(V_up, V_down);

  // Outputs that differ by rounding only are ties: a machine without skill must score one half.
  const double tie = 1e-12 * fit.z.col(column).cwiseAbs().maxCoeff();
  double won = 0.0, total = 0.0;
  for (Index b = 0; b < inner.cols(); ++b)
    for (Index a = 0; a < inner.rows(); ++a) {
      const Index i = up[std::size_t(a)], j = down[std::size_t(b)];
      const double c = inner(a, b), hi = fit.rest[i], hj = fit.rest[j];
      const double ri = fit.pull(i, column), rj = fit.pull(j, column);
      const double determinant = hi * hj - fit.beta[i] * fit.beta[j] * c * c;
      const double yi = (hj * ri + fit.beta[i] * c * rj) / determinant;
      const double yj = (hi * rj + fit.beta[j] * c * ri) / determinant;
      const double zi = fit.z(i, column) - fit.variance[i] * yi - c * yj;
      const double zj = fit.z(j, column) - c * yi - fit.variance[j] * yj;
      const double w = weights.size() == 0 ? 1.0 : weights[i] * weights[j];
      won += w * (zi > zj + tie ? 1.0 : zi < zj - tie ? 0.0 : 0.5);
      total += w;
    }
  return won / total;
}

}  // namespace lacuna

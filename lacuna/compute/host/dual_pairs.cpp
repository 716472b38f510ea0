// compute/host/dual_pairs.cpp (of factor.hpp) -- pairs of rows left out together (loo/leave_pair_out.hpp), of machines
// with a border and of Gaussian processes without one.
#include <algorithm>
#include <cmath>

#include "lacuna/compute/host/factor.hpp"
#include "lacuna/compute/host/pairs.hpp"

namespace lacuna::compute::host {
namespace {

// One output of the rows in the system. Columns of Q lie one after the other in memory, so a row is compared with all
// others in one go, wanted or not: those that are not have no weight.
struct InSystem {
  const Matrix& Q;
  const Vector &own, &used;  // Q_jj; 1: the row is in the system, else 0
  Vector alpha, eta;
  double tie;

  // The weight of the rows that row i is ahead of when both are left out, a tie counting half. Row i is ahead by
  //   eta_i - eta_j - ((Q_jj + Q_ij) alpha_i - (Q_ii + Q_ij) alpha_j) / (Q_ii Q_jj - Q_ij^2)
  double beaten(Index i, const Vector& weight) const {
    const double *q = Q.col(i).data(), *d = own.data(), *a = alpha.data(), *e = eta.data(), *w = weight.data();
    const double *in = used.data(), q_ii = d[i], a_i = a[i], e_i = e[i], width = tie;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < Q.rows(); ++j) {
      const double determinant = q_ii * d[j] - q[j] * q[j];
      const double by = e_i - e[j] - ((d[j] + q[j]) * a_i - (q_ii + q[j]) * a[j]) / determinant;
      const double ahead = by > width ? 1.0 : 0.5, behind = by < -width ? 0.5 : 0.0;
      sum += w[j] * in[j] * (ahead - behind);
    }
    return sum;
  }
};

}  // namespace

Vector HostFactor::pair_areas(const PairsOut& pairs) const {
  return pairs.xi.size() > 0 ? bordered_pairs(pairs) : latent_pairs(pairs);
}

Vector HostFactor::bordered_pairs(const PairsOut& pairs) const {
  const Index l = gram().size(), m = pairs.alpha.cols();
  const Vector& xi = pairs.xi;
  const double one_xi = xi.sum();
  const auto kept = all_of_Q(xi);  // one for all columns
  const Matrix& Q = *kept;
  // Rows never seen: output z_i moves by (k_i' Q_:j + xi_j/1'xi) e_j when row j leaves.
  std::vector<Index> out, place(std::size_t(l), -1);
  for (Index i = 0; i < l; ++i)
    if (!in_system(i)) {
      place[std::size_t(i)] = Index(out.size());
      out.push_back(i);
    }
  Matrix reach(l, Index(out.size()));
  const std::vector<Index> all = all_rows();
  if (!out.empty()) {
    reach = Q * gram().block(all, out);
    reach.colwise() += xi / one_xi;
  }
  const Vector own = Q.diagonal(), used = (beta_.array() > 0.0).cast<double>();
  Vector areas(m);
  for (Index c = 0; c < m; ++c) {
    const InSystem inside{Q, own, used, pairs.alpha.col(c), pairs.eta.col(c), pairs.pairs.tie[c]};
    const auto z = pairs.z.col(c);
    // Of row i when i and j are left out and one of them was not in the system.
    const auto output = [&](Index i, Index j) {
      if (in_system(i)) return inside.eta[i] - inside.alpha[i] / own[i];
      return in_system(j) ? z[i] - reach(j, place[std::size_t(i)]) * inside.alpha[j] / own[j] : z[i];
    };
    areas[c] = area(pairs.pairs.side.col(c), [&](Index i, const Vector& weight) {
      double sum = in_system(i) ? inside.beaten(i, weight) : 0.0;
      for (const Index j : in_system(i) ? out : all)
        if (weight[j] != 0.0) sum += weight[j] * share(output(i, j) - output(j, i), inside.tie);
      return sum;
    });
  }
  return areas;
}

Vector HostFactor::latent_pairs(const PairsOut& pairs) const {
  const Sides sides(pairs.pairs.side.col(0));
  if (!sides.both()) return Vector::Constant(1, std::nan(""));
  const std::vector<Index> all = all_rows();
  const Matrix k_up = gram().block(sides.up, all), solved = solve(gram().block(all, sides.down));
  Matrix S = gram().block(sides.up, sides.down);
  parallel_ranges(S.cols(), 64, [&](Index first, Index last) {
    auto some = S.middleCols(first, last - first);
    some.noalias() -= k_up * solved.middleCols(first, last - first);
    some /= lambda_;
  });
  const Vector& own = pairs.variance;
  const Vector a = lambda_ * pairs.alpha.col(0), z = pairs.z.col(0);
  const double c = pairs.spread;
  return Vector::Constant(
      1, area(sides, pairs.pairs.side.col(0), pairs.pairs.tie[0], [&](Index p, Index q) {
        const Index i = sides.up[std::size_t(p)], j = sides.down[std::size_t(q)];
        const double s = S(p, q), left_i = 1.0 - beta_[i] * own[i], left_j = 1.0 - beta_[j] * own[j];
        const double determinant = left_i * left_j - beta_[i] * beta_[j] * s * s;
        const double V_ii = (own[i] * left_j + beta_[j] * s * s) / determinant;
        const double V_jj = (own[j] * left_i + beta_[i] * s * s) / determinant, V_ij = s / determinant;
        return (z[i] - V_ii * a[i] - V_ij * a[j]) / std::sqrt(1.0 + c * std::max(0.0, V_ii)) -
               (z[j] - V_jj * a[j] - V_ij * a[i]) / std::sqrt(1.0 + c * std::max(0.0, V_jj));
      }));
}

}  // namespace lacuna::compute::host

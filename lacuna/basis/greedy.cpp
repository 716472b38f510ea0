// basis/greedy.cpp -- every row is a candidate and every row judges. The residual matrix E = K - K_:S K_SS^-1 K_S: is
// kept whole: a choice j takes E_:j E_:j'/E_jj off it, and the same sweep finds what each candidate would take off the
// sum of delta next,
//
//   sum_i w_i E_ij^2 / (k_ii E_jj).
#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/pool.hpp"
#include "lacuna/basis/detail/projection.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna {
namespace {

// E -= c c', and s_j = sum_i w_i E_ij^2.
void sweep(Matrix& E, const Vector& c, const Vector& w, Vector& s) {
  const Index l = E.rows();
  parallel_ranges(l, l > 200 ? 32 : l, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      auto column = E.col(j);
      if (c.size() > 0) column -= c[j] * c;
      s[j] = w.dot(column.cwiseAbs2());
    }
  });
}

}  // namespace

BasisChoice greedy_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer) {
  const std::vector<Index> rows = detail::pool(X.rows(), weights);
  const Index l = Index(rows.size());
  const double bytes = 8.0 * double(l) * double(l);
  if (bytes > 0.9 * available_bytes())
    fail_usage("basis: greedy keeps a matrix of " + std::to_string(l) + " x " + std::to_string(l) + ", " +
               std::to_string(long(bytes / 1e9)) + " GB; use stochastic");
  const Rows chosen_from = take_rows(X, rows);
  Matrix E = backend.cross(kernel, chosen_from, chosen_from);
  const Vector norm = E.diagonal();
  Vector w = Vector::Zero(l), s(l);
  double total = 0.0;
  for (Index i = 0; i < l; ++i) {
    if (!(norm[i] > 0.0)) continue;  // a zero row is expressed by nothing at all
    const double weight = weights.size() > 0 ? weights[rows[std::size_t(i)]] : 1.0;
    w[i] = weight / norm[i];
    total += weight;
  }
  BasisChoice choice;
  choice.end = BasisEnd::singular;
  for (Vector c; Index(choice.rows.size()) < l;) {
    sweep(E, c, w, s);
    Index best = -1;
    for (Index j = 0; j < l; ++j)
      if (E(j, j) > options.singular * norm[j] && (best < 0 || s[j] * E(best, best) > s[best] * E(j, j))) best = j;
    if (best < 0) return choice;
    c = E.col(best) / std::sqrt(E(best, best));
    choice.rows.push_back(rows[std::size_t(best)]);
    choice.residual.push_back(w.dot((E.diagonal() - c.cwiseAbs2()).cwiseMax(0.0)) / total);
    if (!detail::goes_on(options, observer, choice)) return choice;
  }
  return choice;
}

}  // namespace lacuna

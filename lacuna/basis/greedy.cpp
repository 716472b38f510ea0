// basis/greedy.cpp (of basis.hpp) -- every row is a candidate and every row judges: the one that takes most off the sum
// of delta,
//
//   sum_i w_i E_ij^2 / (k_ii E_jj),      E = K - K_:S K_SS^-1 K_S:
#include "lacuna/base/error.hpp"
#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/in_order.hpp"
#include "lacuna/basis/detail/pool.hpp"

namespace lacuna {

BasisChoice greedy_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer) {
  const std::vector<Index> rows = detail::pool(X.rows(), weights);
  const Index l = Index(rows.size());
  const double bytes = 8.0 * double(l) * double(l);
  if (bytes > 0.9 * backend.memory())
    fail_usage("basis: greedy keeps a matrix of " + std::to_string(l) + " x " + std::to_string(l) + ", " +
               std::to_string(long(bytes / 1e9)) + " GB; use stochastic");
  detail::Growing growing(backend, kernel, X, weights, rows, 0);
  BasisChoice choice;
  choice.end = BasisEnd::singular;
  while (Index(choice.rows.size()) < l) {
    const auto& [norm, own, taken] = growing.look(rows);
    Index best = -1;
    for (Index j = 0; j < l; ++j)
      if (own[j] > options.singular * norm[j] && (best < 0 || taken[j] * own[best] > taken[best] * own[j])) best = j;
    if (best < 0) return choice;
    if (!growing.grow(rows[std::size_t(best)], best, options, observer, choice)) return choice;
  }
  return choice;
}

}  // namespace lacuna

// basis/random.cpp -- rows drawn uniformly, without replacement.
#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/pool.hpp"
#include "lacuna/basis/detail/projection.hpp"

namespace lacuna {

BasisChoice random_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer) {
  Random random(options.seed);
  std::vector<Index> order = detail::pool(X.rows(), weights);
  random.shuffle(order);
  return detail::in_order(backend, kernel, X, weights, order, options, observer);
}

}  // namespace lacuna

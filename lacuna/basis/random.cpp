// basis/random.cpp (of basis.hpp) -- rows drawn without replacement, each with a chance in proportion to its weight.
#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/draw.hpp"
#include "lacuna/basis/detail/in_order.hpp"

namespace lacuna {

BasisChoice random_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer) {
  Random random(options.seed);
  std::vector<Index> order = detail::pool(X.rows(), weights);
  detail::shuffle_by_weight(order, weights, random);
  return detail::in_order(backend, kernel, X, weights, order, options, observer);
}

}  // namespace lacuna

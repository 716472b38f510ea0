// basis/pivoted.cpp (of basis.hpp) -- pivoted Cholesky of the kernel matrix: always the row that the basis expresses
// worst.
#include <algorithm>

#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/in_order.hpp"
#include "lacuna/basis/detail/pool.hpp"

namespace lacuna {

BasisChoice pivoted_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                          const BasisOptions& options, const Observer& observer) {
  Random random(options.seed);
  const std::vector<Index> rows = detail::sample(detail::pool(X.rows(), weights), options.sample, random);
  detail::Growing growing(backend, kernel, X, weights, rows, std::min(options.size, Index(rows.size())));
  BasisChoice choice;
  for (;;) {
    Index worst = 0;
    growing.left().maxCoeff(&worst);
    const auto one = growing.look({rows[std::size_t(worst)]});
    if (!(one.own[0] > options.singular * one.norm[0])) break;
    if (!growing.grow(rows[std::size_t(worst)], 0, options, observer, choice)) return choice;
  }
  choice.end = BasisEnd::singular;
  return choice;
}

}  // namespace lacuna

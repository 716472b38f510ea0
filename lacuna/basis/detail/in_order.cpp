#include "lacuna/basis/detail/in_order.hpp"

#include <algorithm>

#include "lacuna/basis/detail/pool.hpp"

namespace lacuna::detail {

Growing::Growing(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                 const std::vector<Index>& judged, Index most)
    : projection_(
          backend.projection(kernel, X, {judged, weights.size() > 0 ? Vector(weights(judged)) : Vector(), most})) {}

bool Growing::grow(Index row, Index which, const BasisOptions& options, const Observer& observer, BasisChoice& choice) {
  projection_->add(which);
  choice.rows.push_back(row);
  choice.residual.push_back(projection_->mean());
  if (choice.residual.back() <= options.residual)
    choice.end = BasisEnd::residual;
  else if (Index(choice.rows.size()) == options.size)
    choice.end = BasisEnd::size;
  else if (!go_on(observer, {.stage = "basis", .done = long(choice.rows.size()), .total = long(options.size)}))
    choice.end = BasisEnd::interrupted;
  else
    return true;
  return false;
}

BasisChoice in_order(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                     const std::vector<Index>& order, const BasisOptions& options, const Observer& observer) {
  Random random(options.seed + 1);
  Growing growing(backend, kernel, X, weights, sample(pool(X.rows(), weights), options.judged, random),
                  std::min(options.size, Index(order.size())));
  BasisChoice choice;
  for (const Index row : order) {
    const compute::Projection::Candidates one = growing.look({row});
    if (!(one.own[0] > options.singular * one.norm[0])) continue;
    if (!growing.grow(row, 0, options, observer, choice)) return choice;
  }
  choice.end = BasisEnd::singular;
  return choice;
}

}  // namespace lacuna::detail

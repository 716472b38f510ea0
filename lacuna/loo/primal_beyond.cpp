#include "lacuna/loo/primal_beyond.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {

std::vector<Index> rows_that_move(const PrimalFit& fit, const Loss& loss) {
  const auto own_move = [&](Index i) { return std::abs(fit.pull(i, 0) * fit.variance[i] / fit.rest[i]); };
  const Index l = fit.beta.size(), most = std::max<Index>(1000, 2 * fit.features->size());
  const auto* huber = std::get_if<losses::PseudoHuber>(&loss);
  const double least = l <= most ? 0.0 : 0.1 * (huber != nullptr ? huber->delta : 1.0);
  std::vector<Index> rows;
  for (Index i = 0; i < l; ++i)
    if (fit.beta[i] > 0.0 && own_move(i) > least) rows.push_back(i);
  if (Index(rows.size()) > most) {
    std::ranges::nth_element(rows, rows.begin() + most, std::ranges::greater{}, own_move);
    rows.resize(std::size_t(most));
    std::ranges::sort(rows);
  }
  return rows;
}

}  // namespace lacuna

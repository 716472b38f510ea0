// basis/stochastic.cpp -- greedy choice among a few random candidates, judged on a random part of the rows.
#include <algorithm>

#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/pool.hpp"
#include "lacuna/basis/detail/projection.hpp"

namespace lacuna {

BasisChoice stochastic_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                             const BasisOptions& options, const Observer& observer) {
  Random random(options.seed);
  std::vector<Index> left = detail::pool(X.rows(), weights);
  detail::Projection projection(backend, kernel, X, weights, detail::sample(left, options.judged, random),
                                std::min(options.size, Index(left.size())));
  BasisChoice choice;
  while (!left.empty()) {
    // The candidates are drawn to the front of what is left.
    const std::size_t count = std::min(std::size_t(options.candidates), left.size());
    for (std::size_t i = 0; i < count; ++i) std::swap(left[i], left[i + random.below(left.size() - i)]);
    const auto seen = projection.look({left.begin(), left.begin() + std::ptrdiff_t(count)});
    Index best = -1;
    for (Index c = 0; c < Index(count); ++c)
      if (seen.own[c] > options.singular * seen.norm[c] && (best < 0 || seen.gain[c] > seen.gain[best])) best = c;
    if (best < 0) break;
    std::swap(left[std::size_t(best)], left.back());
    left.pop_back();
    if (!projection.grow(seen, best, options, observer, choice)) return choice;
  }
  choice.end = BasisEnd::singular;
  return choice;
}

}  // namespace lacuna

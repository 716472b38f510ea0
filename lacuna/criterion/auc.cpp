#include "lacuna/criterion/auc.hpp"

#include <algorithm>
#include <numeric>

namespace lacuna {

RankedPairs ranked_pairs(const Vector& z, const std::vector<bool>& positive, const Vector& weights) {
  std::vector<Index> order(std::size_t(z.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return z[i] < z[j]; });
  const double tie = tie_width(z);
  double below = 0.0, won = 0.0, up = 0.0;  // weight of negatives below; of won pairs; of positives
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double tied_up = 0.0, tied_down = 0.0;
    for (; last < order.size() && !(z[order[last]] - z[order[first]] > tie); ++last)
      (positive[std::size_t(order[last])] ? tied_up : tied_down) += weights[order[last]];
    won += tied_up * (below + 0.5 * tied_down);
    below += tied_down;
    up += tied_up;
    first = last;
  }
  return {won, up * below};
}

double area_under_curve(const Vector& z, const std::vector<bool>& positive, const Vector& weights) {
  return ranked_pairs(z, positive, weights).area();
}

}  // namespace lacuna

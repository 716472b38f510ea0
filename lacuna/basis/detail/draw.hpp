// basis/detail/draw.hpp -- rows drawn one after another without replacement, each with a chance in proportion to its
// weight among those that are left: what drawing one of its copies would be. O(log rows) a draw.
#pragma once

#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/basis/detail/pool.hpp"

namespace lacuna::detail {

class WeightedDraw {
 public:
  /// Weights >= 0.
  explicit WeightedDraw(const std::vector<double>& weights) {
    while (leaves_ < weights.size()) leaves_ *= 2;
    tree_.assign(2 * leaves_, 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) tree_[leaves_ + i] = weights[i];
    for (std::size_t node = leaves_ - 1; node > 0; --node) tree_[node] = tree_[2 * node] + tree_[2 * node + 1];
  }

  /// Whether there is a row left.
  bool any() const { return tree_[1] > 0.0; }
  /// Takes a row out. Requires any().
  std::size_t take(Random& random) {
    std::size_t node = 1;
    while (node < leaves_) {
      node *= 2;
      const double left = tree_[node], right = tree_[node + 1];
      if (right > 0.0 && (!(left > 0.0) || random.uniform() * (left + right) >= left)) ++node;
    }
    put(node - leaves_, 0.0);
    return node - leaves_;
  }
  /// Gives a row this weight. Sums are made anew on the way up: nothing is left of a large weight that has gone.
  void put(std::size_t row, double weight) {
    std::size_t node = leaves_ + row;
    tree_[node] = weight;
    while (node /= 2) tree_[node] = tree_[2 * node] + tree_[2 * node + 1];
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<double> tree_;  // node k is the sum of nodes 2k and 2k + 1; rows are the last of them
};

/// These rows in a random order, the likelier early the more they weigh.
inline void shuffle_by_weight(std::vector<Index>& rows, const Vector& weights, Random& random) {
  if (alike(rows, weights)) {
    random.shuffle(rows);
    return;
  }
  const std::vector<Index> all = rows;
  WeightedDraw draw(weights_of(all, weights));
  for (Index& row : rows) row = all[draw.take(random)];
}

}  // namespace lacuna::detail

// select/detail/warm_fits.hpp -- fits that a search has met, by where they were. Each new one begins at the nearest.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna::detail {

template <class Start>
class Memory {
 public:
  /// `numbers`: how many a Start holds. At most a hundred are kept, and no more than make 240 MB.
  explicit Memory(Index numbers = 1)
      : most_(std::size_t(std::clamp<Index>(30'000'000 / std::max<Index>(1, numbers), 2, 100))) {}
  /// What was kept nearest to x; a fresh Start when nothing was.
  Start nearest(const Vector& x) const {
    const auto distance = [&](const auto& met) { return (met.first - x).squaredNorm(); };
    const auto at = std::ranges::min_element(met_, {}, distance);
    return at == met_.end() ? Start{} : at->second;
  }
  void keep(const Vector& x, Start fit) {
    if (met_.size() == most_) met_.erase(met_.begin());
    met_.emplace_back(x, std::move(fit));
  }

 private:
  std::size_t most_;
  std::vector<std::pair<Vector, Start>> met_;
};

}  // namespace lacuna::detail

// select/detail/memory.hpp -- fits that a search has met, by where they were. Each new one begins at the nearest.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna::detail {

template <class Start>
class Memory {
 public:
  /// What was kept nearest to x; a fresh Start when nothing was.
  Start nearest(const Vector& x) const {
    const auto distance = [&](const auto& met) { return (met.first - x).squaredNorm(); };
    const auto at = std::ranges::min_element(met_, {}, distance);
    return at == met_.end() ? Start{} : at->second;
  }
  void keep(const Vector& x, Start fit) {
    if (met_.size() == most) met_.erase(met_.begin());
    met_.emplace_back(x, std::move(fit));
  }

 private:
  static constexpr std::size_t most = 100;
  std::vector<std::pair<Vector, Start>> met_;
};

}  // namespace lacuna::detail

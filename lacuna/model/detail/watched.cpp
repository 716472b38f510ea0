#include "lacuna/model/detail/watched.hpp"

#include <memory>
#include <mutex>

#include "lacuna/base/stopping.hpp"

namespace lacuna::detail {

RowSource watched(const RowSource& X, const Observer& observer) {
  if (!observer) return X;
  struct Place {
    std::mutex alone;  // lanes read side by side, and the observer is one
    Index seen = 0;
    bool stopped = false;
  };
  const auto place = std::make_shared<Place>();
  return X.reporting([place, observer, l = X.rows()](Index rows) {
    const std::lock_guard lock(place->alone);
    place->seen = place->seen + rows > l ? rows : place->seen + rows;
    if (!place->stopped && !observer({.stage = "pass over rows", .done = long(place->seen), .total = long(l)}))
      place->stopped = true;
    if (place->stopped) throw Stopped{};
  });
}

}  // namespace lacuna::detail

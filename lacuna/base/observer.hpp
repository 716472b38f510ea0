// base/observer.hpp -- how long work tells its caller where it is, and learns that it should stop. The library never
// prints: the command line draws its progress bar from these calls, and Ctrl-C answers `false`.
#pragma once

#include <functional>
#include <limits>
#include <string_view>

namespace lacuna {

struct Progress {
  std::string_view stage;  ///< "search", "explicit refits", ...; empty: nothing new, only whether to go on is asked
  long done = 0;
  long total = 0;                                          ///< 0: not known
  double best = std::numeric_limits<double>::quiet_NaN();  ///< best criterion so far
};

/// Called now and then during long work; returning false asks it to stop. Empty: nobody is watching.
using Observer = std::function<bool(const Progress&)>;

inline bool go_on(const Observer& observer, const Progress& progress) { return !observer || observer(progress); }

}  // namespace lacuna

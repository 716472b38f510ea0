// cli/watch.hpp -- one watched piece of long work: a progress bar with the time left on a terminal, and Ctrl-C. The
// first Ctrl-C asks the work to stop (the observer answers false); a second one ends the program at once
// (process.hpp).
#pragma once

#include <chrono>
#include <string>

#include "lacuna/base/observer.hpp"

namespace lacuna::cli {

class Watch {
 public:
  /// `bar`: draw progress on standard error if that is a terminal.
  explicit Watch(bool bar);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  Observer observer();
  /// Whether Ctrl-C was pressed.
  bool stopped() const;
  /// Wipes the bar away.
  void clear();

 private:
  bool show(const Progress& progress);
  std::string time_left(const Progress& progress, std::chrono::steady_clock::time_point now);

  bool bar_;
  bool drawn_ = false;
  std::string stage_;                              // the stage that the bar is in,
  std::chrono::steady_clock::time_point began_{};  // since then,
  long before_ = 0;                                // when so much of it was done
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace lacuna::cli

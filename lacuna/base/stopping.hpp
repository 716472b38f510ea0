// base/stopping.hpp -- stopping in the middle of long arithmetic. One factorisation of 20,000 rows takes minutes, so
// it is not enough to ask the observer, or to look at the clock, between two of them. A StopScope says when the work
// of its thread is to end; loops over blocks call check_stop(), which throws Stopped through the arithmetic to
// whoever made the scope:
//
//   const StopScope watched(observer);
//   try { ... } catch (const Stopped&) { ... }
//
// Scopes nest, and hold for the threads that help with a parallel loop (compute/parallel.hpp) too.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "lacuna/base/observer.hpp"
#include "lacuna/base/stop.hpp"

namespace lacuna {

/// Thrown by check_stop(). No Error: nothing went wrong.
struct Stopped {
  Stop why = Stop::interrupted;  ///< or time_limit
};

class StopScope {
 public:
  using Clock = std::chrono::steady_clock;

  /// Ends when the observer says so. It is asked some twenty times a second, on this thread, with a Progress that has
  /// no stage.
  explicit StopScope(const Observer& observer);
  /// Ends at this time.
  explicit StopScope(Clock::time_point deadline);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  friend void check_stop();
  friend bool stop_requested();
  friend class SharedStopping;

  // Looks at the clock and asks the observer, on the thread that made the scope; on others, only what was found there.
  bool ended();

  Observer observer_;
  Clock::time_point deadline_ = Clock::time_point::max(), ask_next_;
  std::thread::id owner_ = std::this_thread::get_id();
  StopScope* outer_;
  std::atomic<bool> ended_ = false;
};

/// Throws Stopped when a scope around the work of this thread has ended. Some 30 ns.
void check_stop();
/// Whether check_stop would throw.
bool stop_requested();

/// The scopes of one thread, to hold on another that helps it for a while.
class SharedStopping {
 public:
  /// Those of the calling thread.
  SharedStopping();
  /// While it lives, they are the scopes of the thread that makes it.
  class Here {
   public:
    explicit Here(const SharedStopping& shared);
    ~Here();
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;

   private:
    StopScope* before_;
  };

 private:
  StopScope* innermost_;
};

}  // namespace lacuna

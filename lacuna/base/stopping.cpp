#include "lacuna/base/stopping.hpp"

namespace lacuna {
namespace {

thread_local StopScope* innermost = nullptr;

constexpr auto between_questions = std::chrono::milliseconds(50);

}  // namespace

StopScope::StopScope(const Observer& observer)
    : observer_(observer), ask_next_(Clock::now() + between_questions), outer_(innermost) {
  innermost = this;
}

StopScope::StopScope(Clock::time_point deadline) : deadline_(deadline), outer_(innermost) { innermost = this; }

StopScope::~StopScope() { innermost = outer_; }

bool StopScope::ended() {
  if (ended_.load(std::memory_order_relaxed)) return true;
  if (owner_ != std::this_thread::get_id() || (!observer_ && deadline_ == Clock::time_point::max())) return false;
  const auto now = Clock::now();
  if (now >= deadline_) {
    ended_ = true;
  } else if (observer_ && now >= ask_next_) {
    if (!observer_({})) ended_ = true;
    ask_next_ = Clock::now() + between_questions;
  }
  return ended_;
}

// The outermost has the last word: an observer that says stop ends more than a search whose time is up.
void check_stop() {
  const StopScope* found = nullptr;
  for (StopScope* scope = innermost; scope != nullptr; scope = scope->outer_)
    if (scope->ended()) found = scope;
  if (found != nullptr) throw Stopped{found->observer_ ? Stop::interrupted : Stop::time_limit};
}

bool stop_requested() {
  bool any = false;
  for (StopScope* scope = innermost; scope != nullptr; scope = scope->outer_) any = scope->ended() || any;
  return any;
}

SharedStopping::SharedStopping() : innermost_(innermost) {}

SharedStopping::Here::Here(const SharedStopping& shared) : before_(innermost) { innermost = shared.innermost_; }
SharedStopping::Here::~Here() { innermost = before_; }

}  // namespace lacuna

#include "lacuna/compute/parallel.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>

#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/detail/inside.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

// To go to sleep and to be woken costs about as much as this, so that spinning first wastes no more than it may save.
constexpr auto spinning = std::chrono::microseconds(60);

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Spins until `done()`, but not for long.
template <class Done>
bool spin_until(const Done& done) {
  const auto end = Clock::now() + spinning;
  do {
    for (int k = 0; k < 32; ++k) {
      if (done()) return true;
      pause();
    }
  } while (Clock::now() < end);
  return done();
}

// One loop: its steps are taken by whoever comes first.
class Loop {
 public:
  Loop(Index count, const std::function<void(Index)>& step) : count_(count), step_(step) {}

  void work() {
    for (;;) {
      const Index k = next_.fetch_add(1, std::memory_order_relaxed);
      if (k >= count_) return;
      try {
        check_stop();
        step_(k);
      } catch (...) {
        const std::lock_guard lock(failing_);
        if (k < failed_) {
          failed_ = k;
          thrown_ = std::current_exception();
        }
        next_ = count_;
      }
    }
  }
  bool begun() const { return next_.load(std::memory_order_relaxed) >= count_; }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

  SharedStopping stopping;       // the caller's
  int wanted = 0;                // helpers that may still join; under the pool's mutex
  std::atomic<int> helpers = 0;  // that have joined and not left

 private:
  const Index count_;
  const std::function<void(Index)>& step_;
  std::atomic<Index> next_ = 0;
  std::mutex failing_;
  std::exception_ptr thrown_;
  Index failed_ = std::numeric_limits<Index>::max();
};

// Threads are made when they are first wanted and stay, asleep, until the process ends.
class Pool {
 public:
  static Pool& instance() {
    static std::once_flag once;
    std::call_once(once, [] {
      current() = new Pool;  // never destroyed: its threads live as long as the process
      // A child has none of the parent's threads, and a mutex that one of them held stays locked.
      pthread_atfork(nullptr, nullptr, [] { current() = new Pool; });
    });
    return *current();
  }

  void run(Loop& loop, int helpers) {
    {
      const std::lock_guard lock(mutex_);
      grow(helpers);
      loop.wanted = helpers;
      loops_.push_back(&loop);
      posted_.fetch_add(1, std::memory_order_release);
    }
    if (helpers >= asleep_.load())
      wake_.notify_all();
    else
      for (int k = 0; k < helpers; ++k) wake_.notify_one();
    loop.work();
    {
      const std::lock_guard lock(mutex_);
      loops_.remove(&loop);  // who has not joined by now is not needed
    }
    const auto alone = [&] { return loop.helpers.load(std::memory_order_acquire) == 0; };
    if (spin_until(alone)) return;
    std::unique_lock lock(mutex_);
    while (!left_.wait_for(lock, std::chrono::milliseconds(20), alone)) {
      lock.unlock();
      (void)stop_requested();  // helpers cannot ask the observer themselves
      lock.lock();
    }
  }

 private:
  static Pool*& current() {
    static Pool* pool = nullptr;
    return pool;
  }

  // As many threads as there can be: with fewer the work is done all the same.
  void grow(int threads) {
    if (threads <= threads_ || full_) return;
    sigset_t all, before;  // signals are for the threads of the host
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      for (; threads_ < threads; ++threads_) std::thread([this] { help_forever(); }).detach();
    } catch (const std::system_error&) {
      full_ = true;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  Loop* find() {
    for (Loop* loop : loops_)
      if (loop->wanted > 0 && !loop->begun()) return loop;
    return nullptr;
  }

  void help_forever() {
    const detail::Inside inside;
    std::unique_lock lock(mutex_);
    for (;;) {
      Loop* loop = find();
      if (loop == nullptr) {
        const auto seen = posted_.load(std::memory_order_acquire);
        lock.unlock();
        (void)spin_until([&] { return posted_.load(std::memory_order_acquire) != seen; });
        lock.lock();
        if (posted_.load() == seen) {
          ++asleep_;
          wake_.wait(lock, [&] { return posted_.load() != seen; });
          --asleep_;
        }
        continue;
      }
      --loop->wanted;
      ++loop->helpers;
      lock.unlock();
      {
        const SharedStopping::Here here(loop->stopping);
        loop->work();
      }
      lock.lock();
      if (--loop->helpers == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, left_;
  std::list<Loop*> loops_;
  std::atomic<unsigned long> posted_ = 0;
  std::atomic<int> asleep_ = 0;
  int threads_ = 0;
  bool full_ = false;
};

}  // namespace

void parallel_for(Index count, const std::function<void(Index)>& step, int most) {
  int threads = count > 1 ? thread_count() : 1;
  if (most > 0) threads = std::min(threads, most);
  if (Index(threads) > count) threads = int(count);
  if (threads <= 1) {
    const ThreadScope one_in_blas(0);
    for (Index k = 0; k < count; ++k) {
      check_stop();
      step(k);
    }
    return;
  }
  check_stop();
  const detail::Inside inside;
  Loop loop(count, step);
  Pool::instance().run(loop, threads - 1);
  loop.rethrow();
}

void parallel_ranges(Index count, Index size, const std::function<void(Index, Index)>& step) {
  if (count <= 0) return;
  parallel_for((count + size - 1) / size, [&](Index k) { step(k * size, std::min(count, (k + 1) * size)); });
}

}  // namespace lacuna

#include "lacuna/compute/parallel.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna {
namespace parallel_test {

using namespace std::chrono_literals;

TEST(ParallelFor, TakesEveryStepOnce) {
  for (const int threads : {1, 2, 7})
    for (const Index count : {0, 1, 2, 3, 1000}) {
      const ThreadScope scope(threads);
      std::vector<std::atomic<int>> taken(static_cast<std::size_t>(count));
      parallel_for(count, [&](Index k) { ++taken[std::size_t(k)]; });
      for (const auto& t : taken) EXPECT_EQ(t, 1);
      std::vector<std::atomic<int>> covered(static_cast<std::size_t>(count));
      parallel_ranges(count, 7, [&](Index first, Index last) {
        EXPECT_LE(last - first, 7);
        for (Index k = first; k < last; ++k) ++covered[std::size_t(k)];
      });
      for (const auto& t : covered) EXPECT_EQ(t, 1);
    }
}

TEST(ParallelFor, IsHelpedByOtherThreads) {
  const ThreadScope scope(4);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  // Steps end when two threads have met, or after a minute, so that this is no question of timing.
  const auto end = std::chrono::steady_clock::now() + 60s;
  parallel_for(4, [&](Index) {
    for (std::size_t met = 0; met < 2 && std::chrono::steady_clock::now() < end;) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
      met = seen.size();
    }
  });
  EXPECT_GE(seen.size(), 2U);
}

TEST(ParallelFor, GivesLoopsInsideAStepAndBlasOneThread) {
  const ThreadScope scope(4);
  parallel_for(8, [&](Index) {
    EXPECT_EQ(thread_count(), 1);
    EXPECT_EQ(omp_get_max_threads(), 1);
    const auto own = std::this_thread::get_id();
    parallel_for(5, [&](Index) { EXPECT_EQ(std::this_thread::get_id(), own); });
  });
  EXPECT_EQ(thread_count(), 4);
}

TEST(ParallelFor, ThrowsWhatTheFirstFailingStepThrew) {
  const ThreadScope scope(4);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> begun = 0;
    try {
      parallel_for(1000, [&](Index k) {
        ++begun;
        if (k >= 3) throw std::runtime_error(std::to_string(k));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "3");  // steps are begun in order
    }
    EXPECT_LT(begun, 1000);
  }
}

TEST(ParallelFor, ServesSeveralCallersAtATime) {
  std::vector<std::thread> callers;
  std::atomic<Index> sum = 0;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      const ThreadScope scope(3);
      for (int round = 0; round < 200; ++round) parallel_for(20, [&](Index k) { sum += k; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 200 * 190);
}

TEST(ParallelFor, WorksInAForkedChild) {
  const ThreadScope scope(3);
  parallel_for(100, [](Index) {});  // the parent has helpers, the child none of them
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<Index> sum = 0;
    parallel_for(100, [&](Index k) { sum += k; });
    _exit(sum == 4950 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(StopScope, AnObserverStopsWorkInTheMiddle) {
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    int asked = 0;
    const Observer observer = [&](const Progress& p) {
      EXPECT_TRUE(p.stage.empty());
      return ++asked < 3;
    };
    const StopScope watched(observer);
    // Endless, unless it is stopped.
    EXPECT_THROW(parallel_for(1'000'000'000, [](Index) { std::this_thread::sleep_for(1ms); }), Stopped);
    EXPECT_EQ(asked, 3);  // and not asked again
    EXPECT_THROW(check_stop(), Stopped);
  }
  check_stop();  // no scope, no stop
}

TEST(StopScope, ADeadlineReachesHelpersOfALongStep) {
  const ThreadScope scope(2);
  const StopScope limit(std::chrono::steady_clock::now() + 50ms);
  try {
    parallel_for(2, [](Index) {
      for (;;) check_stop();
    });
    FAIL() << "it ended";
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.why, Stop::time_limit);
  }
}

TEST(StopScope, AnInterruptionOutsideCountsForMoreThanATimeLimitInside) {
  const Observer never = [](const Progress&) { return false; };
  const StopScope watched(never);
  std::this_thread::sleep_for(60ms);  // the observer is asked every 50 ms
  const StopScope limit(std::chrono::steady_clock::now());
  try {
    check_stop();
    FAIL() << "it went on";
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.why, Stop::interrupted);
  }
}

}  // namespace parallel_test
}  // namespace lacuna

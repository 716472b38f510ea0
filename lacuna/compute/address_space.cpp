#include "lacuna/compute/address_space.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

constexpr double megabyte = 1 << 20, buffer = 128.0 * megabyte;
constexpr double of_a_thread = 16.0 * megabyte;  // its stack, and the beginning of a heap of its own
constexpr double work = 32.0 * megabyte;         // to do anything at all

double limit() {
  rlimit bound = {};
  if (getrlimit(RLIMIT_AS, &bound) != 0 || bound.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return double(bound.rlim_cur);
}

double mapped() {
  double pages = 0.0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * double(sysconf(_SC_PAGESIZE));
}

// OpenBLAS keeps a buffer for each thread that has called it at the same time as others. Remembers the most threads
// that were let begin.
int threads_with_buffers(int now) {
  static std::atomic<int> most = 0;
  int before = most;
  while (before < now && !most.compare_exchange_weak(before, now)) {
  }
  return most;
}

int threads_with_room(int wanted) {
  const double bound = limit();
  if (bound == std::numeric_limits<double>::infinity()) return wanted;
  const double free = bound - mapped();
  const int have = threads_with_buffers(0);
  for (int k = wanted; k >= 1; --k) {
    const double need = buffer * std::max(1, k - have) + of_a_thread * (k - 1) + work;
    if (need <= free) {
      threads_with_buffers(k);
      return k;
    }
  }
  fail_data(
      fmt::format("the limit on address space (ulimit -v) is {:.0f} MB, of which {:.0f} MB are left, and the first "
                  "matrix needs {:.0f} MB; raise the limit",
                  bound / 1e6, std::max(0.0, free) / 1e6, (buffer + work) / 1e6));
}

// Starts so many threads that do nothing, and counts those that came to be.
int threads_that_start(int wanted) {
  static std::atomic<int> known_to_start = 1;
  if (wanted <= known_to_start) return wanted;
  std::atomic<bool> go = false;
  std::vector<std::thread> started;
  try {
    while (int(started.size()) + 1 < wanted) started.emplace_back([&go] { go.wait(false); });
  } catch (const std::system_error&) {  // no more
  }
  go = true;
  go.notify_all();
  for (std::thread& t : started) t.join();
  const int count = int(started.size()) + 1;
  int before = known_to_start;
  while (before < count && !known_to_start.compare_exchange_weak(before, count)) {
  }
  return count;
}

}  // namespace

int threads_that_fit(int wanted) { return threads_that_start(threads_with_room(std::max(1, wanted))); }

}  // namespace lacuna

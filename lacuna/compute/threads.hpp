// compute/threads.hpp -- how many threads the next piece of work may use. One large problem shares out its blocks
// among all of them (parallel.hpp); many small problems run side by side with one each. BLAS itself always works with
// the thread that calls it: its own threads would spin while they wait for one another.
#pragma once

namespace lacuna {

/// Sets the number of threads that parallel loops of the calling thread have for its lifetime, and keeps BLAS to one;
/// restores both after.
class ThreadScope {
 public:
  /// threads <= 0: leave their number as it is.
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_, blas_before_;
};

/// Threads that a parallel loop started now would have: those of the ThreadScope, else OMP_NUM_THREADS or all
/// processors; 1 inside a parallel loop.
int thread_count();

}  // namespace lacuna

// compute/threads.hpp -- how many threads the next piece of work may use. One large problem uses all of them inside BLAS;
// many small problems run side by side in an OpenMP loop, where BLAS keeps to one thread each by itself.
#pragma once

namespace lacuna {

/// Sets the number of OpenMP (and so BLAS) threads of the calling thread for its lifetime; restores it after.
class ThreadScope {
 public:
  /// threads <= 0: leave it as it is.
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

/// Threads that a parallel loop started now would have.
int thread_count();

}  // namespace lacuna

#include "lacuna/compute/threads.hpp"

#include <omp.h>

#include "lacuna/compute/address_space.hpp"

namespace lacuna {

ThreadScope::ThreadScope(int threads) : before_(omp_get_max_threads()) {
  const int wanted = threads > 0 ? threads : before_;
  // Inside a parallel loop threads are there already, and nested ones are not started.
  const int fit = omp_in_parallel() != 0 ? wanted : threads_that_fit(wanted);
  if (threads > 0 || fit < before_) omp_set_num_threads(fit);
}
ThreadScope::~ThreadScope() { omp_set_num_threads(before_); }

int thread_count() { return omp_get_max_threads(); }

}  // namespace lacuna

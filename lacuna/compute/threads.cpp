#include "lacuna/compute/threads.hpp"

#include <omp.h>

namespace lacuna {

ThreadScope::ThreadScope(int threads) : before_(omp_get_max_threads()) {
  if (threads > 0) omp_set_num_threads(threads);
}
ThreadScope::~ThreadScope() { omp_set_num_threads(before_); }

int thread_count() { return omp_get_max_threads(); }

}  // namespace lacuna

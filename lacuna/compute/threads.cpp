#include "lacuna/compute/threads.hpp"

#include <omp.h>

#include "lacuna/compute/address_space.hpp"
#include "lacuna/compute/detail/inside.hpp"

namespace lacuna {
namespace {

// OpenMP is not used but for its number of threads, one for each thread: OpenBLAS (its OpenMP build) keeps to it.
thread_local int allowed = 0;  // 0: as many as OpenMP would have
thread_local bool inside = false;

}  // namespace

int thread_count() {
  if (inside || omp_in_parallel()) return 1;
  return allowed > 0 ? allowed : omp_get_max_threads();
}

ThreadScope::ThreadScope(int threads) : before_(allowed), blas_before_(omp_get_max_threads()) {
  const int wanted = threads > 0 ? threads : allowed > 0 ? allowed : blas_before_;
  // What an outer scope found room for is not asked for again; inside a loop no threads are started.
  const bool known = inside || omp_in_parallel() || wanted <= allowed;
  allowed = known ? wanted : threads_that_fit(wanted);
  omp_set_num_threads(1);
}
ThreadScope::~ThreadScope() {
  allowed = before_;
  omp_set_num_threads(blas_before_);
}

namespace detail {

Inside::Inside() : before_(inside), blas_before_(omp_get_max_threads()) {
  inside = true;
  omp_set_num_threads(1);
}
Inside::~Inside() {
  inside = before_;
  omp_set_num_threads(blas_before_);
}

}  // namespace detail
}  // namespace lacuna

#include "lacuna/evaluate/tasks.hpp"

#include <atomic>
#include <ctime>
#include <exception>

#include "lacuna/compute/parallel.hpp"

namespace lacuna {

TaskResults work_off(const std::vector<KeyedTask>& tasks, Journal& journal, const TaskOptions& options) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < tasks.size(); ++k)
    if (journal.find(tasks[k].key) == nullptr) open.push_back(k);
  std::atomic<bool> stop = false, interrupted = false;
  std::atomic<long> done = long(tasks.size() - open.size());
  std::mutex watching;
  const Observer watch = [&](const Progress&) {
    if (std::unique_lock lock(watching, std::try_to_lock); lock)
      if (!go_on(options.observer, {options.stage, done, long(tasks.size())})) stop = interrupted = true;
    return !stop;
  };
  std::vector<std::exception_ptr> thrown(open.size());
  const auto one = [&](std::size_t k) {
    if (!watch({})) return;
    try {
      const std::string result = tasks[open[k]].run(watch);
      if (stop) return;  // it may have been told to end early
      journal.append(tasks[open[k]].key, result);
      ++done;
    } catch (...) {
      if (!interrupted) thrown[k] = std::current_exception();
      stop = true;
    }
  };
  if (options.lanes <= 1) {
    for (std::size_t k = 0; k < open.size() && !stop; ++k) one(k);
  } else {
    parallel_for(
        Index(open.size()), [&](Index k) { one(std::size_t(k)); }, options.lanes);
  }
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
  TaskResults out{{}, interrupted};
  if (interrupted) return out;
  go_on(options.observer, {options.stage, done, long(tasks.size())});
  for (const KeyedTask& task : tasks) out.results.push_back(*journal.find(task.key));
  return out;
}

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace lacuna

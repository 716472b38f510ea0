#include "lacuna/evaluate/tasks.hpp"

#include <atomic>
#include <ctime>
#include <exception>

#include "lacuna/compute/parallel.hpp"

namespace lacuna {

TaskResults work_off(const std::vector<KeyedTask>& tasks, Journal& journal, const TaskOptions& options) {
  std::vector<SharedTask> all;
  for (const KeyedTask& task : tasks)
    all.push_back({{task.key}, [&task](const Observer& o) { return std::vector{task.run(o)}; }});
  return work_off(all, journal, options);
}

TaskResults work_off(const std::vector<SharedTask>& tasks, Journal& journal, const TaskOptions& options) {
  std::vector<std::size_t> open;
  long count = 0, known = 0;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const auto before = known;
    for (const std::string& key : tasks[k].keys) known += journal.find(key) != nullptr;
    if (known - before < long(tasks[k].keys.size())) open.push_back(k);
    count += long(tasks[k].keys.size());
  }
  std::atomic<bool> stop = false, interrupted = false;
  std::atomic<long> done = known;
  std::mutex watching;
  const Observer watch = [&](const Progress&) {
    if (std::unique_lock lock(watching, std::try_to_lock); lock)
      if (!go_on(options.observer, {options.stage, done, count})) stop = interrupted = true;
    return !stop;
  };
  std::vector<std::exception_ptr> thrown(open.size());
  const auto one = [&](std::size_t k) {
    if (!watch({})) return;
    try {
      const SharedTask& task = tasks[open[k]];
      const std::vector<std::string> results = task.run(watch);
      if (stop) return;  // it may have been told to end early
      for (std::size_t r = 0; r < results.size(); ++r) {
        if (journal.find(task.keys[r]) != nullptr) continue;
        journal.append(task.keys[r], results[r]);
        ++done;
      }
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
  go_on(options.observer, {options.stage, done, count});
  for (const SharedTask& task : tasks)
    for (const std::string& key : task.keys) out.results.push_back(*journal.find(key));
  return out;
}

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace lacuna

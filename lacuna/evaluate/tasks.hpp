// evaluate/tasks.hpp -- a list of tasks worked off side by side, one thread each, every result journalled as soon as it
// is known. What was journalled before is not done again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lacuna/base/observer.hpp"
#include "lacuna/evaluate/journal.hpp"

namespace lacuna {

struct KeyedTask {
  std::string key;
  /// The result as one line of text. The observer it is given tells it to stop early: its result is then thrown away.
  std::function<std::string(const Observer&)> run;
};

/// Several results that are made together.
struct SharedTask {
  std::vector<std::string> keys;
  /// One line for each key.
  std::function<std::vector<std::string>(const Observer&)> run;
};

struct TaskOptions {
  int lanes = 1;  ///< tasks at a time; 1: each has all threads to itself
  std::string_view stage = "splits";
  Observer observer = {};  ///< called by one thread at a time
};

struct TaskResults {
  std::vector<std::string> results;  ///< one for each task or key; of no use when interrupted
  bool interrupted = false;
};

/// What a task throws is thrown again (of several, that of the first task) when those under way have ended.
TaskResults work_off(const std::vector<KeyedTask>& tasks, Journal& journal, const TaskOptions& options);
/// A task is run when one of its results is not known; those that are stay as they are.
TaskResults work_off(const std::vector<SharedTask>& tasks, Journal& journal, const TaskOptions& options);

/// Seconds of processor time that the calling thread has had.
double thread_seconds();

}  // namespace lacuna

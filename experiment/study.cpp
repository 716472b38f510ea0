#include "experiment/study.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna {

namespace {

struct Entry {
  std::string name;
  Study (*run)(const StudyOptions&, Journal&);
  std::vector<std::string> takes;
};
const std::vector<Entry> list{{"ida", ida_study, {"data", "sets", "model", "cv", "protocol", "splits", "seed"}},
                              {"ripley", ripley_study, {"data", "seed"}},
                              {"complexity", complexity_study, {"seed"}},
                              {"motorcycle", motorcycle_study, {"data"}},
                              {"boston", boston_study, {"data"}},
                              {"wcci", wcci_study, {"data", "sets", "protocol", "splits", "seed"}}};

const Entry& entry(const std::string& name) {
  for (const Entry& e : list)
    if (e.name == name) return e;
  fail_usage(fmt::format("experiment: unknown name '{}'{}", name, did_you_mean(name, experiment_names())));
}

}  // namespace

const std::vector<std::string>& experiment_options(const std::string& name) { return entry(name).takes; }

const std::vector<std::string>& experiment_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& e : list) all.push_back(e.name);
    return all;
  }();
  return names;
}

Study run_experiment(const std::string& name, const StudyOptions& options, Journal& journal) {
  const ThreadScope threads(options.threads);
  return entry(name).run(options, journal);
}

void require_folder(const std::string& experiment, const std::string& folder, const std::string& holds) {
  if (folder.empty()) fail_usage(fmt::format("experiment {}: no data; `data=DIR` says where {} is", experiment, holds));
  if (!std::filesystem::is_directory(folder))
    fail_data(
        fmt::format("experiment {}: there is no folder {}; `data=DIR` says where {} is", experiment, folder, holds));
}

}  // namespace lacuna

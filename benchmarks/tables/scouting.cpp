// What is lost, and what is saved, when a selection on many rows begins at the optimum for a sample of them
// (TrainOptions::scout_rows) in place of all starts on all rows: the criterion reached, evaluations on all rows, and
// processor time, one thread.
//
//   table_scouting [ROWS]      default 2500
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "experiment/generate.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/lacuna.hpp"

namespace {

using namespace lacuna;

struct Case {
  std::string data, target, model;  // a file below the shared data, or a problem that is generated
};
const std::vector<Case> cases{{"friedman1", "y", "ls-svm"},
                              {"ringnorm", "label", ""},
                              {"twonorm", "label", "ls-svm"},
                              {"waveform", "label", ""},
                              {"ida/banana.csv", "label", ""},
                              {"ida/banana.csv", "label", "ls-svm"},
                              {"wcci2006/ada_train.csv", "label", ""},
                              {"wcci2006/ada_train.csv", "label", "kfd"},
                              {"casp/casp.csv.gz", "RMSD", "ls-svm"},
                              {"ringnorm", "label", "gp-laplace"},
                              {"ida/banana.csv", "label", "gp-laplace"}};

Table first_rows(const Table& all, Index rows) {
  std::vector<Index> some;
  for (Index i = 0; i < std::min<Index>(rows, all.rows); ++i) some.push_back(i);
  return take_rows(all, some);
}

}  // namespace

int main(int count, char** words) {
  const Index rows = count > 1 ? std::atol(words[1]) : 2500;
  const ThreadScope one(1);
  fmt::print(
      "| data | model | all starts | from a sample | worse by, % | evaluations | | processor seconds | | ratio |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& c : cases) {
    const bool is_file = c.data.find('/') != std::string::npos;
    const std::string path = std::string(LACUNA_SHARED_DATA) + "/" + c.data;
    if (is_file && !std::filesystem::exists(path)) {
      fmt::print("{} is not there; left out\n", c.data);
      continue;
    }
    const Table table = is_file ? first_rows(read_table(path), rows) : generate(c.data, rows, 3);
    const Dataset data = encode(table, {.targets = {c.target}}).data;
    double criterion[2] = {}, seconds[2] = {};
    int evaluations[2] = {};
    for (const int scouted : {0, 1}) {
      TrainOptions options;
      options.run.threads = 1;
      if (!c.model.empty()) options.model = parse_machine(c.model);
      if (scouted == 0) options.select.scout_rows = 0;
      const std::clock_t began = std::clock();
      const Model model = train(data, options);
      seconds[scouted] = double(std::clock() - began) / CLOCKS_PER_SEC;
      criterion[scouted] = model.report.criterion_value;
      evaluations[scouted] = model.report.search.evaluations;
    }
    fmt::print("| {} | {} | {:.6g} | {:.6g} | {:.3f} | {} | {} | {:.1f} | {:.1f} | {:.1f} |\n", c.data,
               c.model.empty() ? "auto" : c.model, criterion[0], criterion[1],
               100.0 * (criterion[1] / criterion[0] - 1.0), evaluations[0], evaluations[1], seconds[0], seconds[1],
               seconds[0] / seconds[1]);
    std::fflush(stdout);
  }
}

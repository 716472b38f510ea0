// cli/experiment.cpp (of program.hpp) -- the papers' tables and figures by name.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/fit_options.hpp"
#include "cli/journal.hpp"
#include "cli/page.hpp"
#include "cli/watch.hpp"
#include "experiment/study.hpp"
#include "experiment/study_page.hpp"
#include "experiment/study_text.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/page/page.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna::cli {
namespace {

struct ExperimentArguments {
  std::string name, data, models, cvs, sets, protocol, splits, seed, threads, journal, output, report;
  bool json = false, quiet = false;
};

// NAME.md, NAME.json, NAME-SHEET.csv and NAME-CHART.vl.json.
void write_folder(const std::string& folder, const Study& study) {
  const std::string stem = folder + "/" + study.name;
  for (const Sheet& s : study.sheets) write_file_atomically(fmt::format("{}-{}.csv", stem, s.name), sheet_csv(s));
  for (const Chart& c : study.charts) write_file_atomically(fmt::format("{}-{}.vl.json", stem, c.name), c.vega_lite);
  write_file_atomically(stem + ".json", json_text(study_json(study)));
  write_file_atomically(stem + ".md", study_markdown(study));
}

// An option that an experiment does not look at was meant for something.
void refuse_unused(const ExperimentArguments& given) {
  const std::vector<std::string>& takes = experiment_options(given.name);
  const std::vector<std::pair<std::string, std::string>> words{
      {"data", given.data},         {"sets", given.sets},     {"model", given.models}, {"cv", given.cvs},
      {"protocol", given.protocol}, {"splits", given.splits}, {"seed", given.seed}};
  for (const auto& [option, value] : words)
    if (!value.empty() && std::find(takes.begin(), takes.end(), option) == takes.end())
      fail_usage(
          fmt::format("experiment {} does not take --{}; it takes --{}", given.name, option, join(takes, ", --")));
}

/// Made if it is not there, and gone again if nothing was put into it.
class NewFolder {
 public:
  explicit NewFolder(std::string path) : path_(std::move(path)) {
    made_ = !path_.empty() && std::filesystem::create_directories(path_, ignored_);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() {
    if (made_) std::filesystem::remove(path_, ignored_);  // not if there is something in it
  }

 private:
  std::string path_;
  std::error_code ignored_;
  bool made_ = false;
};

void run(const ExperimentArguments& given, const CLI::App& verb) {
  const std::vector<std::string>& names = experiment_names();
  if (given.name.empty())
    fail_usage(fmt::format("experiment: no name; lacuna experiment NAME --data DIR, with NAME one of {}", join(names)));
  choice("experiment", given.name, names);
  refuse_unused(given);
  StudyOptions options;
  options.data = given.data;
  options.models = model_list(given.models);
  options.cvs = comma_list(given.cvs);
  options.sets = comma_list(given.sets);
  options.protocol = given.protocol;
  for (std::size_t k = 0; k < options.sets.size(); ++k)
    if (std::count(options.sets.begin(), options.sets.end(), options.sets[k]) > 1)
      fail_usage(fmt::format("--sets: {} is there twice", options.sets[k]));
  if (!given.splits.empty()) options.splits = int(whole_number("--splits", given.splits, 1, 100'000));
  if (!given.seed.empty())
    options.seed = whole_number("--seed", given.seed, 0, std::uint64_t(std::numeric_limits<int>::max()));
  if (!given.threads.empty()) options.threads = int(whole_number("--threads", given.threads, 1, 4096));
  std::string kept = given.journal;
  const NewFolder folder(given.output);
  if (!given.output.empty()) {
    require_writable(given.output + "/" + given.name + ".md");
    if (kept.empty()) kept = given.output + "/" + given.name + ".journal";
  }
  Files files;
  if (!kept.empty() && kept != "none") files.writes(kept, "--journal");
  if (!given.output.empty())
    for (const char* end : {".md", ".json"}) files.writes(given.output + "/" + given.name + end, "-o");
  if (!given.report.empty()) require_pages("experiment: --report");
  if (given.report == "-") fail_usage("--report -: standard output has the report in words; name a file");
  if (!given.report.empty()) files.writes(given.report, "--report");
  files.check();
  const Output page(given.report, files);
  const std::string print = fingerprint(LACUNA_VERSION " " + given.name);
  const std::string command = fingerprint(fmt::format("{} {} {} {} {} {} {} {}", print, given.data, given.models,
                                                      given.cvs, given.sets, given.protocol, given.splits, given.seed));
  KeptJournal journal(kept, "experiment-" + given.name, print, command, given.quiet);
  Watch watch(!given.quiet);
  options.observer = watch.observer();
  const Study study = run_experiment(given.name, options, *journal);
  watch.clear();
  if (study.interrupted) journal.interrupted("result");
  Output("", Files()).write(given.json ? json_text(study_json(study)) : study_markdown(study));
  if (!given.output.empty()) write_folder(given.output, study);
  if (page.is_file()) page.write(page_html(study_page_json(study, command_line(verb))));
  journal.done();
}

}  // namespace

Verb experiment_verb(CLI::App& program) {
  auto given = std::make_shared<ExperimentArguments>();
  CLI::App* verb = program.add_subcommand("experiment", "the papers' tables and figures");
  verb->add_option("EXPERIMENT", given->name, join(experiment_names()));
  verb->add_option("--data", given->data, "folder with the data sets")->type_name("DIR");
  verb->add_option("--sets", given->sets, "some of its data sets (default: all)")->type_name("NAME,...");
  verb->add_option("--model", given->models, "ida: some of the classifiers (default: all)")->type_name("NAME,...");
  verb->add_option("--cv", given->cvs, "ida: loo, explicit:K (default: loo, and the papers' explicit k-fold)")
      ->type_name("HOW,...");
  verb->add_option("--protocol", given->protocol,
                   "ida: split (selection in every split) or median (of the first five) (default: the papers'); wcci: "
                   "unweighted "
                   "or all (default unweighted)")
      ->type_name("NAME");
  verb->add_option("--splits", given->splits,
                   "ida, wcci: how many splits; ida: published ones are topped up to so many (default 20)")
      ->type_name("N");
  verb->add_option("--seed", given->seed, "for what is drawn at random (default 1)")->type_name("N");
  verb->add_option("--threads", given->threads, "default: all")->type_name("N");
  verb->add_option(
          "--journal", given->journal,
          "keep finished parts here, and go on from there when started again; none: keep nothing (default: beside "
          "the output, else in the user's cache until the end)")
      ->type_name("FILE");
  verb->add_option("-o,--output", given->output, "write Markdown, CSV, JSON and charts into this folder")
      ->type_name("DIR");
  verb->add_option("--report", given->report, "write a report here that a browser opens: one HTML file")
      ->type_name("FILE");
  verb->add_flag("--json", given->json, "print JSON, with every split's values");
  verb->add_flag("-q,--quiet", given->quiet, "no progress");
  verb->footer(
      "ida         error, information and selection time of classifiers on the IDA benchmarks ([KLR], [KPR], [KFD])\n"
      "ripley      cross-entropy of klr over theta and lambda: leave-one-out, 10-fold, test ([KLR] figures 1 to 3)\n"
      "complexity  run time of leaving out for kfd on the annulus ([KFD] figures 1 and 2)\n"
      "motorcycle  sparse LS-SVM: basis, fast and explicit leave-one-out ([SPARSE])\n"
      "boston      the same on Boston housing ([SPARSE])\n"
      "wcci        criterion, weighting and kernel of weighted LS-SVMs, nested ([WLSSVM])\n\n"
      "Examples:\n"
      "  lacuna experiment ida --data ida --sets banana,heart --model klr -o results\n"
      "  lacuna experiment motorcycle --data mass\n");
  return {verb, [given, verb] { run(*given, *verb); }};
}

}  // namespace lacuna::cli

// cli/evaluate.cpp (of program.hpp) -- nested validation from the command line. Each way of fitting is a contender: one
// for each model named, and one for each --compare, which is more options of fit on top of those given.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/fit_options.hpp"
#include "cli/journal.hpp"
#include "cli/model_first.hpp"
#include "cli/page.hpp"
#include "cli/watch.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/report/evaluation.hpp"
#include "lacuna/report/page/evaluation_page.hpp"
#include "lacuna/report/report.hpp"
#include "lacuna/report/test_rows.hpp"

namespace lacuna::cli {
namespace {

struct EvaluateArguments {
  FitArguments fit;
  std::vector<std::string> compare;
  std::string splits, budget = "10m", journal, output, predictions, by, report;
  bool json = false, baseline = false;
};

// One way of fitting in words: the options that were given and matter to its results, "--kernel=linear", in order of
// name.
using Words = std::map<std::string, std::string>;

Words words_of(const CLI::App& verb) {
  FitArguments ignored;
  CLI::App fit;
  add_fit_options(fit, ignored);
  Words out;
  for (const CLI::Option* o : fit.get_options()) {
    const std::string name = o->get_name();
    const CLI::Option* given = verb.get_option_no_throw(name);
    if (given == nullptr || given->count() == 0) continue;
    if (name == "--help" || name == "--threads" || name == "--memory" || name == "--quiet" || name == "--seed" ||
        name == "--backend")
      continue;
    out[name] = given->count() > 0 && given->get_items_expected_max() == 0 ? "yes" : join(given->results());
  }
  return out;
}

struct Way {
  FitArguments fit;
  Words words;
  std::string remarks;  // options of --compare besides model and kernel
};

std::vector<Way> one_for_each_model(const Way& way) {
  std::vector<Way> out;
  for (const std::string& model : model_list(way.fit.model)) {
    out.push_back(way);
    out.back().fit.model = model;
    out.back().words["--model"] = model;
  }
  return out;
}

// Of two flags that exclude each other the one of --compare holds.
void take_back(Way& way, const Words& fresh, const char* one, const char* other, bool& has_one, bool& has_other) {
  if (fresh.contains(one) && !fresh.contains(other)) {
    has_other = false;
    way.words.erase(other);
  } else if (fresh.contains(other) && !fresh.contains(one)) {
    has_one = false;
    way.words.erase(one);
  }
}

std::vector<Way> ways(const EvaluateArguments& given, const CLI::App& verb) {
  const Way base{given.fit, words_of(verb), ""};
  std::vector<Way> out = one_for_each_model(base);
  for (const std::string& more : given.compare) {
    Way way = base;
    CLI::App parser;
    add_fit_options(parser, way.fit);
    try {
      parser.parse(more, false);
    } catch (const CLI::ParseError& error) {
      fail_usage(fmt::format("--compare \"{}\": {}; it takes options of fit", more, error.what()));
    }
    const Words words = words_of(parser);
    for (const char* shared : {"--target", "--task", "--positive", "--group", "--format", "--delimiter", "--decimal",
                               "--header", "--no-header"})
      if (words.contains(shared)) fail_usage(fmt::format("--compare \"{}\": {} is the same for all", more, shared));
    if (way.fit.seed != given.fit.seed) fail_usage(fmt::format("--compare \"{}\": --seed is the same for all", more));
    take_back(way, words, "--recalibrate", "--no-recalibrate", way.fit.recalibrate, way.fit.no_recalibrate);
    for (const auto& [name, value] : words) {
      way.words[name] = value;
      if (name != "--model" && name != "--kernel")
        way.remarks += fmt::format(" {}{}", name, value == "yes" ? "" : " " + value);
    }
    for (Way& one : one_for_each_model(way)) out.push_back(std::move(one));
  }
  return out;
}

Contender contender(const Way& way, const std::optional<Table>& table) {
  Contender out;
  FitPlan plan = fit_plan(way.fit);
  if (table) settle_columns(*table, plan);
  if (table && !basis_file(plan).empty()) {
    plan.read.most_bytes = plan.train.run.memory_bytes.value_or(available_bytes());
    out.basis = read_table(basis_file(plan), plan.read);
  }
  out.data = plan.data;
  out.train = plan.train;
  out.choose = plan.choose;
  const Effort effort = plan.choose.effort;
  const std::string kernel = effort == Effort::best ? "stack" : effort == Effort::normal ? "auto" : way.fit.kernel;
  out.name = fmt::format("{}, {}{}", way.fit.model, kernel, way.remarks);
  for (const auto& [name, value] : way.words) {
    out.key += fmt::format("{}={} ", name, value);
    if (name != "--threshold" && name != "--cost") out.fit += fmt::format("{}={} ", name, value);
  }
  for (std::string* key : {&out.key, &out.fit}) {
    if (out.basis) *key += fmt::format("basis={} ", fingerprint(*out.basis));
    *key += fmt::format("seed={}", plan.train.select.search_options.seed);
    std::replace_if(
        key->begin(), key->end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  }
  return out;
}

// One answer for all rows, with the columns, weights and prices of the first contender.
Contender constant_like(const Contender& first) {
  Contender out{.name = "constant", .key = "constant " + first.key, .data = first.data};
  out.train.held_out.costs = first.train.held_out.costs;
  out.constant = true;
  return out;
}

// Where an unnamed journal is: the same command finds it again, and no other.
std::string command_print(const std::string& evaluation, const EvaluateArguments& given,
                          const EvaluateOptions& options) {
  std::string words = fmt::format("{} {} {}", evaluation, given.splits, given.budget);
  for (const Contender& c : options.contenders) words += '\n' + c.key;
  return fingerprint(words);
}

Files files_of(const EvaluateArguments& given, const std::vector<Way>& all, const SplitPlan& plan) {
  Files files;
  files.reads(given.fit.data, "data").writes(given.output, "-o").writes(given.predictions, "--predictions");
  if (!given.report.empty()) files.writes(given.report, "--report");
  for (const Way& way : all) files.reads(basis_file(fit_plan(way.fit)), "basis");
  if (plan.kind == SplitPlan::Kind::files)
    files.reads(plan.stem + ".train.csv", "splits").reads(plan.stem + ".test.csv", "splits");
  if (!given.journal.empty() && given.journal != "none") files.writes(given.journal, "--journal");
  return files;
}

void run(const EvaluateArguments& given, const CLI::App& verb) {
  if (given.fit.data.empty()) fail_usage("evaluate: no data; lacuna evaluate DATA --target COL (- is standard input)");
  EvaluateOptions options;
  if (!given.splits.empty()) options.plan = parse_split_plan(given.splits);
  options.budget_seconds = seconds_of("--budget", given.budget);
  const std::vector<Way> all = ways(given, verb);
  if (all.empty()) fail_usage("evaluate: --model is empty");
  for (const Way& way : all) (void)contender(way, {});  // refused before any data is read
  FitPlan first = fit_plan(all[0].fit);
  const double allowed = first.train.run.memory_bytes.value_or(available_bytes());
  first.read.most_bytes = allowed;
  options.plan.seed = first.train.select.search_options.seed;
  options.threads = first.train.run.threads;
  if (!given.report.empty()) require_pages("evaluate: --report");
  if (given.report == "-") fail_usage("--report -: standard output has the report in words; name a file");
  const Files files = files_of(given, all, options.plan);
  const Output output(given.output, files);
  std::optional<Output> predictions, page;
  if (!given.report.empty()) page.emplace(given.report, files);
  if (!given.predictions.empty()) predictions.emplace(given.predictions, files);
  options.keep_rows = !given.predictions.empty();
  options.intervals = options.keep_rows || verb.count("--interval") > 0;
  options.by = given.by;

  refuse_model_as_data("evaluate", given.fit.data);
  const std::optional<Table> table = read_table(given.fit.data, first.read);
  for (const Way& way : all) options.contenders.push_back(contender(way, table));
  if (given.baseline) options.contenders.push_back(constant_like(options.contenders[0]));
  const std::string print = evaluation_fingerprint(*table, options.plan);
  KeptJournal journal(given.journal, "evaluate", print, command_print(print, given, options), given.fit.quiet, allowed);
  Watch watch(!given.fit.quiet);
  options.observer = watch.observer();
  NestedValidation evaluation = evaluate(*table, options, *journal);
  watch.clear();
  if (evaluation.interrupted) journal.interrupted(options.contenders.size() == 1 ? "split" : "result");
  if (!given.fit.quiet) {
    warn(evaluation.notes);
    for (const auto& of : evaluation.contenders)
      for (const Warning& w : common_warnings(of.splits)) warn(of.name + ": " + w.text);
  }
  if (predictions) {
    std::ostringstream rows;
    write_test_predictions(evaluation, rows);
    predictions->write(rows.str());
  }
  if (page)
    page->write(page_html(
        evaluation_page_json(evaluation, {.command = command_line(verb), .data = file_name(given.fit.data)})));
  output.write(given.json ? json_text(evaluation_json(evaluation)) : evaluation_text(evaluation));
  journal.done();
}

}  // namespace

Verb evaluate_verb(CLI::App& program) {
  auto given = std::make_shared<EvaluateArguments>();
  CLI::App* verb = program.add_subcommand("evaluate", "honest performance: everything chosen anew in every split");
  verb->add_option("DATA", given->fit.data,
                   "CSV, TSV or LIBSVM text, also gzipped, or a folder of its parts; - is standard input");
  add_fit_options(*verb, given->fit);
  verb->option_defaults()->group("Splits");
  verb->add_option("--splits", given->splits,
                   "N random splits, N:SHARE with that share for testing, folds:K, folds:KxR, groups (each once), or "
                   "files:STEM (STEM.train.csv and STEM.test.csv, a split a line) (default: 100:0.1, fewer where they "
                   "would take long)")
      ->type_name("HOW");
  verb->add_option("--budget", given->budget,
                   "how long all splits may take when their number is not given (default 10m)")
      ->type_name("TIME");
  verb->add_option("--compare", given->compare,
                   "more options of fit, in quotes: evaluated on the same splits and compared; may be repeated. "
                   "--model a,b,c does the same for models")
      ->type_name("OPTIONS")
      ->allow_extra_args(false);
  verb->add_flag(
      "--baseline", given->baseline,
      "a contender that looks at no column: class shares and the commonest (or cheapest) class, the mean, or "
      "one rate");
  verb->option_defaults()->group("Options");
  verb->add_option(
          "--predictions", given->predictions,
          "write what was predicted for every test row of every split: split, row, target, prediction, output, "
          "and probabilities or the ends of intervals")
      ->type_name("FILE");
  verb->add_option("--by", given->by, "scores of the rows of each level of this column, too")->type_name("COL");
  verb->add_option(
          "--journal", given->journal,
          "keep finished splits here, and go on from there when started again; none: keep nothing (default: in "
          "the user's cache until the end)")
      ->type_name("FILE");
  verb->add_option("-o,--output", given->output, "write the report here (default: standard output)")->type_name("FILE");
  verb->add_option("--report", given->report, "write a report here that a browser opens: one HTML file")
      ->type_name("FILE");
  verb->add_flag("--json", given->json, "as JSON, with every split's values");
  verb->footer(
      "In every split the whole of fit is done again on the training part - encoding, standardisation, selection - "
      "and\n"
      "judged on the test part. The selection criterion at its own optimum is printed beside it and labelled: it is\n"
      "optimistic. Splits share rows: standard errors, t and p are corrected for that (Nadeau and Bengio). Rows of "
      "one\n"
      "--group are never parted, neither by the splits nor by the selection inside them.\n"
      "Interrupted or killed, the same command goes on where it was and gives the same numbers.\n\n"
      "Examples:\n"
      "  lacuna evaluate houses.csv --target price\n"
      "  lacuna evaluate patients.csv --target ill --model klr,ls-svm,kfd --json -o compared.json\n"
      "  lacuna evaluate patients.csv --target ill --compare \"--kernel linear\" --compare \"--cv 10\"\n"
      "  lacuna evaluate visits.csv --target ill --group patient --splits folds:10x3\n"
      "  lacuna evaluate loans.csv --target bad --baseline --compare \"--cost 1,5\" --by branch --predictions oof.csv\n"
      "  lacuna evaluate banana.csv --target label --splits files:ida/banana --no-standardise\n");
  return {verb, [given, verb] { run(*given, *verb); }};
}

}  // namespace lacuna::cli

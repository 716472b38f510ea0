// cli/fit.cpp (of program.hpp) -- select, fit, report, save.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/fit_options.hpp"
#include "cli/model_first.hpp"
#include "cli/page.hpp"
#include "cli/watch.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/page/page.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna::cli {
namespace {

// Options that say what is to be chosen and how, or what becomes of the result: a fit with what was chosen given has
// its own, or needs none.
const std::vector<std::string> of_choices{
    "--model",  "--kernel",          "--effort",  "--stack",      "--lambda",      "--mu",
    "--search", "--max-evaluations", "--penalty", "--time-limit", "--recalibrate", "--no-recalibrate",
    "--quiet",  "--output",          "--loo",     "--report",     "--json"};

struct FitVerbArguments {
  FitArguments fit;
  std::string output, loo, report;
  bool json = false;
};

void run(const FitVerbArguments& given, const CLI::App& verb) {
  if (given.fit.data.empty()) fail_usage("fit: no data; lacuna fit DATA --target COL (- is standard input)");
  refuse_model_as_data("fit", given.fit.data);
  const FitPlan plan = fit_plan(given.fit);
  if (given.report == "-") fail_usage("--report -: standard output has the report of the fit; name a file");
  if (given.output == "-") fail_usage("-o -: a model is not written to standard output; name a file");
  Files files = inputs_of(given.fit, plan);
  if (!given.output.empty()) files.writes(given.output, "-o");
  if (!given.loo.empty()) files.writes(given.loo, "--loo");
  if (!given.report.empty()) {
    require_pages("fit: --report");
    files.writes(given.report, "--report");
  }
  files.writes("-", "the report on");
  const Output page_file(given.report, files);
  const Output model_file(given.output, files), loo_file(given.loo, files), screen("", files);

  FitArguments fit = given.fit;
  fit.cache_folder = model_file.folder();
  const Model model = fit_model(fit, plan);
  // Standard output first: where it cannot be written to, files that were there stay as they are.
  if (given.loo != "-") screen.write(given.json ? json_text(fit_json(model)) : fit_text(model));
  if (loo_file.is_file() || given.loo == "-") {
    std::ostringstream csv;
    write_held_out_csv(model, csv);
    loo_file.write(csv.str());
  }
  if (model_file.is_file()) write_model(model, model_file.path());
  if (page_file.is_file()) {
    Watch watch(!given.fit.quiet);
    const PageOptions options{.command = command_line(verb),
                              .command_without_choices = command_line(verb, of_choices),
                              .data = file_name(given.fit.data),
                              .seed = plan.train.select.search_options.seed,
                              .observer = watch.observer()};
    const std::string page = page_html(model_page_json(model, options));
    watch.clear();
    page_file.write(page);
  }
  end_if_interrupted(model);
}

}  // namespace

Verb fit_verb(CLI::App& program) {
  auto given = std::make_shared<FitVerbArguments>();
  CLI::App* verb = program.add_subcommand("fit", "choose hyper-parameters, fit, and say how good the model is");
  verb->add_option("DATA", given->fit.data,
                   "CSV, TSV or LIBSVM text, also gzipped, or a folder of its parts; - is standard input");
  add_fit_options(*verb, given->fit);
  verb->option_defaults()->group("Options");
  verb->add_option("-o,--output", given->output, "write the model here")->type_name("FILE");
  verb->add_option("--loo", given->loo, "write every row's held-out output here, as CSV")->type_name("FILE");
  verb->add_option("--report", given->report, "write a report here that a browser opens: one HTML file")
      ->type_name("FILE");
  verb->add_flag("--json", given->json, "print the report as JSON");
  verb->footer(
      "Examples:\n"
      "  lacuna fit houses.csv --target price -o houses.lacuna\n"
      "  lacuna fit iris.csv --target species --kernel ard --json\n"
      "  lacuna fit patients.csv --target ill --ignore id,name --group family --threshold ber\n"
      "  lacuna fit patients.csv --target ill --threshold cost:1,10 --refit-flagged\n"
      "  lacuna fit claims.csv --target claims --task counts --exposure years\n"
      "  lacuna fit data.csv --target y --kernel rbf:theta=0.5 --lambda 0.1 --search none\n"
      "  lacuna fit many.csv --target y --basis auto -o many.lacuna\n"
      "  zcat big.csv.gz | lacuna fit - --target y --time-limit 5m -o big.lacuna\n");
  return {verb, [given, verb] { run(*given, *verb); }};
}

}  // namespace lacuna::cli

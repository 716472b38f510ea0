// cli/loo.cpp (of program.hpp) -- every row's held-out output, of data or of a model.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <sstream>

#include "cli/fit_options.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/redecide.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna::cli {
namespace {

struct LooArguments {
  FitArguments fit;
  std::string output, verify;
};

// A model is fitted already: an option of fit was meant for something that will not happen.
void refuse_fit_options(const CLI::App& verb, const std::string& model) {
  std::vector<std::string> given;
  for (const CLI::Option* o : verb.get_options()) {
    const std::string name = o->get_name();
    const bool decides = name == "--cost" || name == "--threshold" || name == "--output" || name == "--quiet";
    if (o->count() > 0 && name.starts_with("--") && !decides) given.push_back(name);
  }
  if (!given.empty())
    fail_usage(fmt::format("loo: {} is a model, fitted already: {} {} with data; lacuna loo DATA --target COL ...",
                           model, join(given), given.size() == 1 ? "goes" : "go"));
}

// Prices of mistakes and the cut may still change.
Model stored(const LooArguments& given, const FitPlan& plan, const CLI::App& verb) {
  if (!given.verify.empty())
    fail_usage(fmt::format("loo: --verify refits, and {} has no training data; run lacuna loo --verify on the data",
                           given.fit.data));
  refuse_fit_options(verb, given.fit.data);
  Model model = read_model(given.fit.data);
  if (model.held_out.size() == 0)
    fail_data(fmt::format("loo: {} keeps no held-out outputs; run lacuna loo on its data", given.fit.data));
  const HeldOutOptions& wanted = plan.train.held_out;
  if (!wanted.costs && !wanted.threshold) return model;
  if (!knows_weights(model))
    fail_usage(
        fmt::format("loo: --cost and --threshold: rows of {} have weights, which the older program that wrote it did "
                    "not keep; lacuna loo on the data takes them",
                    given.fit.data));
  if (wanted.costs && !has_prices(*wanted.costs, model.held_out.prices))
    fail_usage(
        fmt::format("loo: --cost {}: {} does not keep these columns of its rows; lacuna loo on the data reads "
                    "them",
                    costs_text(*wanted.costs), given.fit.data));
  return with_decisions(std::move(model), wanted.threshold, wanted.costs);
}

void run(const LooArguments& given, const CLI::App& verb) {
  if (given.fit.data.empty()) fail_usage("loo: no input; lacuna loo DATA --target COL, or lacuna loo MODEL");
  FitPlan plan = fit_plan(given.fit);
  if (!given.verify.empty()) plan.train.held_out.verify = int(whole_number("--verify", given.verify, 1, 1'000'000'000));
  const Output output(given.output, inputs_of(given.fit, plan).writes(given.output, "-o"));
  const Model model = is_model_file(given.fit.data) ? stored(given, plan, verb) : fit_model(given.fit, plan);
  std::ostringstream csv;
  write_held_out_csv(model, csv);
  // Beside a file the lists are the result; beside a table on standard output they are remarks.
  const std::string lists = cost_text(model) + verification_text(model.report) + suspects_text(model);
  if (output.is_file()) Output("", Files()).write(lists);
  output.write(csv.str());
  if (!output.is_file() && !given.fit.quiet) std::cerr << lists;
}

}  // namespace

Verb loo_verb(CLI::App& program) {
  auto given = std::make_shared<LooArguments>();
  CLI::App* verb = program.add_subcommand("loo", "what the model says about every row without having seen it");
  verb->add_option("DATA|MODEL", given->fit.data, "data to fit as with fit, or a model that was fitted");
  add_fit_options(*verb, given->fit);
  verb->option_defaults()->group("Options");
  verb->add_option("-o,--output", given->output, "write the CSV here (default: standard output)")->type_name("FILE");
  verb->add_option("--verify", given->verify, "refit without them K rows (or folds) picked at random, and compare")
      ->type_name("K");
  verb->footer(
      "Writes row,target,output,probability,prediction,residual,leverage,loss,trust (and score, the standard score of "
      "a\n"
      "count); row counts from 1 in the data.\n"
      "With --cv KxR every row is there R times, the column repeat after it: scores are means over the repeats.\n"
      "Cells that this kind of model has no value for are empty. trust is 1 where a second Newton step would change\n"
      "nothing. With -o, suspected wrong labels and the most influential rows are listed on standard output, else on\n"
      "standard error.\n\n"
      "Examples:\n"
      "  lacuna loo houses.lacuna -o heldout.csv\n"
      "  lacuna loo loans.lacuna --cost 1,5 -o heldout.csv\n"
      "  lacuna loo houses.csv --target price --kernel linear\n"
      "  lacuna loo patients.csv --target ill --verify 20 -o heldout.csv\n");
  return {verb, [given, verb] { run(*given, *verb); }};
}

}  // namespace lacuna::cli

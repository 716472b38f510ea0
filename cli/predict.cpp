#include <fmt/format.h>

#include <sstream>

#include "cli/fit_options.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna::cli {
namespace {

struct Arguments {
  std::string model, data, output, threads;
  ReadArguments read;
  bool quiet = false;
};

void run(const Arguments& given) {
  if (given.model.empty() || given.data.empty())
    fail_usage("predict: a model and data are needed; lacuna predict MODEL DATA (- is standard input)");
  const ReadOptions reading = read_options(given.read);
  const ThreadScope threads(given.threads.empty() ? 0 : int(whole_number("--threads", given.threads, 1, 4096)));
  const Output output(given.output, {given.model, given.data});
  const Model model = read_model(given.model);
  if (model.encoding.features.empty())
    fail_data(fmt::format("predict: {} was trained on bare rows and does not know columns", given.model));
  const Table table = read_table(given.data, reading);
  const Prepared rows = prepare(table, model.encoding);
  if (!given.quiet) {
    warn(table.notes);
    warn(rows.notes);
  }
  const Predictions predictions = predict(model, rows.X, rows.offset);
  std::ostringstream csv;
  write_predictions_csv(model, predictions, rows.source_row, csv);
  output.write(csv.str());
  const std::string how_good = performance_text(model, predictions, table, rows.source_row);
  if (!given.quiet && !how_good.empty()) say(how_good);
}

}  // namespace

Verb predict_verb(CLI::App& program) {
  auto given = std::make_shared<Arguments>();
  CLI::App* verb = program.add_subcommand("predict", "labels and probabilities, values or rates for new rows");
  verb->add_option("MODEL", given->model, "a model that fit wrote");
  verb->add_option("DATA", given->data, "rows to predict; columns are matched by name; - is standard input");
  verb->add_option("-o,--output", given->output, "write the CSV here (default: standard output)")->type_name("FILE");
  verb->add_option("--threads", given->threads, "default: all")->type_name("N");
  verb->add_flag("-q,--quiet", given->quiet, "no warnings, and nothing about how good the predictions are");
  add_read_options(*verb, given->read);
  verb->footer(
      "Writes row,prediction and then output,probability:LABEL... for classes, lower,upper (90 % intervals) for "
      "values, rate for counts.\n"
      "Where the data also has the target, how good the predictions are is said on standard error.\n\n"
      "Examples:\n"
      "  lacuna predict houses.lacuna new.csv -o prices.csv\n"
      "  cat new.csv | lacuna predict houses.lacuna -\n");
  return {verb, [given] { run(*given); }};
}

}  // namespace lacuna::cli

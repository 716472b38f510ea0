// cli/explain.cpp (of program.hpp) -- what a model does with its columns.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/explain_rows.hpp"
#include "cli/model_first.hpp"
#include "cli/watch.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/explain/explain.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/explanation.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna::cli {
namespace {

struct ExplainArguments {
  std::string model, data, output, curves, columns, row, permutations = "5", rows = "1000", seed = "0", threads,
                                                         backend = "auto";
  ReadArguments read;
  bool pairs = false, no_importance = false, json = false, quiet = false;
};

ExplainOptions options_of(const ExplainArguments& given) {
  ExplainOptions out;
  out.columns = comma_list(given.columns);
  out.rows = Index(whole_number("--rows", given.rows, 30, 1'000'000'000));
  out.importance = !given.no_importance;
  out.permutations = int(whole_number("--permutations", given.permutations, 1, 1000));
  out.pairs = given.pairs;
  out.curves = !given.curves.empty();
  if (!given.row.empty()) out.row = std::int64_t(whole_number("--row", given.row, 1, 1'000'000'000'000));
  out.seed = whole_number("--seed", given.seed, 0, ~std::uint64_t(0));
  return out;
}

void run(const ExplainArguments& given) {
  if (given.model.empty()) fail_usage("explain: no model; lacuna explain MODEL [DATA]");
  check_model_first("explain", given.model, given.data);
  ExplainOptions options = options_of(given);
  Files files;
  files.reads(given.model, "model").reads(given.data, "data").writes(given.output, "-o");
  if (!given.curves.empty()) files.writes(given.curves, "--curves");
  const Output output(given.output, files);
  const Output curves(given.curves, Files());
  const ThreadScope threads(given.threads.empty() ? 0 : int(whole_number("--threads", given.threads, 1, 4096)));
  const Model model = read_model(given.model);
  const ExplainRows rows = given.data.empty()
                               ? rows_of_model(model)
                               : rows_of_table("explain", given.model, given.data, given.read, given.quiet, model);
  Watch watch(!given.quiet);
  options.observer = watch.observer();
  const Explanation explanation = explain(model, rows, options, backend_named(given.backend));
  watch.clear();
  if (!given.curves.empty()) {
    if (!explanation.missing.empty())
      fail_data(fmt::format("explain: no curves: {}; give data: lacuna explain MODEL DATA", explanation.missing));
    std::ostringstream csv;
    write_curves_csv(explanation, csv);
    curves.write(csv.str());
  }
  output.write(given.json ? json_text(explanation_json(model, explanation)) : explanation_text(model, explanation));
}

}  // namespace

Verb explain_verb(CLI::App& program) {
  auto given = std::make_shared<ExplainArguments>();
  CLI::App* verb = program.add_subcommand("explain", "what a model does with its columns, and for which rows");
  verb->add_option("MODEL", given->model, "a model that fit wrote");
  verb->add_option("DATA", given->data,
                   "rows to explain it with, best ones it was not trained on (default: its training rows, held out)");
  verb->add_option("--columns", given->columns, "only these columns")->type_name("COL,...");
  verb->add_option("--curves", given->curves, "write what is predicted along each column here, as CSV")
      ->type_name("FILE");
  verb->add_flag("--pairs", given->pairs, "effects of two columns together, of the six with the largest effects");
  verb->add_option("--row", given->row, "the training rows that this row of the data leans on")->type_name("N");
  verb->add_flag("--no-importance", given->no_importance, "do not permute columns");
  verb->add_option("--permutations", given->permutations, "how often each column is permuted (default 5)")
      ->type_name("N");
  verb->add_option("--rows", given->rows, "most rows that means are taken over, a sample of more (default 1000)")
      ->type_name("N");
  verb->add_option("--seed", given->seed, "of permutations and samples (default 0)")->type_name("N");
  verb->add_option("--threads", given->threads, "default: all")->type_name("N");
  add_backend_option(*verb, given->backend);
  verb->add_option("-o,--output", given->output, "write the report here (default: standard output)")->type_name("FILE");
  verb->add_flag("--json", given->json, "as JSON");
  verb->add_flag("-q,--quiet", given->quiet, "no warnings");
  add_read_options(*verb, given->read);
  verb->footer(
      "An effect is the mean prediction with the column at its 10 % and at its 90 % quantile in every row, all else "
      "as\n"
      "it is; of a category, from the commonest level to the one that differs most. Importance is how much the loss "
      "of\n"
      "held-out rows (or of DATA, where the target is in it) grows when a column is permuted. A linear kernel also "
      "has\n"
      "coefficients in the units of the data.\n\n"
      "Examples:\n"
      "  lacuna explain houses.lacuna\n"
      "  lacuna explain houses.lacuna new.csv --curves curves.csv --pairs\n"
      "  lacuna explain houses.lacuna --row 17\n");
  return {verb, [given] { run(*given); }};
}

}  // namespace lacuna::cli

// cli/predict.cpp (of program.hpp) -- predictions of a model for new rows, as they are read.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/fit_options.hpp"
#include "cli/model_first.hpp"
#include "cli/on_disk.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/rows_on_disk.hpp"
#include "lacuna/explain/outside.hpp"
#include "lacuna/explain/trained_on.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/predictor.hpp"
#include "lacuna/model/redecide.hpp"
#include "lacuna/report/kept_columns.hpp"
#include "lacuna/report/performance.hpp"
#include "lacuna/report/report.hpp"
#include "lacuna/report/table_truth.hpp"

namespace lacuna::cli {
namespace {

struct PredictArguments {
  std::string model, data, output, quantiles, keep, json, threshold, cost, missing, threads, memory, backend = "auto";
  ReadArguments read;
  bool quiet = false, deviation = false, variance = false, outside = false;
  PredictOptions wanted() const;
};

PredictOptions PredictArguments::wanted() const {
  PredictOptions out{.deviation = deviation, .variance = variance};
  for (std::size_t begin = 0; !quantiles.empty() && begin <= quantiles.size();) {
    const std::size_t end = std::min(quantiles.find(',', begin), quantiles.size());
    out.quantiles.push_back(number_from_zero("--quantiles", quantiles.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

// Whether all rows, as cells and as inputs, fit into the memory allowed, by the file's size and beginning.
bool rows_fit_memory(const PredictArguments& given, ReadOptions& reading, double allowed) {
  const std::optional<TableEstimate> file = estimate_file(given.data, reading, allowed);
  if (!file) return true;
  const double in_memory = std::max(file->text_bytes + file->cell_bytes, file->cell_bytes + file->input_bytes);
  if (in_memory <= allowed) return true;
  if (!given.quiet) say_on_disk(given.data, *file, in_memory, limit_text(allowed, !given.memory.empty()));
  return false;
}

// Identifiers such as 007 are texts, unless the model takes them for numbers, as it may where a column is counted.
std::vector<std::string> kept_as_they_are(const Model& model, std::vector<std::string> kept) {
  std::erase_if(kept, [&](const std::string& name) {
    const auto is = [&](const auto& of) { return of.name == name; };
    const bool counted = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    return counted || std::ranges::any_of(model.encoding.columns, is) || model.encoding.offset_column == name ||
           model.encoding.weight_column == name || std::ranges::count(model.target_names, name) > 0;
  });
  return kept;
}

// Rows dropped for missing values have a line all the same, with no prediction, so that lines and rows of the data go
// together.
class Unpredicted {
 public:
  Unpredicted(const Model& model, Index rows, const PredictionColumns& columns)
      : model_(model), rows_(rows), columns_(columns) {}
  /// Lines for those before this row (from 1), which has one of its own.
  void write_before(std::int64_t row, std::ostream& csv) {
    for (; next_ < row; ++next_, ++count_) write_no_prediction(model_, next_, csv, columns_);
    next_ = row + 1;
  }
  void write_last(std::ostream& csv) { write_before(std::int64_t(rows_) + 1, csv); }
  Index count() const { return count_; }

 private:
  const Model& model_;
  Index rows_, count_ = 0;
  const PredictionColumns& columns_;
  std::int64_t next_ = 1;
};

// Block by block: what is in memory of each row is its number, its target and its offset.
void predict_rows(const PredictArguments& given, const Output& output, const Model& model, const Table& table,
                  const StreamedPrepared& rows, Watch& watch) {
  if (!given.quiet) {
    warn(table.notes);
    warn(rows.notes);
  }
  Predictor predictor(model, backend_named(given.backend));
  Performance performance(model, table);
  const KeptColumns kept(table, comma_list(given.keep));
  Vector outside;
  std::optional<Outside> rule;
  if (given.outside) rule.emplace(model);
  Index outside_rows = 0;
  const PredictionColumns columns{given.wanted(), &kept, rule ? &outside : nullptr};
  Unpredicted unpredicted(model, table.rows, columns);
  const RowPrices prices = prices_for(model, table, rows.source_row);
  const bool judged = TableTruth(model, table).known();
  const Vector weights = judged ? read_weights(table, model.encoding, rows.source_row) : Vector();
  std::optional<TrainedOn> trained_on;  // scores of such rows say little of others
  if (judged && !given.quiet) trained_on.emplace(model);
  const StopScope stopping(watch.observer());
  output.write([&](const WriteMore& more) {
    std::ostringstream csv;
    write_predictions_heading(model, csv, columns);
    more(csv.str());
    constexpr Index block = 1 << 15;
    const Index all = rows.X.rows();
    for (Index first = 0; first < all; first += block) {
      const Interrupted interrupted{output.is_file() ? "nothing was written"
                                                     : fmt::format("{} of {} rows were written", first, all)};
      if (!go_on(watch.observer(), {"predicting", first, all})) throw interrupted;
      const Index count = std::min(block, all - first);
      const std::span row = std::span(rows.source_row).subspan(std::size_t(first), std::size_t(count));
      const Vector offset = rows.offset.size() > 0 ? Vector(rows.offset.segment(first, count)) : Vector();
      const RowPrices priced =
          prices.empty() ? RowPrices{} : RowPrices{prices.name, prices.value.middleRows(first, count)};
      const Predictions said = [&] {
        try {
          PredictOptions wanted = columns.wanted;
          wanted.prices = priced;
          return predictor.predict(rows.X.block(first, count), offset, row, wanted);
        } catch (const Stopped&) {
          throw interrupted;
        }
      }();
      if (rule) outside = rule->ratio(rows.X.block(first, count));
      if (trained_on) trained_on->add(rows.X.block(first, count), said.output);
      outside_rows += (outside.array() > 1.0).count();
      performance.add(said, row, priced, weights.size() > 0 ? Vector(weights.segment(first, count)) : Vector());
      csv.str("");
      const auto before = [&](std::int64_t one) { unpredicted.write_before(one, csv); };
      write_predictions_csv(model, said, row, csv, before, columns);
      more(csv.str());
    }
    csv.str("");
    unpredicted.write_last(csv);
    more(csv.str());
  });
  watch.clear();
  if (outside_rows > 0 && !given.quiet)
    warn(fmt::format(
        "{} of {} rows are outside the data: farther from every training row than 99 % of the training rows "
        "are from their nearest",
        outside_rows, rows.X.rows()));
  if (unpredicted.count() > 0 && !given.quiet)
    warn(fmt::format("rows left out for missing cells have a line without a prediction: {} of {}", unpredicted.count(),
                     table.rows));
  if (const std::string unknown = performance.unknown_labels(); !unknown.empty() && !given.quiet) warn(unknown);
  if (const Index seen = trained_on ? trained_on->count() : 0; seen > 0)
    warn(
        fmt::format("{} of the {} rows are training rows: their scores are optimistic; those of held-out rows are in "
                    "lacuna inspect {}",
                    seen, rows.X.rows(), given.model));
  if (!given.json.empty()) Output(given.json, Files()).write(json_text(performance.json()));
  const std::string how_good = performance.text();
  if (!given.quiet && !how_good.empty()) say(how_good);
}

void run(const PredictArguments& given) {
  if (given.model.empty() || given.data.empty())
    fail_usage("predict: a model and data are needed; lacuna predict MODEL DATA (- is standard input)");
  check_model_first("predict", given.model, given.data);
  ReadOptions reading = read_options(given.read);
  std::optional<ThresholdRule> threshold;
  std::optional<Costs> costs;
  if (!given.threshold.empty()) threshold = parse_threshold(given.threshold);
  if (!given.cost.empty()) costs = parse_costs(given.cost);
  const ThreadScope threads(given.threads.empty() ? 0 : int(whole_number("--threads", given.threads, 1, 4096)));
  Files files;
  files.reads(given.model, "model").reads(given.data, "data").writes(given.output, "-o");
  if (!given.json.empty()) files.writes(given.json, "--json");
  const Output output(given.output, files);
  if (!given.json.empty()) (void)Output(given.json, Files());  // refused before the work
  std::optional<Missing> missing;
  if (!given.missing.empty()) missing = Missing(choice("--missing", given.missing, option_choices("--missing")));
  const double allowed = given.memory.empty() ? available_bytes() : bytes_of("--memory", given.memory);
  std::error_code no_file;
  if (const auto bytes = double(std::filesystem::file_size(given.model, no_file)); !no_file && 2.0 * bytes > allowed)
    fail_data(fmt::format("predict: {}: reading the model needs {} of memory, and {}", given.model,
                          size_text(2.0 * bytes), limit_text(allowed, !given.memory.empty())));
  const Model model = with_decisions(read_model(given.model), threshold, costs);
  const bool by_held_out_rows = threshold ? threshold->kind != ThresholdRule::Kind::probability
                                          : costs && !by_row(*costs) && model.task == Task::binary;
  if (!given.quiet && by_held_out_rows && !knows_weights(model))
    warn(
        "the model's rows differ in weight, which the older program that wrote it did not keep: the cut is where "
        "probabilities put it, not held-out rows; fit --threshold or --cost looks at them");
  if (model.encoding.features.empty())
    fail_data(fmt::format("predict: {} was trained on bare rows and does not know columns", given.model));
  check_wanted(model, given.wanted());
  if (!missing) missing = model.encoding.missing;
  reading.most_bytes = allowed;
  reading.as_text = kept_as_they_are(model, comma_list(given.keep));
  Watch watch(!given.quiet);
  if (rows_fit_memory(given, reading, allowed)) {
    const Table table = read_table(given.data, reading);
    const Prepared rows = prepare(table, model.encoding, missing);
    predict_rows(given, output, model, table, {RowSource(rows.X), rows.offset, rows.source_row, rows.notes}, watch);
    return;
  }
  const Table table = stream_watched(given.data, reading, output.folder(), watch);
  predict_rows(given, output, model, table, prepare_streamed(table, model.encoding, missing), watch);
}

}  // namespace

Verb predict_verb(CLI::App& program) {
  auto given = std::make_shared<PredictArguments>();
  CLI::App* verb = program.add_subcommand("predict", "labels and probabilities, values or rates for new rows");
  verb->add_option("MODEL", given->model, "a model that fit wrote");
  verb->add_option("DATA", given->data, "rows to predict; columns are matched by name; - is standard input");
  verb->add_option("-o,--output", given->output, "write the CSV here (default: standard output)")->type_name("FILE");
  verb->add_option("--quantiles", given->quantiles,
                   "values: also these quantiles of new ones, such as 0.05,0.5,0.95, as columns q0.05 ...")
      ->type_name("LIST");
  verb->add_flag("--sd", given->deviation, "values: also the standard deviation of new ones about the prediction");
  verb->add_flag("--variance", given->variance,
                 "Gaussian processes, ls-svm for values among them: also the variance of the function itself");
  verb->add_option("--keep", given->keep, "copy these columns of the data into the output, after the row")
      ->type_name("COL,...");
  verb->add_flag("--outside", given->outside,
                 "also how far each row is from the nearest training row, over the distance that 99 % of the training "
                 "rows keep to theirs: above 1 a row is outside the data");
  verb->add_option("--json", given->json, "write every score of the predictions here, where the target is in the data")
      ->type_name("FILE");
  verb->add_option("--threshold", given->threshold,
                   "move the cut between two classes: a probability, or error, ber or cost:FP,FN as with fit")
      ->type_name("RULE");
  verb->add_option("--cost", given->cost,
                   "what mistakes cost, as with fit: decisions follow, and with the target their cost is reported")
      ->type_name("FP,FN");
  verb->add_option("--missing", given->missing,
                   "missing cells: error, mean (that of training), indicator, or drop: a line without a prediction "
                   "(default: as with fit)")
      ->type_name("POLICY");
  verb->add_option("--threads", given->threads, "default: all")->type_name("N");
  verb->add_option("--memory", given->memory,
                   "most memory to use, such as 4G (default: what is free); rows that do not fit stay on disk")
      ->type_name("SIZE");
  add_backend_option(*verb, given->backend);
  verb->add_flag("-q,--quiet", given->quiet, "no warnings, and nothing about how good the predictions are");
  add_read_options(*verb, given->read);
  verb->footer(
      "Writes row,prediction and then output,probability:LABEL... for classes, lower,upper for values\n"
      "(about 90 % of new values fall between), rate for counts.\n"
      "One line for each row of the data; without prediction where it misses a value and --missing is drop.\n"
      "Where the data also has the target, their error is reported on standard error, by weight where it also has the\n"
      "column that was --weights of fit.\n\n"
      "Examples:\n"
      "  lacuna predict houses.lacuna new.csv -o prices.csv\n"
      "  cat new.csv | lacuna predict houses.lacuna -\n"
      "  lacuna predict patients.lacuna new.csv --cost 1,5 -o decisions.csv\n");
  return {verb, [given] { run(*given); }};
}

}  // namespace lacuna::cli

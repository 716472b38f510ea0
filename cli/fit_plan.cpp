// cli/fit_plan.cpp (of fit_options.hpp) -- from the words given to the library's options, before any data is read.
#include <fmt/format.h>

#include <filesystem>
#include <tuple>

#include "cli/fit_options.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"

namespace lacuna::cli {
namespace {

std::optional<Criterion> criterion_of(const std::string& given) {
  if (given == "auto") return {};
  return parse_criterion(given);
}

Weighting weighting_of(const std::string& given, std::optional<std::string>& column) {
  if (given == "none") return Weighting::none;
  if (given == "balanced") return Weighting::balanced;
  column = given;
  return Weighting::column;
}

DataOptions data_options(const FitArguments& given) {
  DataOptions out;
  out.targets = given.target;
  out.task = DataOptions::TaskRequest(choice("--task", given.task, option_choices("--task")));
  out.missing = Missing(choice("--missing", given.missing, option_choices("--missing")));
  if (!given.positive.empty()) out.positive = given.positive;
  out.features = given.features;
  out.ignore = given.ignore;
  out.categorical = given.categorical;
  if (!given.weights.empty()) out.weights = given.weights;
  if (!given.cost.empty()) out.prices = price_columns(parse_costs(given.cost));
  out.standardise = !given.no_standardise;
  if (!given.offset.empty() && !given.exposure.empty()) fail_usage("--offset and --exposure: one of them is enough");
  if (!given.offset.empty()) out.offset = given.offset;
  if (!given.exposure.empty()) out.exposure = given.exposure;
  return out;
}

// lambda, which kfd calls mu: each name belongs to its own machines, since the two weigh different things.
std::optional<double> regulariser(const FitArguments& given, const std::optional<Machine>& model) {
  const bool kfd = model && model->penalty == Penalty::coefficients;
  if (kfd && !given.lambda.empty()) fail_usage("--lambda: model kfd has no lambda; its regulariser is --mu");
  if (!kfd && !given.mu.empty())
    fail_usage(fmt::format("--mu: belongs to model kfd; the regulariser of {} is --lambda",
                           model ? model->name : "this model"));
  if (kfd) return given.mu.empty() ? std::nullopt : std::optional(positive_number("--mu", given.mu));
  return given.lambda.empty() ? std::nullopt : std::optional(positive_number("--lambda", given.lambda));
}

BasisRequest basis_of(const std::string& given) {
  BasisRequest out = parse_basis(given);
  if (!out.file.empty() && !std::filesystem::exists(out.file)) {
    const std::vector<std::string> words = option_choices("--basis");
    fail_usage(fmt::format(
        "--basis {}: no such file, and neither a number of rows, auto, none, nor METHOD:N{}; methods are {}", given,
        did_you_mean(given, words), join(basis_method_names())));
  }
  return out;
}

TrainOptions train_options(const FitArguments& given) {
  TrainOptions out;
  if (given.model != "auto") out.model = parse_machine(given.model);
  out.kernel = parse_kernel(given.kernel == "auto" ? "rbf" : given.kernel);
  out.lambda = regulariser(given, out.model);
  if (!given.basis.empty()) out.basis = basis_of(given.basis);
  out.select.criterion = criterion_of(given.criterion);
  out.select.cv = parse_cross_validation(given.cv);
  out.held_out.refit_flagged = given.refit_flagged;
  if (given.recalibrate || given.no_recalibrate) out.held_out.recalibrate = given.recalibrate;
  if (!given.interval.empty())
    std::tie(out.held_out.level, out.held_out.interval_method) = parse_interval(given.interval);
  if (!given.threshold.empty()) out.held_out.threshold = parse_threshold(given.threshold);
  if (!given.cost.empty()) out.held_out.costs = parse_costs(given.cost);
  out.select.search = search_method(given.search);
  const std::uint64_t seed = whole_number("--seed", given.seed, 0, std::numeric_limits<std::uint64_t>::max());
  out.select.search_options.seed = seed;
  out.select.criterion_options.seed = seed;
  if (!given.max_evaluations.empty())
    out.select.max_evaluations = int(whole_number("--max-evaluations", given.max_evaluations, 1, 1'000'000'000));
  if (out.select.search == SearchMethod::none && !given.max_evaluations.empty())
    fail_usage("--max-evaluations: with --search none there is one evaluation; leave one of them out");
  if (!given.penalty.empty()) out.select.penalty = number_from_zero("--penalty", given.penalty);
  if (!given.threads.empty()) out.run.threads = int(whole_number("--threads", given.threads, 1, 4096));
  out.run.backend = &backend_named(given.backend);
  if (!given.memory.empty()) out.run.memory_bytes = bytes_of("--memory", given.memory);
  if (!given.time_limit.empty()) out.select.search_options.seconds = seconds_of("--time-limit", given.time_limit);
  return out;
}

// Three words for one thing: how much is tried.
ChooseOptions choose_options(const FitArguments& given) {
  ChooseOptions out;
  if (!given.effort.empty()) out.effort = Effort(choice("--effort", given.effort, option_choices("--effort")));
  const auto at_least = [&](Effort wanted, const char* option) {
    if (!given.effort.empty() && out.effort < wanted)
      fail_usage(fmt::format("{} and --effort {}: that tries one kernel only; leave it out", option, given.effort));
    out.effort = std::max(out.effort, wanted);
  };
  if (given.kernel == "auto") at_least(Effort::normal, "--kernel auto");
  if (given.stack) at_least(Effort::best, "--stack");
  return out;
}

// A group that is given anywhere holds everywhere.
void hold_groups(const FitArguments& given, FitPlan& plan) {
  CrossValidation& cv = plan.train.select.cv;
  if (cv.kind == CrossValidation::Kind::groups) plan.data.group = cv.group_column;
  if (given.group.empty()) return;
  if (plan.data.group && *plan.data.group != given.group)
    fail_usage(fmt::format("--group {} and --cv group:{}: rows have one group", given.group, *plan.data.group));
  if (cv.kind == CrossValidation::Kind::loo)
    fail_usage(
        fmt::format("--group {0} and --cv {1}: one row at a time would leave the rest of its group behind; ask for "
                    "--cv {2}group:{0}, or for K folds, which keep groups together",
                    given.group, given.cv, cv.by_refit ? "explicit:" : ""));
  plan.data.group = cv.group_column = given.group;
}

// Lists may be given as a,b: split, unless a column really is named so.
std::vector<std::string> split_names(const std::vector<std::string>& given, const Table& table) {
  std::vector<std::string> out;
  for (const std::string& names : given) {
    if (table.find(names)) {
      out.push_back(names);
      continue;
    }
    std::size_t at = 0;
    for (std::size_t comma = 0; comma != std::string::npos; at = comma + 1) {
      comma = names.find(',', at);
      if (const std::string one = names.substr(at, comma - at); !one.empty()) out.push_back(one);
    }
  }
  return out;
}

}  // namespace

ReadOptions read_options(const ReadArguments& given) {
  ReadOptions out;
  out.format = ReadOptions::Format(choice("--format", given.format, option_choices("--format")));
  if (given.header && given.no_header) fail_usage("--header and --no-header contradict each other");
  if (given.header || given.no_header) out.header = given.header;
  if (given.decimal == "comma" || given.decimal == ",")
    out.decimal = ',';
  else if (given.decimal != "point" && given.decimal != ".")
    fail_usage(fmt::format("--decimal {}: must be point or comma", given.decimal));
  if (given.delimiter.empty()) return out;
  const std::vector<std::pair<std::string, char>> words{{"tab", '\t'},  {"\\t", '\t'},      {"space", ' '},
                                                        {"comma", ','}, {"semicolon", ';'}, {"pipe", '|'}};
  for (const auto& [word, character] : words)
    if (given.delimiter == word) out.delimiter = character;
  if (!out.delimiter && given.delimiter.size() == 1) out.delimiter = given.delimiter[0];
  if (!out.delimiter || *out.delimiter == '"' || *out.delimiter == '\n' || *out.delimiter == '\r')
    fail_usage(fmt::format("--delimiter {}: must be one character, or tab, space, comma, semicolon", given.delimiter));
  return out;
}

FitPlan fit_plan(const FitArguments& given) {
  FitPlan plan{read_options(given.read), data_options(given), train_options(given), choose_options(given)};
  check_choice(plan.train, plan.choose);
  plan.train.train_weights = weighting_of(given.train_weights, plan.data.train_weights);
  plan.train.select.weights = weighting_of(given.select_weights, plan.data.select_weights);
  hold_groups(given, plan);
  if (uses_geometry(plan.train.kernel.kernel, kernels::Geometry::given)) plan.data.encode_features = false;
  // A model of counts says what its target is.
  if (plan.train.model && targets_of(plan.train.model->loss) == losses::Targets::counts && given.task == "auto")
    plan.data.task = DataOptions::TaskRequest::counts;
  return plan;
}

std::string basis_file(const FitPlan& plan) { return plan.train.basis ? plan.train.basis->file : ""; }

Files inputs_of(const FitArguments& given, const FitPlan& plan) {
  return Files().reads(given.data, "data").reads(basis_file(plan), "basis");
}

void settle_columns(const Table& table, FitPlan& plan) {
  if (plan.data.targets.empty() && !table.sparse)
    fail_usage(fmt::format("no target: --target COL says which column of {} to predict", table.source));
  for (auto* names : {&plan.data.targets, &plan.data.features, &plan.data.ignore, &plan.data.categorical})
    *names = split_names(*names, table);
}

}  // namespace lacuna::cli

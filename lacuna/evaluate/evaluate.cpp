#include "lacuna/evaluate/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/plugin.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/evaluate/constant.hpp"
#include "lacuna/evaluate/detail/common_rows.hpp"
#include "lacuna/evaluate/detail/notes.hpp"
#include "lacuna/evaluate/summary.hpp"
#include "lacuna/evaluate/tasks.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

constexpr Index most_side_by_side = 3000;  // training rows; beyond, BLAS makes better use of several threads
constexpr Index needs_no_pilot = 1000;     // rows for which 100 splits take a minute or two at most
constexpr int usual_splits = 100, fewest_splits = 10;

// One evaluation in the making.
struct Work {
  const Table& table;
  const EvaluateOptions& options;
  Dataset all;                      // encoded as the first contender asks, of the rows that all contenders keep
  std::optional<std::size_t> by{};  // column
  std::vector<TrainTest> splits{};
  int lanes = 1;
};

using Request = DataOptions::TaskRequest;

Request request_of(Task task) {
  if (task == Task::counts) return Request::counts;
  return task == Task::regression ? Request::regression : Request::classification;
}

std::vector<Index> table_rows(const Dataset& all, const std::vector<Index>& rows) {
  std::vector<Index> out;
  for (const Index i : rows) out.push_back(all.source_row[std::size_t(i)] - 1);
  return out;
}

TestTruth truth_of(const Dataset& all, const std::vector<Index>& rows) {
  const Dataset test = take_rows(all, rows);
  TestTruth truth;
  truth.classes = test.classes;
  truth.label = test.label;
  truth.targets = test.targets;
  // Without a unit, as everywhere inside: a row of weight k counts as k copies of it do.
  truth.weights = test.weights.size() > 0 ? test.weights : Vector(Vector::Ones(test.size()));
  return truth;
}

Rows encoded_basis(const Table& rows, Encoding encoding) {
  encoding.offset_column.clear();  // basis vectors have none
  encoding.offset_position = -1;
  return prepare(rows, encoding).X;
}

// Small enough that threads are better spent on other splits.
bool side_by_side(const Contender& contender, Index trained) {
  return trained <= most_side_by_side || on_basis(contender.train);
}

// Contenders that share a fit, by place.
using Group = std::vector<std::size_t>;

std::vector<Group> groups_of(const std::vector<Contender>& contenders) {
  std::vector<Group> out;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    const auto shares = [&](const Group& g) {
      return !contenders[c].fit.empty() && contenders[g[0]].fit == contenders[c].fit;
    };
    if (const auto at = std::ranges::find_if(out, shares); at != out.end())
      at->push_back(c);
    else
      out.push_back({c});
  }
  return out;
}

AskedOfRows asked_of(const Work& work, const std::vector<Index>& rows) {
  AskedOfRows out;
  for (const Index i : rows) {
    if (work.options.keep_rows) out.row.push_back(i + 1);
    if (work.by) out.level.push_back(detail::cell_text(work.table.columns[*work.by], i));
  }
  return out;
}

std::vector<SplitResult> run_split(const Work& work, const Group& group, const TrainTest& split,
                                   const Observer& observer) {
  const Contender& contender = work.options.contenders[group[0]];
  DataOptions data = contender.data;
  data.task = request_of(work.all.task);
  if (work.all.task == Task::binary) data.positive = work.all.classes[1];
  std::vector<TrainOptions> options;
  for (const std::size_t c : group) {
    options.push_back(work.options.contenders[c].train);
    options.back().run.observer = observer;
    options.back().held_out.intervals = work.options.intervals;
    options.back().run.threads = side_by_side(contender, Index(split.train.size())) ? 1 : work.options.threads;
  }
  try {
    const std::vector<Index> test_rows = table_rows(work.all, split.test);
    Encoded training = encode(take_rows(work.table, table_rows(work.all, split.train)), data);
    const Table test_table = take_rows(work.table, test_rows);
    const Prepared test = prepare(test_table, training.encoding);
    if (test.X.rows() != Index(split.test.size())) fail_data("evaluate: test rows have missing cells");
    TestTruth truth = truth_of(work.all, split.test);
    truth.prices = read_prices(test_table, data.prices, detail::all_rows(test_table));
    const AskedOfRows asked = asked_of(work, test_rows);
    if (contender.constant)
      return {constant_answer(training.data, test.offset, truth, contender.train.held_out.costs, asked)};
    if (contender.basis) {
      const Rows basis = encoded_basis(*contender.basis, training.encoding);
      for (TrainOptions& one : options) one.basis->rows = basis;
    }
    training.data.notes.insert(training.data.notes.end(), test.notes.begin(), test.notes.end());
    return fit_and_judge(training.data, options, test.X, test.offset, truth, contender.choose, asked);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) throw;
    SplitResult failed{.failure = error.what()};
    failed.trained = Index(split.train.size());
    failed.tested = Index(split.test.size());
    return std::vector(group.size(), failed);
  }
}

// What the results of a split depend on besides the contender: its rows, and what is true of those that are tested.
std::string split_print(const Work& work, const TrainTest& split) {
  std::string words = fmt::format("{} {}", name_of(work.all.task), join(work.all.classes));
  const auto add = [&](const auto* data, Index count) {
    words.append(reinterpret_cast<const char*>(data), std::size_t(count) * sizeof *data);
  };
  for (const auto* part : {&split.train, &split.test}) {
    const std::vector<Index> rows = table_rows(work.all, *part);
    add(rows.data(), Index(rows.size()));
  }
  const TestTruth truth = truth_of(work.all, split.test);
  add(truth.label.data(), Index(truth.label.size()));
  add(truth.targets.data(), truth.targets.size());
  add(truth.weights.data(), truth.weights.size());
  return fingerprint(words);
}

// Splits first ... last - 1 of all contenders; contenders take turns, so that none waits for the others to end.
bool run_splits(const Work& work, std::size_t first, std::size_t last, Journal& journal,
                std::vector<NestedValidation::Results>& out) {
  const std::vector<Group> groups = groups_of(work.options.contenders);
  std::string besides = work.options.keep_rows ? " rows" : "";
  if (work.options.intervals) besides += " intervals";
  if (work.by) besides += " by " + fingerprint(work.table.columns[*work.by].name);
  std::vector<SharedTask> tasks;
  for (std::size_t k = first; k < last; ++k) {
    const std::string split = fmt::format("{} {}", k + 1, split_print(work, work.splits[k]));
    for (const Group& group : groups) {
      SharedTask task{{}, [&, k](const Observer& o) {
                        std::vector<std::string> lines;
                        for (const SplitResult& r : run_split(work, group, work.splits[k], o))
                          lines.push_back(to_line(r));
                        return lines;
                      }};
      for (const std::size_t c : group)
        task.keys.push_back(fmt::format("{} {}{}", split, work.options.contenders[c].key, besides));
      tasks.push_back(std::move(task));
    }
  }
  const TaskResults done = work_off(tasks, journal, {work.lanes, "splits", work.options.observer});
  if (done.interrupted) return false;
  auto line = done.results.begin();
  for (std::size_t k = first; k < last; ++k)
    for (const Group& group : groups)
      for (const std::size_t c : group) {
        SplitResult r = split_result(*line++, work.all.classes.size(), work.all.targets.cols());
        // Estimates are made of the sums over test rows: a split without them would be left out of these in silence.
        if (r.failure.empty() && scores_of(r.test.tally).empty())
          fail_data("evaluate: a result of the journal has no sums over its test rows; remove the journal");
        out[c].splits.push_back(std::move(r));
      }
  return true;
}

int lanes_for_splits(const Work& work) {
  const auto trained = Index(work.splits[0].train.size());
  const int threads = thread_count();
  const auto& contenders = work.options.contenders;
  const auto& plugins = plugin_names();  // which one thread calls; a plug-in's parallelism is its own
  for (const Contender& c : contenders)
    if (std::ranges::find(plugins, backend_of(c.train).name()) != plugins.end()) return 1;
  if (!std::all_of(contenders.begin(), contenders.end(), [&](auto& c) { return side_by_side(c, trained); })) return 1;
  if (trained > most_side_by_side) return threads;  // all on a basis, which needs little memory
  const TrainOptions& train = contenders[0].train;
  const double memory = train.run.memory_bytes.value_or(backend_of(train).memory());
  return std::max(1, std::min(threads, int(memory / dual_bytes(trained, true))));
}

std::size_t column_named(const Table& table, const std::string& name) {
  if (const auto at = detail::find_column(table, name)) return *at;
  std::vector<std::string> names;
  for (const Column& c : table.columns) names.push_back(c.name);
  fail_usage(fmt::format("evaluate: by: {} has no column \"{}\"{}", table.source, name, did_you_mean(name, names)));
}

// How many splits the time allows, from what the first took.
int affordable_splits(const Work& work, const std::vector<NestedValidation::Results>& pilot) {
  double seconds = 1e-9;
  for (const auto& of : pilot) seconds += of.splits[0].seconds;
  const double many = work.options.budget_seconds * work.lanes / seconds;
  return int(std::clamp(many, double(fewest_splits), double(usual_splits)));
}

double weight_of(const Dataset& data, const std::vector<Index>& rows) {
  return data.weights.size() > 0 ? data.weights(rows).sum() : double(rows.size());
}

std::string likelihood_of(const Dataset& all, const Contender& c) {
  const Loss loss = c.train.model ? c.train.model->loss : detail::automatic_machine(all, c.train).loss;
  if (!gives_rates(loss) || leaves_open(loss)) return "";
  std::string out(name_of(loss));
  for_each_parameter(loss, [&](std::string_view name, double value) { out += fmt::format(" {}={}", name, value); });
  return out;
}

}  // namespace

std::string evaluation_fingerprint(const Table& table, const SplitPlan& plan) {
  return fingerprint(fmt::format("{} {} {} {} {}", LACUNA_VERSION, split_result_format, fingerprint(table),
                                 split_plan_text(plan), plan.seed));
}

NestedValidation evaluate(const Table& table, const EvaluateOptions& given, Journal& journal) {
  detail::check_contenders(given.contenders);
  EvaluateOptions options = given;
  options.contenders = detail::with_prices(detail::with_groups(given.contenders));
  const ThreadScope threads(options.threads);
  Work work{table, options, detail::rows_of_all(table, options.contenders)};
  if (!options.by.empty()) work.by = column_named(table, options.by);
  const SplitPlan& plan = options.plan;
  const bool open = plan.kind == SplitPlan::Kind::random && !plan.count;
  work.splits = detail::splits_of(table, options, work.all, plan.count.value_or(usual_splits));
  work.lanes = lanes_for_splits(work);

  NestedValidation out;
  out.task = work.all.task;
  out.rows = work.all.size();
  out.weighted = work.all.weights.size() > 0 && work.all.weights.minCoeff() < work.all.weights.maxCoeff();
  out.classes = work.all.classes;
  out.target_names = work.all.target_names;
  out.plan = plan;
  out.group = options.contenders[0].data.group.value_or("");
  out.by = options.by;
  out.level = options.contenders[0].train.held_out.level.value_or(usual_level);
  out.notes = work.all.notes;
  detail::note_twins(work.all, out.notes);
  for (const Contender& c : options.contenders) {
    out.contenders.push_back({c.name, {}, likelihood_of(work.all, c)});
    if (std::string& name = out.contenders.back().name; name.starts_with("auto,"))
      name.replace(0, 4, detail::automatic_machine(work.all, c.train).name + " (auto)");
  }
  std::size_t done = 0;
  if (open && work.all.size() > needs_no_pilot) {
    if (!run_splits(work, 0, 1, journal, out.contenders)) return {.interrupted = true};
    done = 1;
    const int count = affordable_splits(work, out.contenders);
    work.splits.resize(std::size_t(count));
    if (count < usual_splits)
      out.notes.push_back(
          {Warning::Code::fewer_splits,
           fmt::format("{} splits in place of {}: the first took {:.2g} s; `splits` or `budget` ask for more", count,
                       usual_splits, out.contenders[0].splits[0].seconds)});
  }
  if (!run_splits(work, done, work.splits.size(), journal, out.contenders)) return {.interrupted = true};
  detail::check_some_worked(out.contenders, out.notes);
  detail::note_classes(out);
  out.splits = Index(work.splits.size());
  for (const TrainTest& s : work.splits)
    out.tested_to_trained += weight_of(work.all, s.test) / weight_of(work.all, s.train) / double(out.splits);
  std::vector<bool> tested(std::size_t(out.rows));
  for (const TrainTest& s : work.splits)
    for (const Index i : s.test) tested[std::size_t(i)] = true;
  out.tested = std::count(tested.begin(), tested.end(), true);
  for (const auto& of : out.contenders)
    if (std::string gap = gap_warning(out, of); !gap.empty())
      out.notes.push_back({Warning::Code::optimistic_selection, std::move(gap)});
  return out;
}

}  // namespace lacuna

#include "lacuna/evaluate/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/evaluate/summary.hpp"
#include "lacuna/evaluate/tasks.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

constexpr Index most_side_by_side = 3000;  // training rows; beyond, BLAS makes better use of several threads
constexpr Index needs_no_pilot = 1000;     // rows for which 100 splits take a minute or two at most
constexpr int usual_splits = 100, fewest_splits = 10;

// One evaluation in the making.
struct Work {
  const Table& table;
  const EvaluateOptions& options;
  Dataset all;  // encoded as the first contender asks, of the rows that all contenders keep
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

// Rows that some contender leaves out (missing cells, weight 0) are left out for all: all are judged on the same.
Dataset rows_of_all(const Table& table, const std::vector<Contender>& contenders) {
  Dataset all = encode(table, contenders[0].data).data;
  std::vector<std::string> notes = std::move(all.notes);
  for (std::size_t c = 1; c < contenders.size(); ++c) {
    const std::vector<std::int64_t> kept = encode(table, contenders[c].data).data.source_row;
    std::vector<Index> common;
    for (std::size_t i = 0; i < all.source_row.size(); ++i)
      if (std::binary_search(kept.begin(), kept.end(), all.source_row[i])) common.push_back(Index(i));
    if (common.size() == all.source_row.size()) continue;
    notes.push_back(fmt::format("{} rows that {} leaves out are left out for all", all.size() - Index(common.size()),
                                contenders[c].name));
    all = take_rows(all, common);
  }
  all.notes = std::move(notes);
  return all;
}

// Given splits count rows of the table; those that were left out (weight 0, missing cells) are not among ours.
void count_among_kept(std::vector<TrainTest>& splits, const Dataset& all, Index rows) {
  std::vector<Index> position(std::size_t(rows), -1);
  for (std::size_t k = 0; k < all.source_row.size(); ++k) position[std::size_t(all.source_row[k] - 1)] = Index(k);
  for (TrainTest& split : splits)
    for (auto* part : {&split.train, &split.test}) {
      for (Index& i : *part) i = position[std::size_t(i)];
      std::erase(*part, -1);
    }
}

void refuse_divided_groups(const std::vector<TrainTest>& splits, const Dataset& all) {
  if (all.group.empty()) return;
  for (std::size_t k = 0; k < splits.size(); ++k) {
    std::vector<bool> trained(all.group_names.size());
    for (const Index i : splits[k].train) trained[std::size_t(all.group[std::size_t(i)])] = true;
    for (const Index i : splits[k].test)
      if (const auto group = std::size_t(all.group[std::size_t(i)]); trained[group])
        fail_data(
            fmt::format("evaluate: split {} of the files has rows of group {} in both parts; leave out `group`, "
                        "or keep its rows together",
                        k + 1, all.group_names[group]));
  }
}

// How many there will be; 0 where only the files know.
double planned_splits(const Work& work, int count) {
  const SplitPlan& plan = work.options.plan;
  switch (plan.kind) {
    case SplitPlan::Kind::random:
      return double(count);
    case SplitPlan::Kind::folds:
      return double(plan.folds) * double(plan.repeats);
    case SplitPlan::Kind::groups:
      return double(work.all.group_names.size());
    case SplitPlan::Kind::files:
      break;
  }
  return 0.0;
}

// All splits are there before the first is run, and all their results are kept.
void check_memory(const Work& work, double splits, double bytes_of_rows) {
  const auto& contenders = work.options.contenders;
  const double need = bytes_of_rows + splits * 2048.0 * double(contenders.size());
  const double allowed = contenders[0].train.memory_bytes.value_or(available_bytes());
  if (need > allowed)
    fail_data(fmt::format(
        "evaluate: {:.0f} splits of {} rows need {:.3g} GB of memory and {:.3g} GB are {}; ask for fewer", splits,
        work.all.size(), need / 1e9, allowed / 1e9, contenders[0].train.memory_bytes ? "allowed" : "free"));
}

std::vector<TrainTest> splits_of(const Work& work, int count) {
  const double splits = planned_splits(work, count);
  check_memory(work, splits, splits * 8.0 * double(work.all.size()));
  const SplitPlan& plan = work.options.plan;
  const bool given = plan.kind == SplitPlan::Kind::files;
  std::vector<TrainTest> out =
      make_splits(plan, count, given ? Index(work.table.rows) : work.all.size(), work.all.label, work.all.group,
                  work.options.contenders[0].train.memory_bytes);
  if (given) {
    double bytes = 0.0;
    for (const TrainTest& split : out) bytes += 8.0 * double(split.train.size() + split.test.size());
    check_memory(work, double(out.size()), bytes);
    count_among_kept(out, work.all, Index(work.table.rows));
    refuse_divided_groups(out, work.all);
  }
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k].train.empty() || out[k].test.empty())
      fail_data(fmt::format("evaluate: split {} has no rows to {}", k + 1, out[k].test.empty() ? "test" : "train"));
  return out;
}

TestTruth truth_of(const Dataset& all, const std::vector<Index>& rows) {
  const Dataset test = take_rows(all, rows);
  TestTruth truth;
  truth.classes = test.classes;
  truth.label = test.label;
  truth.targets = test.targets;
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
  return trained <= most_side_by_side || contender.train.basis.has_value();
}

SplitResult run_split(const Work& work, const Contender& contender, const TrainTest& split, const Observer& observer) {
  DataOptions data = contender.data;
  data.task = request_of(work.all.task);
  if (work.all.task == Task::binary) data.positive = work.all.classes[1];
  TrainOptions options = contender.train;
  options.observer = observer;
  options.intervals = false;  // nobody looks at them
  options.threads = side_by_side(contender, Index(split.train.size())) ? 1 : work.options.threads;
  try {
    Encoded training = encode(take_rows(work.table, table_rows(work.all, split.train)), data);
    const Prepared test = prepare(take_rows(work.table, table_rows(work.all, split.test)), training.encoding);
    if (test.X.rows() != Index(split.test.size())) fail_data("evaluate: test rows have missing cells");
    if (contender.basis) options.basis->rows = encoded_basis(*contender.basis, training.encoding);
    training.data.notes.insert(training.data.notes.end(), test.notes.begin(), test.notes.end());
    return fit_and_judge(training.data, options, test.X, test.offset, truth_of(work.all, split.test));
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) throw;
    SplitResult failed{.failure = error.what()};
    failed.trained = Index(split.train.size());
    failed.tested = Index(split.test.size());
    return failed;
  }
}

// What the results of a split depend on besides the contender: its rows, and what is true of those that are tested.
std::string split_print(const Work& work, const TrainTest& split) {
  std::string words = fmt::format("{} {}", name(work.all.task), join(work.all.classes));
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
  std::vector<KeyedTask> tasks;
  for (std::size_t k = first; k < last; ++k) {
    const std::string split = fmt::format("{} {}", k + 1, split_print(work, work.splits[k]));
    for (const Contender& c : work.options.contenders)
      tasks.push_back({fmt::format("{} {}", split, c.key),
                       [&, k](const Observer& o) { return to_line(run_split(work, c, work.splits[k], o)); }});
  }
  const TaskResults done = work_off(tasks, journal, {work.lanes, "splits", work.options.observer});
  if (done.interrupted) return false;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    SplitResult r = split_result(done.results[t], work.all.classes.size(), work.all.targets.cols());
    // Estimates are made of the sums over test rows: a split without them would be left out of these in silence.
    if (r.failure.empty() && scores_of(r.test.tally).empty())
      fail_data("evaluate: a result of the journal has no sums over its test rows; remove the journal");
    out[t % out.size()].splits.push_back(std::move(r));
  }
  return true;
}

int lanes_for_splits(const Work& work) {
  const auto trained = Index(work.splits[0].train.size());
  const int threads = thread_count();
  const auto& contenders = work.options.contenders;
  if (!std::all_of(contenders.begin(), contenders.end(), [&](auto& c) { return side_by_side(c, trained); })) return 1;
  if (trained > most_side_by_side) return threads;  // all on a basis, which needs little memory
  const TrainOptions& train = contenders[0].train;
  const double memory = train.memory_bytes.value_or(backend_of(train).memory());
  return std::max(1, std::min(threads, int(memory / dual_bytes(trained, true))));
}

// How many splits the time allows, from what the first took.
int affordable_splits(const Work& work, const std::vector<NestedValidation::Results>& pilot) {
  double seconds = 1e-9;
  for (const auto& of : pilot) seconds += of.splits[0].seconds;
  const double many = work.options.budget_seconds * work.lanes / seconds;
  return int(std::clamp(many, double(fewest_splits), double(usual_splits)));
}

void check_contenders(const std::vector<Contender>& contenders) {
  if (contenders.empty()) fail_usage("evaluate: there is no model to evaluate");
  for (const Contender& c : contenders) {
    if (uses(c.train.kernel.kernel, Geometry::given))
      fail_usage("evaluate: a precomputed kernel belongs to its rows and cannot be split");
    for (const Contender& other : contenders)
      if (&c != &other && c.key == other.key)
        fail_usage(fmt::format("evaluate: {} is there twice; contenders must differ", c.name));
  }
}

// Groups that one contender knows of hold for all, in the splits and in the selection inside them; their column is an
// input of none.
std::vector<Contender> with_groups(std::vector<Contender> contenders) {
  std::optional<std::string> group;
  for (const Contender& c : contenders) {
    if (!c.data.group || group == c.data.group) continue;
    if (group) fail_usage(fmt::format("evaluate: groups by {} and by {}: rows have one group", *group, *c.data.group));
    group = c.data.group;
  }
  if (!group) return contenders;
  for (Contender& c : contenders) {
    if (c.train.cv.kind == CrossValidation::Kind::loo)
      fail_usage(
          fmt::format("evaluate: {}: cv {} would part rows of one {}; leave it out, or ask for K folds, which keep "
                      "groups together",
                      c.name, text(c.train.cv), *group));
    c.data.group = c.train.cv.group_column = *group;
    c.key += fmt::format(" group={}", *group);
  }
  return contenders;
}

bool failed(const SplitResult& r) { return !r.failure.empty(); }

// A contender that fails now and then, or always, is said; only when all fail is there nothing to report.
void check_some_worked(const std::vector<NestedValidation::Results>& contenders, std::vector<std::string>& notes) {
  bool some = false;
  for (const auto& of : contenders) some = some || !std::all_of(of.splits.begin(), of.splits.end(), failed);
  for (const auto& of : contenders) {
    const auto failures = std::count_if(of.splits.begin(), of.splits.end(), failed);
    if (failures == 0) continue;
    const auto first = std::find_if(of.splits.begin(), of.splits.end(), failed);
    if (!some) {
      const std::string why = fmt::format("evaluate: {} could not be fitted in any split: {}", of.name, first->failure);
      first->numerical ? fail_numerical(why) : fail_data(why);
    }
    notes.push_back(fmt::format("{} could not be fitted in {} of {} splits, which do not count (split {}: {})", of.name,
                                failures, of.splits.size(), first - of.splits.begin() + 1, first->failure));
  }
}

// A row and its twin may be parted.
void note_twins(const Work& work, std::vector<std::string>& notes) {
  if (!work.all.group.empty()) return;
  if (const Index twins = count_duplicate_rows(work.all.X); twins > 0)
    notes.push_back(
        fmt::format("{} of {} rows repeat an earlier row: one may be trained on and its twin tested, so that the "
                    "estimates are optimistic; where they belong together use `group=COL`",
                    twins, work.all.size()));
}

// Rows of classes that training had not, and classes of which no row was tested.
void note_classes(NestedValidation& e) {
  if (e.classes.empty()) return;
  Index unseen = 0;
  for (const SplitResult& r : e.contenders[0].splits) unseen += r.test.unseen;
  if (unseen > 0)
    e.notes.push_back(
        fmt::format("{} test row{} of a class that the training part did not have: always wrong, and not "
                    "counted in xent, bits and calibration",
                    unseen, unseen == 1 ? " is" : "s are"));
  const Matrix confusion = pooled(e.contenders[0].splits).confusion;
  std::vector<std::string> untested;
  for (Index c = 0; c < confusion.rows(); ++c)
    if (!(confusion.row(c).sum() > 0.0)) untested.push_back(e.classes[std::size_t(c)]);
  if (!untested.empty())
    e.notes.push_back(
        fmt::format("no test part has a row of class {}: the ber is the mean over the other classes", join(untested)));
}

}  // namespace

std::string evaluation_fingerprint(const Table& table, const SplitPlan& plan) {
  return fingerprint(
      fmt::format("{} {} {} {} {}", LACUNA_VERSION, split_result_format, fingerprint(table), text(plan), plan.seed));
}

NestedValidation evaluate(const Table& table, const EvaluateOptions& given, Journal& journal) {
  check_contenders(given.contenders);
  EvaluateOptions options = given;
  options.contenders = with_groups(given.contenders);
  const ThreadScope threads(options.threads);
  Work work{table, options, rows_of_all(table, options.contenders)};
  const SplitPlan& plan = options.plan;
  const bool open = plan.kind == SplitPlan::Kind::random && !plan.count;
  work.splits = splits_of(work, plan.count.value_or(usual_splits));
  work.lanes = lanes_for_splits(work);

  NestedValidation out;
  out.task = work.all.task;
  out.rows = work.all.size();
  out.classes = work.all.classes;
  out.target_names = work.all.target_names;
  out.plan = plan;
  out.group = options.contenders[0].data.group.value_or("");
  out.notes = work.all.notes;
  note_twins(work, out.notes);
  for (const Contender& c : options.contenders) {
    out.contenders.push_back({c.name, {}});
    if (std::string& name = out.contenders.back().name; name.starts_with("auto,"))
      name.replace(0, 4, automatic_machine(out.task).name + " (auto)");
  }
  std::size_t done = 0;
  if (open && work.all.size() > needs_no_pilot) {
    if (!run_splits(work, 0, 1, journal, out.contenders)) return {.interrupted = true};
    done = 1;
    const int count = affordable_splits(work, out.contenders);
    work.splits.resize(std::size_t(count));
    if (count < usual_splits)
      out.notes.push_back(
          fmt::format("{} splits in place of {}: the first took {:.2g} s; `splits` or `budget` ask for more", count,
                      usual_splits, out.contenders[0].splits[0].seconds));
  }
  if (!run_splits(work, done, work.splits.size(), journal, out.contenders)) return {.interrupted = true};
  check_some_worked(out.contenders, out.notes);
  note_classes(out);
  out.splits = Index(work.splits.size());
  for (const TrainTest& s : work.splits)
    out.tested_to_trained += double(s.test.size()) / double(s.train.size()) / double(out.splits);
  std::vector<bool> tested(std::size_t(out.rows));
  for (const TrainTest& s : work.splits)
    for (const Index i : s.test) tested[std::size_t(i)] = true;
  out.tested = std::count(tested.begin(), tested.end(), true);
  for (const auto& of : out.contenders)
    if (std::string gap = gap_warning(out, of); !gap.empty()) out.notes.push_back(std::move(gap));
  return out;
}

std::vector<std::string> common_warnings(const std::vector<SplitResult>& splits) {
  struct Alike {
    std::string text;
    int splits = 0;
  };
  std::vector<Alike> kinds;
  std::map<std::string, std::size_t> known;
  for (const SplitResult& r : splits)
    for (const std::string& w : r.warnings) {
      std::string kind = w;
      std::erase_if(kind, [](unsigned char c) { return std::isdigit(c) != 0 || c == '.' || c == 'e' || c == '-'; });
      const auto [at, fresh] = known.try_emplace(kind, kinds.size());
      if (fresh) kinds.push_back({w});
      ++kinds[at->second].splits;
    }
  std::vector<std::string> out;
  for (const Alike& k : kinds)
    out.push_back(splits.size() == 1 ? k.text : fmt::format("in {} of {} splits: {}", k.splits, splits.size(), k.text));
  return out;
}

}  // namespace lacuna

#include "lacuna/evaluate/detail/common_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/compute/compute.hpp"

namespace lacuna::detail {
namespace {

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
double planned_splits(const EvaluateOptions& options, const Dataset& all, int count) {
  const SplitPlan& plan = options.plan;
  switch (plan.kind) {
    case SplitPlan::Kind::random:
      return double(count);
    case SplitPlan::Kind::folds:
      return double(plan.folds) * double(plan.repeats);
    case SplitPlan::Kind::groups:
      return double(all.group_names.size());
    case SplitPlan::Kind::files:
      break;
  }
  return 0.0;
}

// All splits are there before the first is run, and all their results are kept.
void check_memory(const EvaluateOptions& options, const Dataset& all, double splits, double bytes_of_rows) {
  const auto& contenders = options.contenders;
  const double need = bytes_of_rows + splits * 2048.0 * double(contenders.size());
  const double allowed = contenders[0].train.run.memory_bytes.value_or(available_bytes());
  if (need > allowed)
    fail_data(fmt::format(
        "evaluate: {:.0f} splits of {} rows need {:.3g} GB of memory and {:.3g} GB are {}; ask for fewer", splits,
        all.size(), need / 1e9, allowed / 1e9, contenders[0].train.run.memory_bytes ? "allowed" : "free"));
}

}  // namespace

void check_contenders(const std::vector<Contender>& contenders) {
  if (contenders.empty()) fail_usage("evaluate: there is no model to evaluate");
  for (const Contender& c : contenders) {
    if (uses_geometry(c.train.kernel.kernel, kernels::Geometry::given))
      fail_usage("evaluate: a precomputed kernel belongs to its rows and cannot be split");
    for (const Contender& other : contenders)
      if (&c != &other && c.key == other.key)
        fail_usage(fmt::format("evaluate: {} is there twice; contenders must differ", c.name));
  }
}

std::vector<Contender> with_groups(std::vector<Contender> contenders) {
  std::optional<std::string> group;
  for (const Contender& c : contenders) {
    if (!c.data.group || group == c.data.group) continue;
    if (group) fail_usage(fmt::format("evaluate: groups by {} and by {}: rows have one group", *group, *c.data.group));
    group = c.data.group;
  }
  if (!group) return contenders;
  for (Contender& c : contenders) {
    if (c.train.select.cv.kind == CrossValidation::Kind::loo)
      fail_usage(
          fmt::format("evaluate: {}: cv {} would part rows of one {}; leave it out, or ask for K folds, which keep "
                      "groups together",
                      c.name, cross_validation_text(c.train.select.cv), *group));
    c.data.group = c.train.select.cv.group_column = *group;
    c.key += fmt::format(" group={}", *group);
  }
  return contenders;
}

std::vector<Contender> with_prices(std::vector<Contender> contenders) {
  std::vector<std::string> columns;
  for (const Contender& c : contenders)
    for (const std::string& name : c.train.held_out.costs ? price_columns(*c.train.held_out.costs) : c.data.prices)
      if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
  for (Contender& c : contenders) c.data.prices = columns;
  return contenders;
}

Dataset rows_of_all(const Table& table, const std::vector<Contender>& contenders) {
  Dataset all = encode(table, contenders[0].data).data;
  Warnings notes = std::move(all.notes);
  for (std::size_t c = 1; c < contenders.size(); ++c) {
    const std::vector<std::int64_t> kept = encode(table, contenders[c].data).data.source_row;
    std::vector<Index> common;
    for (std::size_t i = 0; i < all.source_row.size(); ++i)
      if (std::binary_search(kept.begin(), kept.end(), all.source_row[i])) common.push_back(Index(i));
    if (common.size() == all.source_row.size()) continue;
    notes.push_back(
        {Warning::Code::rows_in_common, fmt::format("{} rows that {} leaves out are left out for all",
                                                    all.size() - Index(common.size()), contenders[c].name)});
    all = take_rows(all, common);
  }
  all.notes = std::move(notes);
  *all.weight_unit *= take_unit_out(all.weights);  // of the rows that are left
  return all;
}

std::vector<TrainTest> splits_of(const Table& table, const EvaluateOptions& options, const Dataset& all, int count) {
  const double splits = planned_splits(options, all, count);
  check_memory(options, all, splits, splits * 8.0 * double(all.size()));
  const SplitPlan& plan = options.plan;
  const bool given = plan.kind == SplitPlan::Kind::files;
  std::vector<TrainTest> out = make_splits(plan, count, given ? Index(table.rows) : all.size(), all.label, all.group,
                                           options.contenders[0].train.run.memory_bytes, all.weights);
  if (given) {
    double bytes = 0.0;
    for (const TrainTest& split : out) bytes += 8.0 * double(split.train.size() + split.test.size());
    check_memory(options, all, double(out.size()), bytes);
    count_among_kept(out, all, Index(table.rows));
    refuse_divided_groups(out, all);
  }
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k].train.empty() || out[k].test.empty())
      fail_data(fmt::format("evaluate: split {} has no rows to {}", k + 1, out[k].test.empty() ? "test" : "train"));
  return out;
}

}  // namespace lacuna::detail

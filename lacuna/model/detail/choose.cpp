#include "lacuna/model/detail/choose.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lacuna/base/random.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/select/basis_search.hpp"
#include "lacuna/select/select_gp.hpp"

namespace lacuna::detail {
namespace {

int stratum(const Dataset& data, Index i) {
  if (!data.label.empty()) return data.label[std::size_t(i)];
  return data.task == Task::counts && (data.targets.row(i).array() > 0.0).any() ? 1 : 0;
}

}  // namespace

std::vector<Index> selection_sample(const Dataset& data, const RowSource& X, const TrainOptions& options) {
  const Index l = X.rows();
  std::vector<Index> rows;
  if (!options.basis || (l <= options.selection_rows && X.in_memory())) return rows;
  rows.resize(std::size_t(l));
  std::iota(rows.begin(), rows.end(), Index(0));
  if (l <= options.selection_rows) return rows;
  Random random(options.search_options.seed);
  random.shuffle(rows);
  std::ranges::stable_sort(rows, {}, [&](Index i) { return stratum(data, i); });
  // Evenly spaced places in a list that is ordered by stratum and shuffled within: each stratum gets its share.
  std::vector<Index> sample;
  for (Index k = 0; k < options.selection_rows; ++k)
    sample.push_back(rows[std::size_t((double(k) + 0.5) * double(l) / double(options.selection_rows))]);
  // ... and two rows at least.
  std::map<int, std::vector<Index>> first;
  for (const Index i : rows)
    if (auto& two = first[stratum(data, i)]; two.size() < 2) two.push_back(i);
  for (const auto& [name, two] : first) sample.insert(sample.end(), two.begin(), two.end());
  std::ranges::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

Chosen choose(const Problem& problem, const Machine& machine, Index rows, Index features, const TrainOptions& options) {
  const KernelSpec kernel = bind(options.kernel, features);
  const SelectOptions how{options.search, options.search_options, options.max_evaluations, options.penalty, {}};
  if (machine.inference)
    return {select_gp(problem, {*machine.inference, machine.loss}, kernel, options.lambda, machine.mean, how,
                      options.observer)};
  if (!options.basis) return {select(problem, kernel, options.lambda, how, options.observer)};
  const BasisRequest& asked = *options.basis;
  const bool given = asked.rows.rows() > 0;
  const Index outputs = problem.learn.columns();
  const BasisPlan plan{
      .methods = asked.method ? std::vector{*asked.method} : BasisPlan{}.methods,
      .size = asked.size ? *asked.size : std::min(problem.X.rows(), largest_basis(rows, outputs, options)),
      .grow = !given && !asked.size,
      .given = asked.rows,
      .seed = options.search_options.seed};
  BasisSearch found = select_on_basis(problem, plan, kernel, options.lambda, how, options.observer);
  FitReport::Basis record{.method = given ? "given" : std::string(name(found.method)),
                          .automatic = plan.grow,
                          .asked = given ? asked.rows.rows() : plan.size,
                          .size = found.basis.rows(),
                          .kept = found.basis.rows(),
                          .rounds = found.rounds,
                          .complete = !given && found.end == BasisEnd::singular,
                          .selected_on = problem.X.rows()};
  for (const auto& [size, criterion] : found.sizes) record.sizes.push_back({size, criterion});
  return {std::move(found.chosen), std::move(found.basis), std::move(record)};
}

}  // namespace lacuna::detail

#include "lacuna/model/detail/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/learn_relevance.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/select/basis_search.hpp"
#include "lacuna/select/select_gp.hpp"
#include "lacuna/select/select_verified.hpp"

namespace lacuna::detail {
namespace {

int stratum(const Dataset& data, Index i) {
  if (!data.label.empty()) return data.label[std::size_t(i)];
  return data.task == Task::counts && (data.targets.row(i).array() > 0.0).any() ? 1 : 0;
}

// A seeded sample of so many rows, ascending, in which every class has its share, and two rows at least; all where
// there are no more.
std::vector<Index> sample_of(const Dataset& data, Index l, Index size, std::uint64_t seed) {
  std::vector<Index> rows(static_cast<std::size_t>(l));
  std::iota(rows.begin(), rows.end(), Index(0));
  if (l <= size) return rows;
  Random random(seed);
  random.shuffle(rows);
  std::ranges::stable_sort(rows, {}, [&](Index i) { return stratum(data, i); });
  // Evenly spaced places in a list that is ordered by stratum and shuffled within: each stratum gets its share.
  std::vector<Index> sample;
  for (Index k = 0; k < size; ++k) sample.push_back(rows[std::size_t((double(k) + 0.5) * double(l) / double(size))]);
  std::map<int, std::vector<Index>> first;
  for (const Index i : rows)
    if (auto& two = first[stratum(data, i)]; two.size() < 2) two.push_back(i);
  for (const auto& [name, two] : first) sample.insert(sample.end(), two.begin(), two.end());
  std::ranges::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

Selection select_for(const Problem& problem, const KernelSpec& kernel, const SearchPlan& how,
                     const TrainOptions& options) {
  if (problem.inference) return select_gp(problem, kernel, options.lambda, how, options.run.observer);
  return (options.select.cv.one_step ? select : select_verified)(problem, kernel, options.lambda, how,
                                                                 options.run.observer);
}

// The optimum for some of the rows, and how it was found; no values: there is none, or nothing to search.
Selection scout(const Dataset& data, const Machine& machine, const KernelSpec& kernel, const SearchPlan& how,
                const TrainOptions& options) {
  if (!how.near.empty()) return {};
  const bool all_starts = options.select.search != SearchMethod::none && options.select.search != SearchMethod::grid;
  if (!all_starts || options.select.scout_rows <= 0 || data.size() <= 2 * options.select.scout_rows ||
      uses(kernel.kernel, Geometry::given))
    return {};
  const Dataset some =
      take_rows(data, sample_of(data, data.size(), options.select.scout_rows, options.select.search_options.seed));
  try {
    const Problem problem = make_problem(some, some.X, machine, options);
    Selection found = select_for(problem, kernel, how, options);
    return found.search.usable() ? found : Selection{};
  } catch (const Error&) {  // too few rows of a group, say: all of them will do
    return {};
  }
}

// With many rows one descent, from the optimum for some of them, in place of all starts. Where time runs out before
// one point of all rows is known, what is known is that optimum. Where an optimum is near, it begins there.
Chosen choose_on_all_rows(const Problem& problem, const Dataset& data, const Machine& machine, const KernelSpec& kernel,
                          SearchPlan how, const TrainOptions& options) {
  if (!how.near.empty()) return {select_for(problem, kernel, how, options)};
  const auto began = std::chrono::steady_clock::now();
  const Selection scouted = scout(data, machine, kernel, how, options);
  if (how.search.seconds) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    how.search.seconds = std::max(0.0, *how.search.seconds - spent);
  }
  if (scouted.search.stop == Stop::interrupted || scouted.values.empty())
    return {select_for(problem, kernel, how, options)};
  how.near = scouted.values;
  Chosen out{select_for(problem, kernel, how, options)};
  out.selection.seconds += scouted.seconds;
  if (!out.selection.search.usable() && out.selection.search.stop == Stop::time_limit) {
    const double seconds = out.selection.seconds;
    out = {.selection = scouted, .scouted = std::min(data.size(), options.select.scout_rows)};
    out.selection.seconds = seconds;
    out.selection.search.stop = Stop::time_limit;
    out.selection.warnings = {
        {Warning::Code::selected_on_some,
         fmt::format("the time limit ran out before the criterion of all rows was known at any point: the "
                     "hyper-parameters are those "
                     "found for {} of them",
                     out.scouted)}};
    return out;
  }
  if (!out.selection.search.usable() && out.selection.search.stop != Stop::interrupted) {
    how.near.clear();
    return {select_for(problem, kernel, how, options)};
  }
  out.scouted = std::min(data.size(), options.select.scout_rows);
  return out;
}

// `before`: as many rows, chosen in the same way, by the kernel that was found there.
Chosen choose_on_basis(const Problem& problem, Index rows, const KernelSpec& kernel, const SearchPlan& how,
                       const Chosen* before, const TrainOptions& options) {
  const BasisRequest& asked = *options.basis;
  const bool given = asked.rows.rows() > 0;
  const Index outputs = problem.learn.columns();
  BasisPlan plan{.methods = asked.method ? std::vector{*asked.method} : BasisPlan{}.methods,
                 .size = asked.size ? *asked.size : std::min(problem.X.rows(), largest_basis(rows, outputs, options)),
                 .grow = !given && !asked.size,
                 .given = asked.rows,
                 .seed = options.select.search_options.seed,
                 .verified = !options.select.cv.one_step};
  FitReport::Basis record{.method = "given", .automatic = plan.grow, .asked = given ? asked.rows.rows() : plan.size};
  if (before != nullptr && !given) {
    plan.methods = {parse_basis_method(before->record->method)};
    plan.size = before->basis.rows();
    plan.grow = false;
  }
  BasisSearch found = select_on_basis(problem, plan, kernel, options.lambda, how, options.run.observer);
  if (!given) record.method = name(found.method);
  record.size = record.kept = found.basis.rows();
  record.rounds = found.rounds + (before != nullptr ? before->record->rounds : 0);
  record.complete = !given && found.end == BasisEnd::singular;
  record.selected_on = problem.X.rows();
  for (const auto& [size, criterion] : found.sizes) record.sizes.push_back({size, criterion});
  if (before != nullptr) record.sizes = before->record->sizes;
  return {std::move(found.chosen), std::move(found.basis), std::move(record)};
}

// One number for each parameter, in order.
void check_near(const Problem& problem, const KernelSpec& kernel, const SearchPlan& how) {
  const std::size_t count = 1 + parameters(kernel.kernel).size(), mean = problem.inference ? 1 : 0;
  if (!how.centre.empty() && how.centre.size() != count + mean)
    fail_usage(
        fmt::format("search: {} values where the penalty is least for {} parameters", how.centre.size(), count + mean));
  if (how.near.empty()) return;
  if (how.near.size() != count + mean)
    fail_usage(fmt::format("search: {} values to begin at for {} parameters", how.near.size(), count + mean));
  for (std::size_t p = 0; p < how.near.size(); ++p)
    if (!std::isfinite(how.near[p]) || (p < count && !(how.near[p] > 0.0)))
      fail_usage(fmt::format("search: a value to begin at is {}; must be a finite number{}", how.near[p],
                             p < count ? " > 0" : ""));
}

}  // namespace

std::vector<Index> selection_sample(const Dataset& data, const RowSource& X, const TrainOptions& options) {
  if (!options.basis || (X.rows() <= options.select.rows && X.in_memory())) return {};
  return sample_of(data, X.rows(), options.select.rows, options.select.search_options.seed);
}

Chosen choose(const Problem& problem, const Dataset& data, const Machine& machine, Index rows, Index features,
              const TrainOptions& options) {
  const SelectionOptions& select = options.select;
  KernelSpec kernel = bind(options.kernel, features);
  kernel.feature_names = data.feature_names;
  const SearchPlan how{select.search,  select.search_options, select.max_evaluations,
                       select.penalty, select.near,           select.penalty_centre};
  check_near(problem, kernel, how);
  const ChooseRest rest = [&](const KernelSpec& k, const SearchPlan& plan, const Chosen* before) {
    return options.basis ? choose_on_basis(problem, rows, k, plan, before, options)
                         : choose_on_all_rows(problem, data, machine, k, plan, options);
  };
  if (!kernel.learns) return rest(kernel, how, nullptr);
  if (select.search == SearchMethod::none)
    fail_usage(
        "search: none requires every parameter; not given: the weights of the features, relevance(A):weights=...");
  return learn_relevance(problem, kernel, how, data.feature_column, rest, options.run.observer);
}

}  // namespace lacuna::detail

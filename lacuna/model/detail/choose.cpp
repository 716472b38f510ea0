#include "lacuna/model/detail/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/learn_relevance.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/select/basis_search.hpp"
#include "lacuna/select/select_checked.hpp"

namespace lacuna::detail {
namespace {

int stratum(const Dataset& data, Index i) {
  if (!data.label.empty()) return data.label[std::size_t(i)];
  return data.task == Task::counts && (data.targets.row(i).array() > 0.0).any() ? 1 : 0;
}

std::vector<Index> all_rows(Index l) {
  std::vector<Index> rows(static_cast<std::size_t>(l));
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

// A seeded sample of so many of these rows, ascending, in which every class has its share, and two rows at least; all
// where there are no more.
std::vector<Index> sample_of(const Dataset& data, std::vector<Index> rows, Index size, std::uint64_t seed) {
  const auto l = Index(rows.size());
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

// Of the criterion, relative: a search that is content with this is a rough one.
constexpr double rough_tolerance = 1e-3;

// How many rows to begin with, of so many that differ; 0: no fewer.
Index scout_rows(Index l, const TrainOptions& options) {
  constexpr Index fewest = 256, least = 133, most = 1000;
  if (const auto asked = options.select.scout_rows) return *asked > 0 && l > 2 * *asked ? *asked : 0;
  return l < fewest ? 0 : std::clamp(l / 4, least, most);
}

// Which rows those are. Copies of a row are taken together: they are one row of their weight. Empty: none.
std::vector<Index> rows_to_scout(const Problem& problem, const Dataset& data, const TrainOptions& options) {
  const std::vector<Index>& first = problem.first_of_copies;
  std::vector<Index> rows = all_rows(data.size());
  if (!first.empty()) std::erase_if(rows, [&](Index i) { return first[std::size_t(i)] != i; });
  const Index size = scout_rows(Index(rows.size()), options);
  if (size == 0) return {};
  rows = sample_of(data, std::move(rows), size, options.select.search_options.seed);
  if (first.empty()) return rows;
  std::vector<Index> out;
  for (Index i = 0; i < data.size(); ++i)
    if (std::ranges::binary_search(rows, first[std::size_t(i)])) out.push_back(i);
  return out;
}

Chosen choose_on_all_rows(const Problem& problem, const Dataset& data, const Machine& machine, const KernelSpec& kernel,
                          SearchPlan how, const TrainOptions& options);

// The optimum for some of the rows, how it was found, and on how many; no values: there is none, or nothing to search.
// It is a place to begin, and need be good to a few hundredths only.
Chosen scout(const Problem& problem, const Dataset& data, const Machine& machine, const KernelSpec& kernel,
             SearchPlan how, const TrainOptions& options) {
  constexpr double log_tolerance = 0.02;
  const bool all_starts = options.select.search != SearchMethod::none && options.select.search != SearchMethod::grid;
  if (!all_starts || uses_geometry(kernel.kernel, kernels::Geometry::given)) return {};
  const std::vector<Index> rows = rows_to_scout(problem, data, options);
  if (2 * Index(rows.size()) > data.size()) return {};  // every class keeps a few: with many of them that saves nothing
  if (rows.empty()) return {};
  how.search.log_tolerance = std::max(log_tolerance, how.search.log_tolerance);
  how.search.value_tolerance = std::max(rough_tolerance, how.search.value_tolerance);
  const Dataset some = take_rows(data, rows);
  try {
    const Problem fewer = make_problem(some, some.X, machine, options);
    Chosen found = choose_on_all_rows(fewer, some, machine, kernel, std::move(how), options);
    if (!found.selection.search.usable()) return {};
    found.scouted = Index(rows.size());
    if (problem.by_evidence())  // a sum over rows, not a mean
      found.selection.search.curvature *= double(rows.size()) / double(data.size());
    return found;
  } catch (const Error&) {  // too few rows of a group, say: all of them will do
    return {};
  }
}

// More rows bear a narrower kernel: the best point that a sample has looked at whose theta is above that of its optimum
// by such a factor at least, if its criterion is not above by more than such a share. Empty: there is none, or the
// kernel has no width.
std::vector<double> narrower(const Selection& before, double factor, double most_above) {
  const std::vector<bool> scales = parameter_scales(before.kernel);
  std::vector<double> out;
  double least = before.criterion + most_above * std::abs(before.criterion);
  for (const auto& [values, criterion] : before.path) {
    bool is_narrower = false;
    for (std::size_t p = 0; p < scales.size(); ++p)
      is_narrower = is_narrower || (scales[p] && values[p + 1] >= factor * before.values[p + 1]);
    if (is_narrower && criterion < least) out = values, least = criterion;
  }
  return out;
}

// Beside the optima of the sample: a hollow that was seen but where no descent ended (12 is the spacing of the start
// design), and a far narrower kernel, bad as it may have been: a wave needs rows in each of its periods to be seen.
void begin_at(SearchPlan& how, const Selection& before) {
  how.near = before.values;
  if (!before.optima.empty()) how.or_near.assign(before.optima.begin() + 1, before.optima.end());
  constexpr double any = std::numeric_limits<double>::infinity();
  for (const auto& [factor, most_above] : {std::pair{12.0, 0.15}, {60.0, any}})
    if (std::vector<double> values = narrower(before, factor, most_above);
        !values.empty() && std::ranges::find(how.or_near, values) == how.or_near.end())
      how.or_near.push_back(std::move(values));
  how.curvature = before.search.curvature;
}

// With many rows one descent, from the optimum for some of them, in place of all starts. Where time runs out before
// one point of all rows is known, what is known is that optimum. Where an optimum is near, it begins there. Who asks
// for a few digits only gets them at the price of few: outputs to a hundredth, and nobody asks refits.
Chosen choose_on_all_rows(const Problem& problem, const Dataset& data, const Machine& machine, const KernelSpec& kernel,
                          SearchPlan how, const TrainOptions& options) {
  Problem seen = problem;
  seen.rough = how.search.value_tolerance >= rough_tolerance;
  const auto select_here = [&] {
    return (seen.rough ? select : select_checked)(seen, kernel, options.lambda, how, options.run.observer);
  };
  if (!how.near.empty()) return {select_here()};
  const auto began = std::chrono::steady_clock::now();
  const Chosen scouted = scout(problem, data, machine, kernel, how, options);
  const Selection& before = scouted.selection;
  if (how.search.seconds) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    how.search.seconds = std::max(0.0, *how.search.seconds - spent);
  }
  if (before.search.stop == Stop::interrupted || before.values.empty()) return {select_here()};
  begin_at(how, before);
  Chosen out{select_here()};
  out.selection.seconds += before.seconds;
  if (!out.selection.search.usable() && out.selection.search.stop == Stop::time_limit) {
    const double seconds = out.selection.seconds;
    out = scouted;
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
    return {select_here()};
  }
  out.scouted = scouted.scouted;
  return out;
}

// `before`: as many rows, chosen in the same way, by the kernel that was found there. With many rows the search begins
// where that of a machine of some of them ended, as without a basis.
Chosen choose_on_basis(const Problem& problem, const Dataset& data, const Machine& machine, Index rows,
                       const KernelSpec& kernel, SearchPlan how, const Chosen* before, const TrainOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  const Chosen scouted = how.near.empty() ? scout(problem, data, machine, kernel, how, options) : Chosen{};
  const bool begins_there = !scouted.selection.values.empty() && scouted.selection.search.stop != Stop::interrupted;
  if (begins_there) begin_at(how, scouted.selection);
  if (how.search.seconds) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    how.search.seconds = std::max(0.0, *how.search.seconds - spent);
  }
  const BasisRequest& asked = *options.basis;
  const bool given = asked.rows.rows() > 0;
  const Index outputs = problem.learn.columns();
  BasisPlan plan{.methods = asked.method ? std::vector{*asked.method} : BasisPlan{}.methods,
                 .size = asked.size
                             ? *asked.size
                             : std::min(problem.X.rows(), largest_basis(rows, outputs, with_machine(options, machine))),
                 .grow = !given && !asked.size,
                 .patient = asked.by_size,
                 .given = asked.rows,
                 .seed = options.select.search_options.seed};
  FitReport::Basis record{.method = "given",
                          .automatic = plan.grow,
                          .by_size = asked.by_size,
                          .asked = given ? asked.rows.rows() : plan.size};
  if (before != nullptr && !given) {
    plan.methods = {parse_basis_method(before->record->method)};
    plan.size = before->basis.rows();
    plan.grow = false;
  }
  BasisSearch found = select_on_basis(problem, plan, kernel, options.lambda, how, options.run.observer);
  const Stop stop = found.chosen.search.stop;
  if (begins_there && !found.chosen.search.usable() && stop != Stop::interrupted && stop != Stop::time_limit) {
    how.near.clear();
    how.or_near.clear();
    how.curvature = {};
    found = select_on_basis(problem, plan, kernel, options.lambda, how, options.run.observer);
  }
  found.chosen.seconds += scouted.selection.seconds;
  if (!given) record.method = name_of(found.method);
  record.size = record.kept = found.basis.rows();
  record.rounds = found.rounds + (before != nullptr ? before->record->rounds : 0);
  record.complete = !given && found.end == BasisEnd::singular;
  record.selected_on = problem.X.rows();
  for (const auto& [size, criterion] : found.sizes) record.sizes.push_back({size, criterion});
  if (before != nullptr) record.sizes = before->record->sizes;
  return {std::move(found.chosen), std::move(found.basis), std::move(record), scouted.scouted};
}

// One number for each parameter, in order.
void check_near(const Problem& problem, const KernelSpec& kernel, const SearchPlan& how) {
  const std::size_t count = 1 + kernel_parameters(kernel.kernel).size(), mean = problem.inference ? 1 : 0;
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
  if (!on_basis(options) || (X.rows() <= options.select.rows && X.in_memory())) return {};
  return sample_of(data, all_rows(X.rows()), options.select.rows, options.select.search_options.seed);
}

Chosen choose(const Problem& problem, const Dataset& data, const Machine& machine, Index rows, Index features,
              const TrainOptions& options) {
  const SelectionOptions& select = options.select;
  KernelSpec kernel = bind_kernel(options.kernel, features);
  kernel.feature_names = data.feature_names;
  const SearchPlan how{.method = select.search,
                       .search = select.search_options,
                       .max_evaluations = select.max_evaluations,
                       .penalty = select.penalty,
                       .near = select.near,
                       .curvature = select.curvature,
                       .centre = select.penalty_centre,
                       .near_later = select.near_later,
                       .look_if_given = options.basis || kernel.learns};
  check_near(problem, kernel, how);
  const ChooseRest rest = [&](const KernelSpec& k, const SearchPlan& plan, const Chosen* before) {
    return on_basis(options) ? choose_on_basis(problem, data, machine, rows, k, plan, before, options)
                             : choose_on_all_rows(problem, data, machine, k, plan, options);
  };
  if (!kernel.learns) return rest(kernel, how, nullptr);
  if (select.search == SearchMethod::none)
    fail_usage(
        "search: none requires every parameter; not given: the weights of the features, relevance(A):weights=...");
  return learn_relevance(problem, kernel, how, data.feature_column, rest, options.run.observer);
}

}  // namespace lacuna::detail

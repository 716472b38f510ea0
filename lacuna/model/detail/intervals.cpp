#include "lacuna/model/detail/intervals.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/detail/interval_widths.hpp"
#include "lacuna/model/detail/learn_relevance.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/detail/noise_machine.hpp"

namespace lacuna::detail {
namespace {

// Few rows are left out one by one: a machine of four fifths of twelve rows is another machine.
constexpr Index fewest_in_folds = 30;
constexpr int few_folds = 5, many_folds = 10;
constexpr Index many_units = 200;
// A descent that begins near its end.
constexpr int most_evaluations = 25;

// Whole groups, or single rows.
Folds folds_for(const Dataset& data, const TrainOptions& options) {
  const Folds parts = data.group.empty() ? Folds{} : group_folds(data.group);
  const bool by_group = parts.size() > 1;  // rows of the only group are held out one at a time
  const Index units = by_group ? Index(parts.size()) : data.size();
  const Index count = units <= fewest_in_folds ? units : units <= many_units ? many_folds : few_folds;
  std::vector<Index> order(static_cast<std::size_t>(units));
  std::iota(order.begin(), order.end(), Index(0));
  Random random(options.select.search_options.seed);
  random.shuffle(order);
  Folds folds(static_cast<std::size_t>(std::min(count, units)));
  for (std::size_t k = 0; k < order.size(); ++k) {
    auto& fold = folds[k % folds.size()];
    if (by_group)
      fold.insert(fold.end(), parts[std::size_t(order[k])].begin(), parts[std::size_t(order[k])].end());
    else
      fold.push_back(order[k]);
  }
  return folds;
}

// Everything is done without the fold but the choice of a basis, which sees no targets. Empty: no machine.
Matrix outputs_without(const Dataset& data, const std::vector<Index>& fold, const Problem& all, const Machine& machine,
                       const Selection& chosen, const std::optional<FitReport::Relevance>& relevance,
                       TrainOptions options) {
  options.select.cv.by_refit = false;
  options.select.cv.repeats = 1;
  const Dataset rest = take_rows(data, all_but(data.size(), fold));
  Problem problem = make_problem(rest, rest.X, machine, options);
  problem.basis = all.basis;
  SearchPlan how{.search = options.select.search_options,
                 .max_evaluations = most_evaluations,
                 .penalty = options.select.penalty,
                 .near = chosen.values,
                 .curvature = chosen.search.curvature,
                 .centre = options.select.penalty_centre};
  if (options.select.max_evaluations) how.max_evaluations = std::min(*options.select.max_evaluations, most_evaluations);
  KernelSpec kernel = bind_kernel(options.kernel, data.X.cols());
  const auto select_from = [&](const KernelSpec& spec, const SearchPlan& plan, const Chosen*) -> Chosen {
    return {select(problem, spec, options.lambda, plan, options.run.observer)};
  };
  if (kernel.learns && relevance) {
    // From equal weights: those of all rows have seen the fold, and what is learned from them on remembers it.
    how.near = relevance->first;
    how.near_later = relevance->later;
    how.max_evaluations = *how.max_evaluations * int(relevance->criteria.size());
  }
  const Selection again =
      kernel.learns
          ? learn_relevance(problem, kernel, how, data.feature_column, select_from, options.run.observer).selection
          : select_from(kernel, how, nullptr).selection;
  if (!std::isfinite(again.criterion) || again.search.stop == Stop::interrupted) return {};
  const FinalFit fit = final_fit(problem, again.kernel, again.lambda, {}, {.all = false}, options.run.observer);
  if (!fit.usable()) return {};
  const Rows left_out = take_rows(RowsView(data.X), fold);
  const Rows& expansion = fit.expansion.rows() > 0 ? fit.expansion : rest.X;
  return problem.backend->expand(again.kernel, left_out, expansion, fit.alpha).rowwise() + fit.b.transpose();
}

// Outputs for every row of machines that were chosen and fitted without it; empty where some fold has none.
Matrix outputs_chosen_again(const Dataset& data, const Folds& folds, const Problem& problem, const Machine& machine,
                            const Selection& chosen, const std::optional<FitReport::Relevance>& relevance,
                            const TrainOptions& options) {
  Matrix z(data.size(), problem.learn.columns());
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = options.select.search_options.seconds;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const double used = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (seconds && chosen.seconds + used > *seconds) return {};
    if (!go_on(options.run.observer, {.stage = "intervals", .done = long(f), .total = long(folds.size())})) return {};
    try {
      const Matrix out = outputs_without(data, folds[f], problem, machine, chosen, relevance, options);
      if (out.size() == 0 || !out.allFinite()) return {};
      for (std::size_t k = 0; k < folds[f].size(); ++k) z.row(folds[f][k]) = out.row(Index(k));
    } catch (const Error&) {  // too few rows or groups are left to choose on
      return {};
    }
  }
  return z;
}

}  // namespace

Intervals intervals(const Dataset& data, const Problem& problem, const Machine& machine, const Selection& chosen,
                    const std::optional<FitReport::Relevance>& relevance, const FinalFit& fit,
                    const TrainOptions& options) {
  Matrix z = fit.z[0];
  for (std::size_t r = 1; r < fit.z.size(); ++r) z += fit.z[r];
  z /= double(fit.z.size());
  const Vector& weights = problem.truth.counted();
  Matrix residual = problem.truth.targets - z;
  Intervals out{.selected = chosen.method != SearchMethod::none || relevance,
                .level = options.held_out.level.value_or(usual_level)};
  set_widths(out, residual, weights, weight_of_what_is_new(weights, data.group));
  const bool in_memory = data.X.rows() == problem.X.rows() && problem.X.in_memory();
  if (out.half_width.size() == 0 || !in_memory || uses_geometry(options.kernel.kernel, kernels::Geometry::given))
    return out;
  const auto began = std::chrono::steady_clock::now();
  if (out.selected && data.size() <= most_rows_chosen_again) {
    const Folds folds = folds_for(data, options);
    const Matrix again = outputs_chosen_again(data, folds, problem, machine, chosen, relevance, options);
    if (again.size() > 0) {
      residual = problem.truth.targets - again;
      out.folds = int(folds.size());
    }
  }
  std::optional<double> seconds = options.select.search_options.seconds;
  if (seconds) {
    const double used = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    *seconds -= chosen.seconds + used;
  }
  const Matrix normalised = follow_noise(out, data, residual, weights, options, seconds);
  if (options.held_out.interval_method == IntervalMethod::jackknife_plus && out.half_width.size() > 0)
    out.jackknife = {normalised.cwiseAbs(), weights};
  return out;
}

}  // namespace lacuna::detail

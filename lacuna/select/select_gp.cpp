#include "lacuna/select/select_gp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace lacuna {
namespace {

constexpr int most_folds = 10;

// The same problem judged by few folds: its own where they are few, else seeded ones, groups kept together.
Problem in_few_folds(const Problem& problem) {
  Problem few = problem;
  const Folds& given = problem.partitions.front();
  const Index l = problem.X.rows();
  Folds folds = given;
  if (given.empty()) {
    folds = k_folds(l, int(std::min<Index>(most_folds, l)), problem.truth.label, 0);
  } else if (given.size() > std::size_t(most_folds)) {
    folds.assign(std::size_t(most_folds), {});
    for (std::size_t k = 0; k < given.size(); ++k) {
      auto& fold = folds[k % folds.size()];
      fold.insert(fold.end(), given[k].begin(), given[k].end());
    }
    for (auto& fold : folds) std::ranges::sort(fold);
  }
  few.partitions = {std::move(folds)};
  return few;
}

struct Setting {
  Kernel kernel;
  Prior prior;
};
Setting setting(const KernelSpec& spec, const std::vector<double>& values) {
  const std::size_t own = parameters(spec.kernel).size();
  const double mean = values.size() > own + 1 ? values.back() : 0.0;
  return {with_parameters(spec.kernel, std::span(values).subspan(1, own)), {values[0], mean}};
}

// The optimum of this number becomes the choice.
void take(Selection& s, const KernelSpec& spec, std::size_t which) {
  const auto k = std::ptrdiff_t(which);
  std::rotate(s.optima.begin(), s.optima.begin() + k, s.optima.begin() + k + 1);
  std::rotate(s.search.optima.begin(), s.search.optima.begin() + k, s.search.optima.begin() + k + 1);
  s.search.best = s.search.optima.front();
  if (s.search.best.stop != Stop::none) s.search.stop = s.search.best.stop;
  const Setting at = setting(spec, s.optima.front());
  s.values = s.optima.front();
  s.lambda = at.prior.lambda;
  s.mean = at.prior.mean;
  s.kernel = at.kernel;
  s.criterion = s.search.best.value;
}

}  // namespace

bool BothWays::disagree() const {
  constexpr double share = 0.05, unnoticed = 0.005;
  return !(std::abs(closed_form - by_refit) <= std::max(share * std::abs(by_refit), unnoticed));
}

BothWays both_ways(const Problem& problem, Criterion criterion, const Kernel& kernel, const Prior& prior,
                   const Observer& observer) {
  Problem few = in_few_folds(problem);
  few.criterion = criterion;
  BothWays out;
  const auto value = [&](bool by_refit) {
    few.by_refit = by_refit;
    const CriterionAt at = criterion_at(few, kernel, prior, false, observer);
    out.factorisations += at.factorisations;
    return at.value;
  };
  out.closed_form = value(false);
  out.by_refit = value(true);
  return out;
}

Selection select_gp(const Problem& problem, const KernelSpec& spec, std::optional<double> lambda,
                    const SearchPlan& options, const Observer& observer) {
  Selection first = select(problem, spec, lambda, options, observer);
  const bool searched = first.method != SearchMethod::none && first.search.usable();
  if (!searched || problem.by_evidence() || problem.by_refit || first.search.stop == Stop::interrupted ||
      first.search.stop == Stop::time_limit)
    return first;

  std::string promise;
  for (std::size_t k = 0; k < first.optima.size(); ++k) {
    const Setting at = setting(spec, first.optima[k]);
    const BothWays both = both_ways(problem, problem.criterion, at.kernel, at.prior, observer);
    first.factorisations += both.factorisations;
    if (!go_on(observer, {"search", first.search.evaluations, 0, first.criterion})) {
      first.search.stop = Stop::interrupted;
      return first;
    }
    if (!both.disagree()) {
      if (k > 0) {
        take(first, spec, k);
        first.warnings = {{Warning::Code::posterior_contradicted,
                           promise + ": another optimum was taken"}};  // the others were about the one that was left
      }
      return first;
    }
    if (k == 0)
      promise = fmt::format(
          "the posterior of all rows promised {} = {:.4g} for held-out folds at lambda = {:.3g}, which refits "
          "contradict "
          "({:.4g})",
          name(problem.criterion), both.closed_form, at.prior.lambda * problem.regulariser_unit, both.by_refit);
  }

  Problem truth = in_few_folds(problem);
  truth.by_refit = true;
  SearchPlan again = options;
  if (again.method != SearchMethod::grid) again.method = SearchMethod::nelder_mead;
  if (again.search.seconds) again.search.seconds = std::max(0.0, *again.search.seconds - first.seconds);
  Selection second = select(truth, spec, lambda, again, observer);
  second.search.evaluations += first.search.evaluations;
  second.search.gradients += first.search.gradients;
  second.search.descents += first.search.descents;
  second.path.insert(second.path.begin(), first.path.begin(), first.path.end());
  second.factorisations += first.factorisations;
  second.seconds += first.seconds;
  if (second.search.usable())
    second.warnings.insert(
        second.warnings.begin(),
        {Warning::Code::posterior_contradicted, promise + ": the parameters were selected by refits of folds instead"});
  return second;
}

}  // namespace lacuna

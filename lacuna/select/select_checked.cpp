#include "lacuna/select/select_checked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "lacuna/base/stopping.hpp"

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
  const std::size_t own = kernel_parameters(spec.kernel).size();
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

void add_counts(Selection& s, const Selection& before) {
  s.search.evaluations += before.search.evaluations;
  s.search.gradients += before.search.gradients;
  s.search.descents += before.search.descents;
  s.path.insert(s.path.begin(), before.path.begin(), before.path.end());
  s.factorisations += before.factorisations;
  s.seconds += before.seconds;
}

// The problem of which no held-out output is believed.
Problem by_refits(const Problem& problem) {
  Problem out = problem.inference ? in_few_folds(problem) : problem;
  (problem.inference ? out.by_refit : out.refit_unfinished) = true;
  return out;
}

struct Checked {
  std::size_t which = 0;  // of the optima
  BothWays value;
};

// Optima that could win, those first that do.
std::vector<Checked> checked_optima(const Problem& problem, const KernelSpec& spec, bool penalised, Selection& found,
                                    const Observer& observer) {
  const Problem seen = problem.inference ? in_few_folds(problem) : problem, truth = by_refits(problem);
  std::vector<Checked> out;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < found.optima.size(); ++k) {
    if (!go_on(observer, {"search", found.search.evaluations, 0, found.criterion})) throw Stopped{};
    const Setting at = setting(spec, found.optima[k]);
    const auto value = [&](const Problem& p) {
      const CriterionAt one = criterion_at(p, at.kernel, at.prior, false, observer);
      found.factorisations += one.factorisations;
      return one.value;
    };
    // The search has it, but for other folds or with a penalty.
    const bool known = !problem.inference && !penalised;
    BothWays both{.seen = known ? found.search.optima[k].value : value(seen)};
    if (!(both.seen < best)) continue;  // it could win only if the search was pessimistic there
    both.by_refit = value(truth);
    if (!std::isfinite(both.by_refit)) continue;
    best = std::min(best, both.by_refit);
    out.push_back({k, both});
  }
  std::ranges::stable_sort(out, {}, [](const Checked& c) { return c.value.by_refit; });
  return out;
}

}  // namespace

bool BothWays::disagree(const Problem& problem) const {
  constexpr double share = 0.05, unnoticed_in_nats = 0.005;
  double unnoticed = problem.truth.classes > 0 ? unnoticed_in_nats : 0.0;
  // Criteria that count rows go by steps: three rows are by chance on the other side.
  if (!is_differentiable(problem.criterion)) unnoticed = std::max(unnoticed, 3.0 / double(problem.X.rows()));
  return !(std::abs(seen - by_refit) <= std::max(share * std::abs(by_refit), unnoticed));
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
  out.seen = value(false);
  out.by_refit = value(true);
  return out;
}

Selection select_checked(const Problem& problem, const KernelSpec& spec, std::optional<double> lambda,
                         const SearchPlan& options, const Observer& observer) {
  Selection first = select(problem, spec, lambda, options, observer);
  const bool searched = first.method != SearchMethod::none && first.search.usable();
  const bool believed = problem.inference ? !problem.by_evidence() : problem.followed && problem.iterates();
  if (!searched || !believed || problem.by_refit || first.search.stop == Stop::interrupted ||
      first.search.stop == Stop::time_limit)
    return first;

  // Above so many rows a second search begins where the first one's optima are best, and there only.
  constexpr Index few_rows = 500;
  const std::vector<Checked> checked = checked_optima(problem, spec, options.penalty > 0.0, first, observer);
  const auto promised = std::ranges::find(checked, std::size_t(0), &Checked::which);
  const bool false_promise = promised == checked.end() || promised->value.disagree(problem);
  const auto remark = [&](std::string_view then) {
    return Warning{
        Warning::Code::one_step_contradicted,
        fmt::format("the search saw {} = {:.4g} at lambda = {:.3g}, which refits contradict{}: {}",
                    name_of(problem.criterion), first.search.best.value, first.lambda * problem.regulariser_unit,
                    promised == checked.end() ? "" : fmt::format(" ({:.4g})", promised->value.by_refit), then)};
  };
  const Warning other = remark("another optimum was taken");
  const Warning by_refit = remark("the parameters were selected by refits instead");
  if (!checked.empty() && !checked.front().value.disagree(problem)) {
    if (!problem.inference)
      for (const Checked& c : checked) first.search.optima[c.which].value = c.value.by_refit;
    take(first, spec, checked.front().which);
    if (false_promise) first.warnings = {other};  // the others were about the one that was left
    return first;
  }

  SearchPlan again = options;
  again.or_near.clear();
  if (again.method != SearchMethod::grid) again.method = SearchMethod::nelder_mead;
  if (!checked.empty() && problem.X.rows() > few_rows) again.near = first.optima[checked.front().which];
  if (again.search.seconds) again.search.seconds = std::max(0.0, *again.search.seconds - first.seconds);
  Selection second = select(by_refits(problem), spec, lambda, again, observer);
  add_counts(second, first);
  if (second.search.usable()) second.warnings.insert(second.warnings.begin(), by_refit);
  return second;
}

}  // namespace lacuna
